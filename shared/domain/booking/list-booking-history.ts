import { isHostOf } from '../../platform/auth.ts';
import type { Context } from '../../platform/context.ts';
import { ServiceError } from '../../platform/errors.ts';
import { readUser } from '../customer/index.ts';
import { findHistory } from './booking.store.ts';
import type { BookingHistory } from './booking-history.schema.ts';
import { visibleBooking } from './get-booking.ts';
import { type Change, changesOf, hostUserOf, presentChange } from './present-history.ts';

/** Every change of a booking, or of a master's stays, oldest first, for the hosts of its team (D62b). */
export const listBookingHistory = async (ctx: Context, bookingId: number): Promise<BookingHistory> => {
  const [found, events] = await Promise.all([
    visibleBooking(ctx, bookingId),
    findHistory(ctx.table, bookingId),
  ]);
  const hosted = found.reservations.filter(({ team_id }) => isHostOf(ctx.caller, team_id));
  if (hosted.length === 0)
    throw new ServiceError('FORBIDDEN', 'The history is for the hosts of the booking.');
  const changes = changesOf(hosted, events);
  const names = await hostNames(ctx, changes);
  const reader = {
    host: (id: number) => ({ id, name: names.get(id) ?? null }),
    partner: (id: number) => ({ id, name: null }),
  };
  return { items: changes.map((change) => presentChange(change, reader)) };
};

const hostNames = async (
  { table }: Context,
  changes: readonly Change[],
): Promise<Map<number, string | undefined>> => {
  const ids = [...new Set(changes.map(hostUserOf).filter((id) => id !== null))];
  const named = ids.map(async (id) => [id, (await readUser(table, id))?.user.full_name] as const);
  return new Map(await Promise.all(named));
};
