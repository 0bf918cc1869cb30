import { callerRef } from '../../platform/auth.ts';
import type { Context } from '../../platform/context.ts';
import { invalid, ServiceError } from '../../platform/errors.ts';
import { orderPartition } from '../../platform/ids.ts';
import { fitsMinorUnit, money, toNumber } from '../../platform/money.ts';
import { retryOnConflict } from '../../platform/table/index.ts';
import { recordEvent } from '../../record-event.ts';
import { fitsFolio, type Posting, post, unpaidFor, untouched } from '../folio/model.ts';
import { fellThrough } from './booking-state.schema.ts';
import { needs } from './allowed-actions.rules.ts';
import { bookingEventData, onlyStay, postedBy } from './booking.store.ts';
import type { ChargeRequest, Folio } from './folio.schema.ts';
import { commitFolio } from './get-folio.ts';
import { hostedBooking } from './move-booking.ts';
import { chargeRefusal, notChargeable } from './money-refusals.rules.ts';
import { type MovedStay, movedStay } from './move-reservation.ts';
import type { Reservation } from './reservation.entity.ts';

/**
 * Charges a booking for something beside its price (D127): it is due at once, and not refunded by the terms, which are of the
 * price. Throws INVALID_STATE_TRANSITION while the host has not accepted the booking, while the guest may still pay online, and
 * once it fell through.
 */
export const addCharge = (ctx: Context, bookingId: number, given: ChargeRequest): Promise<Folio> =>
  retryOnConflict(async () => {
    const found = await hostedBooking(ctx, bookingId, needs.ADD_CHARGE);
    const before = onlyStay(found);
    const refusal = chargeRefusal(found, before);
    if (refusal) throw refusal;
    const { currency } = before;
    const { label, amount: each, quantity = 1 } = given;
    const amount = money(each).times(quantity);
    if (!fitsMinorUnit(each, currency))
      throw invalid({ path: 'amount', message: `has more decimals than ${currency}` });
    if (!fitsFolio(before, amount, currency))
      throw invalid({ path: 'amount', message: 'is too large to be represented exactly' });
    const charge = { kind: 'charge' as const, amount: toNumber(amount), ...postedBy(ctx), label, quantity };
    const why = quantity === 1 ? label : `${quantity} × ${label}`;
    return commitFolio(ctx, bookingId, found, [charged(ctx, before, charge, why)]);
  });

/**
 * Takes a charge out again (D127), by the number of its posting: what was paid for it is credit. Throws NOT_FOUND if the folio has
 * no such charge, and INVALID_STATE_TRANSITION if it was taken out before, or the booking fell through.
 */
export const removeCharge = (ctx: Context, bookingId: number, id: number, reason: string): Promise<Folio> =>
  retryOnConflict(async () => {
    const found = await hostedBooking(ctx, bookingId, 'manage');
    const before = onlyStay(found);
    const posted = before.postings?.[id - 1];
    if (posted?.kind !== 'charge' || posted.of !== undefined)
      throw new ServiceError('NOT_FOUND', 'The folio has no charge with this id.');
    if (fellThrough(before.state) || !untouched(before, id)) throw notChargeable(before);
    const removal = { kind: 'charge' as const, amount: -posted.amount, ...postedBy(ctx), of: id };
    return commitFolio(ctx, bookingId, found, [charged(ctx, before, removal, reason)]);
  });

const charged = (ctx: Context, before: Reservation, charge: Posting, reason: string): MovedStay => {
  const posted = post(before, [charge]);
  const after = { ...before, ...posted };
  const fields = {
    payment_status: unpaidFor(after) > 0 ? ('PENDING' as const) : ('PAID' as const),
    ...posted,
  };
  return movedStay(ctx, before, fields, (after) => [
    recordEvent(ctx, {
      actor: callerRef(ctx.caller),
      subject: orderPartition(after.order_id),
      team_id: after.team_id,
      event_type: 'booking.charged',
      data: { ...bookingEventData(after), amount: charge.amount, reason },
    }),
  ]);
};
