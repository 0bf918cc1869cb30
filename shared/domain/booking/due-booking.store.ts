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
import { type Reservation, reservationRead } from './reservation.entity.ts';
import { type DueMove, dueMove, endItem, isAtEnd } from './due-move.rules.ts';

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

/**
 * Schedules what happens 24 hours after the end of booked stays, whatever their state is then. A consumer of the bookings
 * does it, so that a confirm writes no more. Idempotent. Returns the stays as they were read.
 */
export const scheduleEnds = async (
  { table }: Pick<Dependencies, 'table'>,
  reservationIds: readonly number[],
): Promise<Reservation[]> => {
  const stays = await table.getAll(reservationIds.map(reservationRead));
  return inLanes(reservationIds, async (id) => {
    const stay = stays[reservationIds.indexOf(id)];
    if (!stay) throw new Error(`the booking ${id} does not exist`);
    await table.put(put(DueBookingEntity, endItem(stay)));
    return stay;
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
