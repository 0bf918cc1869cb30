import type { Context } from '../../platform/context.ts';
import { invalid } from '../../platform/errors.ts';
import { fitsMinorUnit, larger, money, smaller, sum, toNumber, zero } from '../../platform/money.ts';
import { retryOnConflict } from '../../platform/table/index.ts';
import { dueFor, dueLaterFor, fitsFolio, takenPosting, unpaidFor } from '../folio/model.ts';
import type { Reservation } from './reservation.entity.ts';
import { fellThrough } from './booking-state.schema.ts';
import { needs } from './allowed-actions.rules.ts';
import { isLapsed, isUnpaid, waitsForPayment } from './booking.rules.ts';
import type { BookingDetail } from './booking.schema.ts';
import { type FoundBooking, postedBy } from './booking.store.ts';
import type { Folio, TakePaymentRequest } from './folio.schema.ts';
import { commitFolio } from './get-folio.ts';
import { commitMoved, hostedBooking } from './move-booking.ts';
import { markPaidRefusal, nothingDue, payableRefusal, takeRefusal } from './money-refusals.rules.ts';
import { type MovedStay, payReservation, postPayment } from './move-reservation.ts';

/**
 * Records that all that is due of a booking was paid on site or by transfer (D50), which accepts it. Throws
 * INVALID_STATE_TRANSITION if no payment is due, or while an online payment may still succeed, which would pay the stay twice.
 */
export const markPaid = (ctx: Context, bookingId: number): Promise<BookingDetail> =>
  retryOnConflict(async () => {
    const found = await hostedBooking(ctx, bookingId, needs.MARK_PAID);
    const refusal = markPaidRefusal(found);
    if (refusal) throw refusal;
    const moved = found.reservations.filter(waitsForPayment).map((before) => payReservation(ctx, before));
    return commitMoved(ctx, bookingId, found, moved, { verb: 'mark paid' });
  });

/**
 * Records money that was taken for a booking, or for the stays of a master in their order: a part of what is due, or all of it
 * (D127). Throws VALIDATION_ERROR for more than is due unless `overpaid` says so, and INVALID_STATE_TRANSITION where nothing is
 * due, while the host has not accepted the booking, and while an online payment, also of a change, may still succeed.
 */
export const takePayment = (ctx: Context, bookingId: number, given: TakePaymentRequest): Promise<Folio> =>
  retryOnConflict(async () => {
    const found = await hostedBooking(ctx, bookingId, needs.TAKE_PAYMENT);
    const refusal = takeRefusal(found, given.overpaid);
    if (refusal) throw refusal;
    const standing = found.reservations.filter(({ state }) => !fellThrough(state));
    const due = standing.filter(isUnpaid);
    const [payer] = due.length > 0 ? due : standing;
    if (!payer) throw nothingDue();
    requireFitting(ctx, given, due, payer);
    return commitFolio(ctx, bookingId, found, paymentsOf(ctx, given, due, payer));
  });

/** Returns the stays of a booking that a transfer can pay now, also those that lapsed. Throws INVALID_STATE_TRANSITION as {@link takePayment} does. */
export const payableStays = (found: FoundBooking): Reservation[] => {
  const due = found.reservations.filter((stay) => isUnpaid(stay) || isLapsed(stay));
  if (due.length === 0) throw nothingDue();
  const refusal = payableRefusal(found, due);
  if (refusal) throw refusal;
  return due;
};

/** Money that has come by a bank transfer. */
export interface TransferredMoney {
  amount: number;
  reference: string;
  received_at: string;
}

/** Returns the payment of stays in their order by a bank transfer, and what is left of it (D130). */
export const payByTransfer = (
  ctx: Context,
  due: readonly Reservation[],
  { amount, reference, received_at }: TransferredMoney,
  how: { keepsTime?: boolean } = {},
): { paid: MovedStay[]; rest: number } => {
  const used = smaller(money(amount), totalDue(due));
  const [payer] = due;
  const rest = toNumber(money(amount).minus(used));
  if (!payer || used.eq(0)) return { paid: [], rest };
  const given = { amount: toNumber(used), method: 'BANK_TRANSFER' as const, reference, received_at };
  return { paid: paymentsOf(ctx, given, due, payer, how), rest };
};

const totalDue = (stays: readonly Reservation[]) => sum(stays.map((stay) => money(unpaidFor(stay))));

const requireFitting = (
  { clock }: Context,
  { amount, received_at, overpaid = false }: TakePaymentRequest,
  due: readonly Reservation[],
  payer: Reservation,
): void => {
  const { currency } = payer;
  const most = totalDue(due);
  if (!fitsMinorUnit(amount, currency))
    throw invalid({ path: 'amount', message: `has more decimals than ${currency}` });
  if (most.lt(amount) && !overpaid)
    throw invalid({
      path: 'amount',
      message: `must be at most ${most.toFixed()} ${currency}, which is unpaid; or send overpaid`,
    });
  if (!fitsFolio(payer, money(amount), currency))
    throw invalid({ path: 'amount', message: 'is too large to be represented exactly' });
  if (received_at !== undefined && Date.parse(received_at) > clock.now())
    throw invalid({ path: 'received_at', message: 'must not be in the future' });
};

/** What is due of the stays is paid in their order, then what is due later; what is more than both is the first one's. */
const paymentsOf = (
  ctx: Context,
  { amount, method, reference, received_at }: TakePaymentRequest,
  due: readonly Reservation[],
  payer: Reservation,
  how: { keepsTime?: boolean } = {},
): MovedStay[] => {
  const posted = {
    ...postedBy(ctx),
    ...(reference === undefined ? {} : { reference }),
    ...(received_at === undefined ? {} : { received_at: Date.parse(received_at) }),
  };
  const dueNow = sum(due.map((stay) => money(dueFor(stay))));
  let now = smaller(money(amount), dueNow);
  let later = smaller(money(amount), totalDue(due)).minus(now);
  const credit = larger(zero, money(amount).minus(totalDue(due)));
  return [...new Set([payer, ...due])].flatMap((before) => {
    const nowPart = smaller(now, money(dueFor(before)));
    const laterPart = smaller(later, money(dueLaterFor(before)));
    now = now.minus(nowPart);
    later = later.minus(laterPart);
    const paid = toNumber(nowPart.plus(laterPart).plus(before === payer ? credit : zero));
    if (paid === 0) return [];
    return [postPayment(ctx, before, takenPosting({ payment_method: method }, paid, 'HOST', posted), how)];
  });
};
