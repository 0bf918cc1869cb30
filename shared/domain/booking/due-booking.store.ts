import * as z from 'zod';
import { dueFields, type DueList, dueShardOf } from '../../platform/due/due-list.ts';
import {
  defineEntity,
  defineRecord,
  put,
  type RecordOf,
  remove,
  type Write,
} from '../../platform/table/index.ts';
import type { Dependencies } from '../../platform/context.ts';
import { inLanes } from '../../platform/in-lanes.ts';
import { dayMs, toInstant } from '../../platform/time/time.ts';
import { paidFor } from '../folio/model.ts';
import { type Reservation, reservationRead } from './reservation.entity.ts';
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

/** A transition at a set time. */
export type DueMove = DueBooking &
  (
    | {
        move: 'cancel';
        /** What has not happened in time. */
        why: 'unpaid' | 'unaccepted';
      }
    | { move: Extract<BookingMove, 'complete' | 'check_out' | 'close' | 'no_show'> }
  );

/**
 * Returns the next automatic transition of a booking: cancelled after 24 hours without acceptance by the host (D46) or
 * when its payment window ends (D73), whichever is first; completed 24 hours after check-out (D50). 24 hours after its end
 * a stay is checked out if its guest came; if not, it is COMPLETED if it was paid, also in part, and NO_SHOW if it was not
 * (D83).
 */
export const dueMove = (stay: Reservation): DueMove | undefined => {
  const { reservation_id, state, payment_status, pay_until, created_at, checked_out_at } = stay;
  const hostUntil = state === 'PENDING' ? Date.parse(created_at) + dayMs : Infinity;
  const open = mayMove(state, 'cancel') && payment_status === 'PENDING';
  const payUntil = open ? (pay_until ?? Infinity) : Infinity;
  if (payUntil <= hostUntil && payUntil !== Infinity)
    return { reservation_id, due_at: payUntil, move: 'cancel', why: 'unpaid' };
  if (hostUntil !== Infinity) return { reservation_id, due_at: hostUntil, move: 'cancel', why: 'unaccepted' };
  if (state === 'CHECKED_OUT' && checked_out_at !== undefined)
    return { reservation_id, due_at: Date.parse(checked_out_at) + dayMs, move: 'complete' };
  const atEnd = endItem(stay);
  if (state === 'CHECKED_IN') return { ...atEnd, move: 'check_out' };
  if (state !== 'CONFIRMED') return undefined;
  return { ...atEnd, move: payment_status === 'PENDING' && paidFor(stay) === 0 ? 'no_show' : 'close' };
};

/** Returns the due item of what follows the end of a stay. */
export const endItem = ({ reservation_id, end_at, timezone }: Reservation): DueBooking => ({
  reservation_id,
  due_at: toInstant(end_at, timezone) + dayMs,
});

/** Whether a transition is that of the end of its stay, which {@link scheduleEnds} puts into the list. */
export const isAtEnd = ({ move }: Pick<DueMove, 'move'>): boolean =>
  move === 'check_out' || move === 'close' || move === 'no_show';

/**
 * Schedules what happens 24 hours after the end of booked stays, whatever their state is then. A consumer of the bookings
 * does it, so that a confirm writes no more. Idempotent.
 */
export const scheduleEnds = async (
  { table }: Pick<Dependencies, 'table'>,
  reservationIds: readonly number[],
): Promise<void> => {
  const stays = await table.getAll(reservationIds.map(reservationRead));
  await inLanes(reservationIds, async (id) => {
    const stay = stays[reservationIds.indexOf(id)];
    if (!stay) throw new Error(`the booking ${id} does not exist`);
    await table.put(put(DueBookingEntity, endItem(stay)));
  });
};

/** Returns the writes that keep the due list in step with a changed booking; the item of its end stays. */
export const reschedule = (before: Reservation | undefined, after: Reservation): Write[] => {
  const was = before && dueBeforeEnd(before);
  const is = dueBeforeEnd(after);
  if (was?.due_at === is?.due_at) return [];
  return [
    ...(was ? [remove(DueBookingEntity, was)] : []),
    // A put: an outdated item that was deferred may have the same key.
    ...(is ? [put(DueBookingEntity, dueItemOf(is))] : []),
  ];
};

const dueBeforeEnd = (stay: Reservation): DueMove | undefined => {
  const next = dueMove(stay);
  return next && !isAtEnd(next) ? next : undefined;
};

const dueItemOf = ({ reservation_id, due_at }: DueMove): DueBooking => ({ reservation_id, due_at });
