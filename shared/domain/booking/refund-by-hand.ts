import type { Context } from '../../platform/context.ts';
import { invalid, ServiceError } from '../../platform/errors.ts';
import { fitsMinorUnit } from '../../platform/money.ts';
import { retryOnConflict, type Write } from '../../platform/table/index.ts';
import { post, withReturned } from '../folio/model.ts';
import { scheduleRefunds } from '../payment/model.ts';
import { fellThrough } from './booking-state.schema.ts';
import { needs } from './allowed-actions.rules.ts';
import { emitBookingEvent, onlyStay, postedBy } from './booking.store.ts';
import type { Folio, RefundRequest, ReturnedRequest } from './folio.schema.ts';
import { commitFolio } from './get-folio.ts';
import { hostedBooking } from './move-booking.ts';
import { refundable, refundRefusal, returnRefusal, sourceOf } from './money-refusals.rules.ts';
import { movedStay } from './move-reservation.ts';
import { emitRefundElsewhere } from './refund-elsewhere.ts';
import { endedStatus, postRefunds } from './refund.rules.ts';
import type { Reservation } from './reservation.entity.ts';

/**
 * Refunds what was paid for a stay above its price, or of what was kept of one that fell through (D127): through the gateway what
 * came so, unless a method says how the host hands it over. Throws INVALID_STATE_TRANSITION where nothing can be refunded,
 * NOT_FOUND for a posting that is no payment, and VALIDATION_ERROR for more than is there.
 */
export const refundBooking = (ctx: Context, bookingId: number, given: RefundRequest): Promise<Folio> =>
  retryOnConflict(async () => {
    const found = await hostedBooking(ctx, bookingId, needs.REFUND);
    const before = onlyStay(found);
    const { amount, reason, posting_id: of, method, returned: isReturned } = given;
    requireRefundable(before, amount, of);
    const byHand = { isReturned, ...(method === undefined ? {} : { method }) };
    const refundAsked = { before, refund: amount, byHand, isFrom: sourceOf(of) };
    const posted = postedBy(ctx);
    const isEnded = fellThrough(before.state);
    const {
      posted: [refund],
      requests,
    } = postRefunds([refundAsked], {
      ...{ kind: 'refund', reason, posted },
      first: isEnded ? [{ kind: 'fee', amount: -amount, ...posted }] : [],
    });
    const fields = post(before, refund?.postings ?? []);
    const status = isEnded ? { payment_status: endedStatus({ ...before, ...fields }) } : {};
    const handed = (refund?.postings ?? []).filter(({ kind, is_due }) => kind === 'refund' && !is_due);
    const moved = movedStay(ctx, before, { ...fields, ...status }, (after) => [
      ...emitRefundElsewhere(ctx, refundAsked, after, reason),
      ...(isReturned ? handed.map((one) => returnedEvent(ctx, after, one.amount)) : []),
    ]);
    const writes = [...moved.writes, ...scheduleRefunds(ctx, requests)];
    return commitFolio(ctx, bookingId, found, [{ ...moved, writes }]);
  });

const returnedEvent = (ctx: Context, after: Reservation, amount: number): Write =>
  emitBookingEvent(ctx, after, 'payment.returned', { amount, charge: null });

const requireRefundable = (stay: Reservation, amount: number, of: number | undefined): void => {
  const refusal = refundRefusal(stay);
  if (refusal) throw refusal;
  const { currency, postings } = stay;
  if (of !== undefined && postings?.[of - 1]?.kind !== 'payment')
    throw new ServiceError('NOT_FOUND', 'The folio has no payment with this id.');
  const left = refundable(stay, of);
  const path = 'amount';
  if (amount > left) throw invalid({ path, message: `must be at most ${left} ${currency}` });
  if (!fitsMinorUnit(amount, currency))
    throw invalid({ path, message: `has more decimals than ${currency}` });
};

/**
 * Records that the host has handed over a refund (D127), by the number of its posting. Throws NOT_FOUND if the folio has no such
 * refund, and INVALID_STATE_TRANSITION if it was returned before, or the gateway or a partner makes it.
 */
export const returnRefund = (
  ctx: Context,
  bookingId: number,
  id: number,
  { method, reference }: ReturnedRequest = {},
): Promise<Folio> =>
  retryOnConflict(async () => {
    const found = await hostedBooking(ctx, bookingId, 'operate');
    const before = onlyStay(found);
    const refund = before.postings?.[id - 1];
    if (refund?.kind !== 'refund')
      throw new ServiceError('NOT_FOUND', 'The folio has no refund with this id.');
    const refusal = returnRefusal(before, id);
    if (refusal) throw refusal;
    const how = {
      ...(method === undefined ? {} : { method }),
      ...(reference === undefined ? {} : { reference }),
    };
    const moved = movedStay(ctx, before, withReturned(before, id, how), (after) => [
      returnedEvent(ctx, after, refund.amount),
    ]);
    return commitFolio(ctx, bookingId, found, [moved]);
  });
