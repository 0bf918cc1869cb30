import { instantText } from '../../platform/time/clock.ts';
import type { Context } from '../../platform/context.ts';
import { all, change, equals, lacks, retryOnConflict, type Write } from '../../platform/table/index.ts';
import { type Reservation, ReservationEntity } from './reservation.entity.ts';
import { needs } from './allowed-actions.rules.ts';
import { unchangedPrice } from './booking.rules.ts';
import type { BookingDetail } from './booking.schema.ts';
import { emitBookingEvent, requireOneTransaction } from './booking.store.ts';
import { hostedBooking } from './move-booking.ts';
import { presentDetail } from './present-booking.ts';
import { releasable, releaseRefusal } from './stay-refusals.rules.ts';

/**
 * Lets the guest of a booking, or of every stay of a master, read the access information within its times although the stay is
 * not paid (D109). One that was released before stays as it is. Throws INVALID_STATE_TRANSITION if no stay is
 * CONFIRMED or CHECKED_IN and still to end.
 */
export const releaseAccess = (ctx: Context, bookingId: number): Promise<BookingDetail> =>
  retryOnConflict(async () => {
    const found = await hostedBooking(ctx, bookingId, needs.RELEASE_ACCESS);
    const now = ctx.clock.now();
    const refusal = releaseRefusal(found.reservations, now);
    if (refusal) throw refusal;
    const released = releasable(found.reservations, now)
      .filter(({ access_released_at }) => access_released_at === undefined)
      .map((before) => releaseOf(ctx, before));
    const after = new Map(released.map((one) => [one.after.reservation_id, one.after]));
    const reservations = found.reservations.map((stay) => after.get(stay.reservation_id) ?? stay);
    const writes = requireOneTransaction(
      released.flatMap((one) => one.writes),
      'release the access of',
    );
    return ctx.commit(writes, await presentDetail(ctx, bookingId, { ...found, reservations }));
  });

const releaseOf = (ctx: Context, before: Reservation): { after: Reservation; writes: Write[] } => {
  const now = instantText(ctx.clock.now());
  const set = { access_released_at: now, updated_at: now };
  const after = { ...before, ...set };
  const when = all(equals('state', before.state), lacks('access_released_at'), unchangedPrice(before));
  return {
    after,
    writes: [
      change(ReservationEntity, before, { set }, { when }),
      emitBookingEvent(ctx, after, 'booking.access_released'),
    ],
  };
};
