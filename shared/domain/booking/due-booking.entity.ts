import { type DueItem, dueKey, type DueList } from '../../platform/due/due-list.ts';
import { defineEntity } from '../../platform/table/entity.ts';

/** A booking whose state changes at a set time unless it has changed before (D46, D50), in the order in which the time comes. */
export interface DueBooking extends DueItem {
  reservation_id: number;
}

const partition = 'DUE_BOOKINGS';

export const DueBookingEntity = defineEntity<DueBooking, DueBooking>({
  name: 'DueBooking',
  meaning: 'A booking whose state changes at a set time unless it has changed before.',
  patterns: ['the bookings whose time has come (16 shards by the id)'],
  key: ({ due_at, reservation_id }) => dueKey(partition, due_at, reservation_id),
  example: { due_at: 1_800_000_000_000, reservation_id: 17 },
});

export const dueBookings: DueList<DueBooking> = { partition, entity: DueBookingEntity };
