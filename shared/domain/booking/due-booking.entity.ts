import { defineEntity, sortable } from '../../platform/table/index.ts';

/** A booking that moves by itself unless somebody moves it before (D46, D50), in the order in which the time comes. */
export interface DueBooking {
  /** Epoch milliseconds. */
  due_at: number;
  reservation_id: number;
}

export const dueBookings = 'DUE_BOOKINGS';

export const DueBookingEntity = defineEntity<DueBooking, DueBooking>({
  name: 'DueBooking',
  meaning: 'A booking that moves by itself unless somebody moves it before.',
  patterns: ['the bookings whose time has come'],
  key: ({ due_at, reservation_id }) => ({
    pk: dueBookings,
    sk: `${sortable(due_at)}#${reservation_id}`,
  }),
  example: { due_at: 1_800_000_000_000, reservation_id: 17 },
});
