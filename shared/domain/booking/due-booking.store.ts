import * as z from 'zod';
import { dueFields, type DueList, dueShardOf } from '../../platform/due/due-list.ts';
import { defineEntity, defineRecord, type RecordOf } from '../../platform/table/index.ts';
import { put, remove, type Write } from '../../platform/table/index.ts';
import type { Reservation } from './booking.entity.ts';
import { type BookingMove, mayMove } from './booking.rules.ts';

/** A booking whose state changes at a set time unless it has changed before (D46, D50), ordered by that time. */
const DueBookingRecord = defineRecord(() => ({ ...dueFields(), reservation_id: z.int() }));
export type DueBooking = RecordOf<typeof DueBookingRecord>;

const partition = 'DUE_BOOKINGS';

export const DueBookingEntity = defineEntity<DueBooking, DueBooking>({
  name: 'DueBooking',
  meaning: 'A booking whose state changes at a set time unless it has changed before.',
  patterns: ['the bookings whose time has come (16 shards by the id)'],
  record: DueBookingRecord,
  key: {
    pk: `${partition}#{shard}`,
    sk: '{due_at:sortable}#{reservation_id}',
    derived: { shard: ({ reservation_id }) => dueShardOf(reservation_id) },
  },
  example: { due_at: 1_800_000_000_000, reservation_id: 17 },
});

export const dueBookings: DueList<DueBooking> = { partition, entity: DueBookingEntity };

const dayMs = 24 * 60 * 60 * 1000;

/** A transition at a set time; `why` becomes the reason in the booking's history. */
export interface DueMove extends DueBooking {
  move: Extract<BookingMove, 'cancel' | 'complete'>;
  why: string;
}

/**
 * Returns the next automatic transition of a booking: cancelled after 24 hours without acceptance by the host (D46) or
 * when its payment window ends (D73), whichever is first; completed 24 hours after check-out (D50).
 */
export const dueMove = ({
  reservation_id,
  state,
  payment_status,
  pay_until,
  created_at,
  checked_out_at,
}: Reservation): DueMove | undefined => {
  const hostUntil = state === 'PENDING' ? Date.parse(created_at) + dayMs : Infinity;
  const open = mayMove(state, 'cancel') && payment_status === 'PENDING';
  const payUntil = open ? (pay_until ?? Infinity) : Infinity;
  if (payUntil <= hostUntil && payUntil !== Infinity)
    return { reservation_id, due_at: payUntil, move: 'cancel', why: 'The payment was not made in time.' };
  if (hostUntil !== Infinity)
    return { reservation_id, due_at: hostUntil, move: 'cancel', why: 'The host did not accept in time.' };
  if (state === 'CHECKED_OUT' && checked_out_at !== undefined) {
    const dueAt = Date.parse(checked_out_at) + dayMs;
    return { reservation_id, due_at: dueAt, move: 'complete', why: '24 hours have passed since check-out.' };
  }
  return undefined;
};

/** Returns the writes that keep the due list in step with a changed booking. */
export const reschedule = (before: Reservation | undefined, after: Reservation): Write[] => {
  const was = before && dueMove(before);
  const is = dueMove(after);
  if (was?.due_at === is?.due_at) return [];
  return [
    ...(was ? [remove(DueBookingEntity, was)] : []),
    // A put: an outdated item that was deferred may have the same key.
    ...(is ? [put(DueBookingEntity, dueItemOf(is))] : []),
  ];
};

const dueItemOf = ({ reservation_id, due_at }: DueMove): DueBooking => ({ reservation_id, due_at });
