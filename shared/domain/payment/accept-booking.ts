import { callerRef } from '../../platform/auth.ts';
import type { Context } from '../../platform/context.ts';
import { ServiceError } from '../../platform/errors.ts';
import type { FinalOutcome } from '../../platform/payment/index.ts';
import { conditionCheck, equals, retryOnConflict } from '../../platform/table/index.ts';
import {
  hostedBooking,
  moveBooking,
  type MovedStay,
  presentDetail,
  readDetailSources,
} from '../booking/index.ts';
import {
  type BookingDetail,
  findPaid,
  type FoundBooking,
  needs,
  paymentOf,
  ReservationEntity,
} from '../booking/model.ts';
import { withGatewayCaller } from './book-charged.ts';
import { type PaidWrites, paidWrites } from './paid-writes.ts';
import { callGateway } from './payment-session.store.ts';
import type { Payment } from './payment.entity.ts';
import { movePayment, reconciliationIntervalMs, scheduleReconciliation } from './payment.store.ts';
import { reconcileSoon } from './reconcile-payments.ts';
import { settlePayment } from './settle-payment.ts';

/**
 * Accepts a booking, or every PENDING stay of a master, for its host (D86). An authorised payment is captured: the
 * acceptance is stored, the gateway is called, then the stay is CONFIRMED and PAID. Throws PAYMENT_DECLINED if the
 * capture fails, which cancels the stay; PAYMENT_GATEWAY_UNAVAILABLE while the gateway does not respond, after which the
 * schedule continues.
 */
export const acceptBooking = (ctx: Context, bookingId: number): Promise<BookingDetail> =>
  retryOnConflict(async () => {
    const found = await hostedBooking(ctx, bookingId, needs.CONFIRM);
    const waiting = waitingPayments(found);
    if (waiting.length === 0) return moveBooking(ctx, bookingId, 'confirm');
    await acceptPayments(ctx, found, waiting);
    const captures = await Promise.all(waiting.map((payment) => capture(ctx, payment)));
    if (captures.some(({ outcome }) => outcome.state === 'unpaid'))
      return declineAcceptance(ctx, bookingId, captures);
    return commitCaptured(ctx, bookingId, found, captures);
  });

interface CaptureResult {
  payment: Payment;
  outcome: FinalOutcome;
}

/** Returns the payments to capture for stays that await their host. */
const waitingPayments = (found: FoundBooking): Payment[] =>
  found.reservations
    .filter(({ state, authorised }) => state === 'PENDING' && authorised)
    .map((stay) => paymentOf(found, stay))
    .filter((payment) => payment !== undefined)
    .filter(({ state }) => state === 'AUTHORISED' || state === 'CAPTURING');

/**
 * Stores the acceptance while the stay is still PENDING; after a crash the schedule captures and confirms it, or cancels
 * it.
 */
const acceptPayments = async (
  ctx: Context,
  { order }: FoundBooking,
  waiting: readonly Payment[],
): Promise<void> => {
  const acceptedBy = callerRef(ctx.caller);
  const authorised = waiting.filter(({ state }) => state === 'AUTHORISED');
  await ctx.table.transact(
    authorised.flatMap((payment) => [
      movePayment(ctx, payment, 'capture', { accepted_by: acceptedBy }),
      conditionCheck(
        ReservationEntity,
        { order_id: order.order_id, reservation_id: payment.payment_id },
        { when: equals('state', 'PENDING') },
      ),
      scheduleReconciliation(payment.payment_id, ctx.clock.now() + reconciliationIntervalMs),
    ]),
  );
};

const capture = async (ctx: Context, payment: Payment): Promise<CaptureResult> => {
  const now = ctx.clock.now();
  return { payment, outcome: await callGateway(() => ctx.payments().capture({ ...payment, now })) };
};

/** Confirms and pays the stays in the transaction of the response, unless a report of the gateway has done so. */
const commitCaptured = async (
  ctx: Context,
  bookingId: number,
  before: FoundBooking,
  captures: readonly CaptureResult[],
): Promise<BookingDetail> => {
  const [sources, settled] = await Promise.all([
    readDetailSources(ctx, before),
    Promise.all(captures.map((one) => capturedWrites(ctx, one))),
  ]);
  const moved = new Map<number, MovedStay>(
    settled.flatMap((one) => one.moved ?? []).map((stay) => [stay.before.reservation_id, stay]),
  );
  const writes = settled.flatMap((one) => one.writes);
  if (moved.size < captures.length) {
    await ctx.table.transact(writes);
    return presentSettled(ctx, bookingId);
  }
  const reservations = before.reservations.map((stay) => moved.get(stay.reservation_id)?.after ?? stay);
  return ctx.commit(writes, await presentDetail(ctx, bookingId, { ...before, reservations }, sources));
};

const capturedWrites = async (ctx: Context, { payment, outcome }: CaptureResult): Promise<PaidWrites> => {
  const { payment_id, reference } = payment;
  if (outcome.state !== 'paid') throw new Error(`payment ${payment_id} is not captured`);
  const found = await findPaid(ctx.table, payment_id);
  return paidWrites(withGatewayCaller(ctx), found, { payment_id, reference, paid: outcome });
};

/**
 * Handles payments that a report has settled, or that were captured for a stay which was cancelled meanwhile and are
 * refunded.
 */
const presentSettled = async (ctx: Context, bookingId: number): Promise<BookingDetail> => {
  const found = await hostedBooking(ctx, bookingId, 'manage');
  const cancelled = found.reservations.filter(({ state, authorised }) => state === 'CANCELLED' && authorised);
  for (const { reservation_id } of cancelled) await reconcileSoon(ctx, reservation_id);
  if (found.reservations.every(({ state }) => state === 'CANCELLED'))
    return moveBooking(ctx, bookingId, 'confirm');
  return ctx.commit([], await presentDetail(ctx, bookingId, found));
};

/**
 * Handles a failed capture: each stay follows its own payment. A stay that was cancelled meanwhile does not count as
 * declined.
 */
const declineAcceptance = async (
  ctx: Context,
  bookingId: number,
  captures: readonly CaptureResult[],
): Promise<BookingDetail> => {
  const { reservations } = await hostedBooking(ctx, bookingId, 'manage');
  const waiting = new Set(
    reservations.filter(({ state }) => state === 'PENDING').map(({ reservation_id }) => reservation_id),
  );
  const refused = captures.flatMap(({ payment: { payment_id }, outcome }) =>
    outcome.state === 'unpaid' && waiting.has(payment_id) ? [{ payment_id, reason: outcome.reason }] : [],
  );
  for (const { payment, outcome } of captures) {
    await settlePayment(ctx, { ...payment, outcome });
    await reconcileSoon(ctx, payment.payment_id);
  }
  const [first] = refused;
  if (!first) return presentSettled(ctx, bookingId);
  throw new ServiceError(
    'PAYMENT_DECLINED',
    'The guest’s payment could not be taken, so the booking is cancelled and its time is free.',
    { reason: first.reason, bookings: refused.map(({ payment_id }) => payment_id) },
  );
};
