import type { Context } from '../../platform/context.ts';
import { toInstant } from '../../platform/time.ts';
import { createPayment, openSession, type Payment, paymentWindowEnd } from '../payment/index.ts';
import type { Reservation } from './booking.entity.ts';
import { type MovedStay, moveReservation } from './move-reservation.ts';
import { waitsForPayment } from './pay-reservation.ts';

/** A stay that its host accepts, with the payment that is opened by it. */
export interface AcceptedStay {
  moved: MovedStay;
  opened: Payment[];
}

/**
 * Accepts a stay for its host. One that is to be paid online can be paid from now on, at a page of its own, until the payment
 * window ends (D86). The page is opened first: if nothing is written after it, its address is known to no one.
 */
export const acceptStay = async (ctx: Context, before: Reservation): Promise<AcceptedStay> => {
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
