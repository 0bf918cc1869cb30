import type { Context } from '../../platform/context.ts';
import { ServiceError } from '../../platform/errors.ts';
import { retryOnConflict } from '../../platform/table/index.ts';
import { paidFor, post, unpaidFor, untouched } from '../folio/model.ts';
import { transferUntil } from './book-order.ts';
import type { Order } from './order.entity.ts';
import type { Reservation } from './reservation.entity.ts';
import { fellThrough } from './booking-state.schema.ts';
import { emitBookingEvent, onlyStay, postedBy } from './booking.store.ts';
import type { Folio } from './folio.schema.ts';
import { commitFolio } from './get-folio.ts';
import { hostedBooking } from './move-booking.ts';
import { type MovedStay, movedStay } from './move-reservation.ts';
import { atPayEnd } from './unpaid-change.rules.ts';

/**
 * Takes a payment that a host recorded by mistake out of the folio of a stay (D127): a posting with its negative amount; what it
 * paid is due again, and a transfer of which nothing is paid has its time from now on (D85). `payment` is the number of its posting. Throws NOT_FOUND if the folio has no such payment of a host, and
 * INVALID_STATE_TRANSITION if it was refunded or corrected, or the stay fell through.
 */
export const correctPayment = (
  ctx: Context,
  bookingId: number,
  payment: number,
  reason: string,
): Promise<Folio> =>
  retryOnConflict(async () => {
    const found = await hostedBooking(ctx, bookingId, 'manage');
    const moved = correctionOf(ctx, found.order, onlyStay(found), { of: payment, reason });
    return commitFolio(ctx, bookingId, found, [moved]);
  });

const correctedAmount = (stay: Reservation, id: number): number => {
  const posted = stay.postings?.[id - 1];
  if (posted?.kind !== 'payment' || posted.collected_by !== 'HOST')
    throw new ServiceError('NOT_FOUND', 'The folio has no payment with this id that a host has recorded.');
  const payment = fellThrough(stay.state) ? undefined : untouched(stay, id);
  if (payment) return payment.amount;
  throw new ServiceError(
    'INVALID_STATE_TRANSITION',
    'The payment was refunded or corrected, or its booking fell through.',
    { state: stay.state },
  );
};

const correctionOf = (
  ctx: Context,
  { items }: Order,
  before: Reservation,
  { of, reason }: { of: number; reason: string },
): MovedStay => {
  const amount = correctedAmount(before, of);
  const posted = post(before, [{ kind: 'correction', amount: -amount, ...postedBy(ctx), of }]);
  const corrected = { ...before, ...posted };
  const item = items.find(({ reservation_id }) => reservation_id === before.reservation_id);
  const isToTransfer =
    before.payment_method === 'BANK_TRANSFER' &&
    paidFor(corrected) === 0 &&
    atPayEnd(corrected) !== undefined;
  const fields = {
    payment_status: unpaidFor(corrected) > 0 ? ('PENDING' as const) : before.payment_status,
    ...(item && isToTransfer ? { pay_until: transferUntil(item, ctx.clock.now()) } : {}),
    ...posted,
  };
  return movedStay(ctx, before, fields, (after) => [
    emitBookingEvent(ctx, after, 'payment.corrected', { amount, charge: null, reason }),
  ]);
};
