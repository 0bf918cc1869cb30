import type { Context, Dependencies } from '../../platform/context.ts';
import { remove, sortable, untilWon } from '../../platform/table/index.ts';
import { cancelReservations } from './cancel-booking.ts';
import { findBooking } from './booking.store.ts';
import { type PendingBooking, PendingBookingEntity, pendingBookings } from './pending-booking.entity.ts';

const atOnce = 100;

/** Cancels the bookings that no host accepted within 24 hours (D46); each in a transaction of its own, so a crash loses nothing. */
export const expirePendingBookings = async (deps: Dependencies): Promise<{ cancelled: number }> => {
  const { items } = await deps.table.query({
    pk: pendingBookings,
    to: `${sortable(deps.clock.now())}~`,
    limit: atOnce,
  });
  let cancelled = 0;
  for (const due of items as unknown as PendingBooking[]) if (await expire(deps, due)) cancelled++;
  return { cancelled };
};

const expire = (deps: Dependencies, due: PendingBooking): Promise<boolean> =>
  untilWon(async () => {
    const ctx = systemContext(deps);
    const found = await findBooking(deps.table, due.reservation_id);
    if (found?.reservations[0]?.state !== 'PENDING') {
      await deps.table.transact([remove(PendingBookingEntity, due)]);
      return false;
    }
    const { writes } = await cancelReservations(ctx, found, 'The host did not accept in time.');
    await deps.table.transact(writes);
    return true;
  });

const systemContext = (deps: Dependencies): Context => ({
  ...deps,
  caller: { kind: 'system', name: 'expire-pending-bookings' },
  requestId: 'expire-pending-bookings',
  teamHeader: undefined,
  commit: async (writes, body) => {
    await deps.table.transact(writes);
    return body;
  },
});
