import { defineEntity, sortable } from '../../platform/table/index.ts';

/** A booking that waits for the host's yes (D46), in the order in which the waiting ends. */
export interface PendingBooking {
  /** Epoch milliseconds at which the booking is cancelled unless somebody acted. */
  deadline: number;
  reservation_id: number;
}

export const pendingBookings = 'PENDING_BOOKINGS';

export const PendingBookingEntity = defineEntity<PendingBooking, PendingBooking>({
  name: 'PendingBooking',
  meaning: 'A booking that waits for the host.',
  patterns: ['the bookings whose waiting is over'],
  key: ({ deadline, reservation_id }) => ({
    pk: pendingBookings,
    sk: `${sortable(deadline)}#${reservation_id}`,
  }),
  example: { deadline: 1_800_000_000_000, reservation_id: 17 },
});
