import { instantText } from '../../platform/time/clock.ts';
import type { Context } from '../../platform/context.ts';
import type { ServiceError } from '../../platform/errors.ts';
import { paidFor } from '../folio/model.ts';
import type { Reservation } from './reservation.entity.ts';
import { refundAt, refundOf } from './refund.rules.ts';
import { totalOf } from './booking.rules.ts';
import type { Cancellation } from './booking.schema.ts';
import type { FoundBooking } from './booking.store.ts';
import { cancellableStays, cancelRefusal, isByGuest } from './cancel-booking.ts';
import { stateOf } from './present-booking.ts';
import { visibleBooking } from './read-bookings.ts';
import { moveRefusal } from './stay-refusals.rules.ts';
import { endingTerms } from './terms.rules.ts';

/**
 * Returns what the caller's cancellation of a booking, or of every open stay of a master, refunds now and later (D48b,
 * D49).
 */
export const getCancellation = async (ctx: Context, bookingId: number): Promise<Cancellation> => {
  const found = await visibleBooking(ctx, bookingId);
  return cancellationOf(ctx, bookingId, found, cancelRefusal(ctx, found));
};

/**
 * Returns the same for a booking that was read; `refusal` is the error that its cancellation by this caller gets in any
 * case.
 */
export const cancellationOf = (
  ctx: Context,
  bookingId: number,
  found: FoundBooking,
  refusal: ServiceError | undefined,
): Cancellation => {
  const open = cancellableStays(found);
  const refused = refusal ?? moveRefusal(found.reservations, 'cancel', ctx.clock.now());
  return {
    booking_id: bookingId,
    state: stateOf(found.reservations.map(({ state }) => state)),
    can_cancel: !refused,
    refusal: refused ? { code: refused.code, message: refused.message } : null,
    paid: totalOf(found.reservations.map(paidFor)),
    ...(refused ? { refund_now: refundOf([]), schedule: [] } : refundsOf(ctx, open)),
    currency: found.order.currency,
  };
};

const refundsOf = (
  ctx: Context,
  open: readonly Reservation[],
): Pick<Cancellation, 'refund_now' | 'schedule'> => {
  const now = ctx.clock.now();
  const staysAt = (instant: number) =>
    open.map((before) => ({ before, refund: refundAt(before, instant, isByGuest(ctx, before)) }));
  const refundsAt = (instant: number) => staysAt(instant).map(({ refund }) => refund);
  const deadlines = open
    .filter((stay) => isByGuest(ctx, stay))
    .flatMap(endingTerms)
    .map(({ end }) => end)
    .filter((end) => end >= now);
  const ends = [...new Set(deadlines)].sort((one, other) => one - other);
  const last = ends.at(-1);
  return {
    refund_now: refundOf(staysAt(now)),
    schedule: [
      ...ends.map((end) => ({ until: instantText(end), refund: totalOf(refundsAt(end)) })),
      { until: null, refund: totalOf(refundsAt(last === undefined ? now : last + 1)) },
    ],
  };
};
