import type { Context } from '../../platform/context.ts';
import { balanceOf } from '../folio/model.ts';
import type { Order } from './order.entity.ts';
import type { Reservation } from './reservation.entity.ts';
import { totalOf } from './booking.rules.ts';
import type { Folio } from './folio.schema.ts';
import { type FoundBooking, requireOneTransaction } from './booking.store.ts';
import { handoverOf } from './handover.rules.ts';
import { hostedBooking } from './move-booking.ts';
import type { MovedStay } from './move-reservation.ts';
import { moneyOf, paymentStatusOf } from './present-booking.ts';
import { depositsOf } from './security-deposit.rules.ts';
import { isUnpaidEnd, shownPostings } from './shown-postings.rules.ts';

/** Returns what a booking, or the stays of a master, cost, and what was paid and refunded (D126). One Query. */
export const getFolio = async (ctx: Context, bookingId: number): Promise<Folio> =>
  (await readFolio(ctx, bookingId)).folio;

/** Reads the same with the order and its stays. */
export const readFolio = async (
  ctx: Context,
  bookingId: number,
): Promise<Pick<FoundBooking, 'order' | 'reservations'> & { folio: Folio }> => {
  const { order, reservations } = await hostedBooking(ctx, bookingId, 'read');
  return { order, reservations, folio: presentFolio(ctx, bookingId, order, reservations) };
};

/** Commits what was posted to stays with the folio of the booking afterwards. */
export const commitFolio = (
  ctx: Context,
  bookingId: number,
  { order, reservations }: FoundBooking,
  moved: readonly MovedStay[],
): Promise<Folio> => {
  const after = new Map(moved.map((stay) => [stay.before.reservation_id, stay.after]));
  const stays = reservations.map((stay) => after.get(stay.reservation_id) ?? stay);
  return ctx.commit(
    requireOneTransaction(
      moved.flatMap(({ writes }) => writes),
      'post to',
    ),
    presentFolio(ctx, bookingId, order, stays),
  );
};

const presentFolio = (
  { clock }: Pick<Context, 'clock'>,
  bookingId: number,
  order: Order,
  stays: readonly Reservation[],
): Folio => ({
  booking_id: bookingId,
  currency: stays[0]?.currency ?? '',
  payment_status: paymentStatusOf(stays),
  balance: totalOf(stays.map((stay) => (isUnpaidEnd(stay) ? 0 : balanceOf(stay)))),
  ...moneyOf(stays),
  amount_to_return: handoverOf(stays).amount_to_return,
  security_deposit: depositsOf(order, stays, clock.now()),
  postings: stays.flatMap(shownPostings),
});
