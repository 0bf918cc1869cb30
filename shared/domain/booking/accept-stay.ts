import type { Context } from '../../platform/context.ts';
import { toInstant } from '../../platform/time.ts';
import { createPayment, openSession, type Payment, paymentWindowEnd } from '../payment/index.ts';
import { transferUntil } from './book-order.ts';
import type { Order, Reservation } from './booking.entity.ts';
import { type MovedStay, moveReservation } from './move-reservation.ts';
import { waitsForPayment } from './pay-reservation.ts';

/** A stay that its host accepts, with the payment that is opened by it. */
export interface AcceptedStay {
  moved: MovedStay;
  opened: Payment[];
}

/**
 * Accepts a stay for its host. One that is to be paid online can be paid from now on, at a page of its own, until the payment
 * window ends (D86); the window of a bank transfer begins too (D85). The page is opened first: if nothing is written after it,
 * its address is known to no one.
 */
export const acceptStay = async (
  ctx: Context,
  { items }: Pick<Order, 'items'>,
  before: Reservation,
): Promise<AcceptedStay> => {
  const item = items.find(({ reservation_id }) => reservation_id === before.reservation_id);
  if (item && before.payment_method === 'BANK_TRANSFER' && waitsForPayment(before)) {
    const pay_until = transferUntil(item, ctx.clock.now());
    return { moved: moveReservation(ctx, before, 'confirm', { given: { pay_until } }), opened: [] };
  }
  if (!before.pays_apart || !waitsForPayment(before))
    return { moved: moveReservation(ctx, before, 'confirm'), opened: [] };
  const { reservation_id: payment_id, total: amount, currency, start_at, timezone } = before;
  const ends_at = paymentWindowEnd(ctx.clock.now(), [toInstant(start_at, timezone)]);
  const payment = await openSession(ctx, { payment_id, amount, currency }, ends_at);
  const moved = moveReservation(ctx, before, 'confirm', { given: { pay_until: payment.ends_at } });
  return {
    moved: { ...moved, writes: [...moved.writes, ...createPayment(ctx, payment)] },
    opened: [payment],
  };
};
