import type { Context } from '../../platform/context.ts';
import { recordMetric } from '../../platform/metrics/index.ts';
import { money, smaller, toNumber } from '../../platform/money.ts';
import {
  type FinalOutcome,
  GatewayUnavailable,
  type OpenedPayment,
  type Outcome,
} from '../../platform/payment/index.ts';
import { retryOnConflict, type Write } from '../../platform/table/index.ts';
import { hourMs } from '../../platform/time/time.ts';
import { type MovedStay, type PostedDeposit, postDeposit } from '../booking/index.ts';
import {
  authorisedUntil,
  fellThrough,
  findPaid,
  frozenDeposit,
  type FoundOrder,
  type Reservation,
  takesDeposit,
} from '../booking/model.ts';
import { mostOfDeposit } from '../folio/model.ts';
import { withGatewayCaller } from './book-charged.ts';
import type { Payment } from './payment.entity.ts';
import { mayMovePayment } from './payment.rules.ts';
import { movePayment, reconciliationIntervalMs } from './payment.store.ts';

/** How often the gateway is asked whether a deposit is still authorised: cards end that after some days. */
const lookIntervalMs = 6 * hourMs;

/** How long after its end a page is asked about that the gateway does not close. */
const longestLateMs = hourMs;

/** A deposit at the gateway; the stay is absent where another page has replaced this one. */
interface Held {
  payment: Payment;
  stay: Reservation | undefined;
}

/**
 * Asks the gateway about the security deposit of a stay (D131): notes that it was authorised on its page, captures or releases what
 * was decided, releases it 48 hours after check-out and when the stay fell through unused, and notes that it has ended. What no stay
 * takes is voided. Returns when to ask again; undefined: never.
 */
export const reconcileDeposit = (from: Context, paymentId: number): Promise<number | undefined> =>
  retryOnConflict(async () => {
    const ctx = withGatewayCaller(from);
    const found = await findPaid(ctx.table, paymentId);
    const [stay] = found.reservations;
    const { payment } = found;
    if (!payment || !(mayMovePayment(payment.state, 'expire') || mayMovePayment(payment.state, 'void')))
      return undefined;
    const isCurrent = stay?.deposit_hold?.payment_id === paymentId;
    const held = { payment, stay: isCurrent ? stay : undefined };
    const outcome = await askAbout(ctx, held, found);
    if (outcome === 'later') return ctx.clock.now() + reconciliationIntervalMs;
    if (outcome.state !== 'authorised') {
      await ctx.table.transact(
        held.stay ? endedHold(ctx, payment, held.stay, outcome).writes : [endUnused(ctx, payment, outcome)],
      );
      return undefined;
    }
    if (payment.state === 'OPEN') await ctx.table.transact(authorisedWrites(ctx, held));
    return Math.min(ctx.clock.now() + lookIntervalMs, held.stay ? authorisedUntil(held.stay) : Infinity);
  });

/** Returns what has become of a deposit; authorised: it stays so. */
const askAbout = async (
  ctx: Context,
  { payment, stay }: Held,
  { order }: FoundOrder,
): Promise<Outcome | 'later'> => {
  if (payment.state === 'CAPTURING') return decidedAtGateway(ctx, payment);
  const gateway = ctx.payments();
  const opened = { ...payment, now: ctx.clock.now() };
  const found = await gateway.find(opened);
  const isWanted = stay !== undefined && isTaken(payment, stay, order, opened.now);
  if (found.state === 'authorised' && isWanted) return found;
  if (found.state === 'unpaid') {
    if (found.final) return found;
    if (isWanted && opened.now < payment.ends_at) return 'later';
  }
  const closed = await gateway.close(opened);
  const isOpen = closed.state === 'unpaid' && !closed.final;
  return isOpen && opened.now < payment.ends_at + longestLateMs ? 'later' : closed;
};

/** Whether the stay still takes the deposit, and has room for it. */
const isTaken = (
  { amount }: Payment,
  stay: Reservation,
  order: FoundOrder['order'],
  now: number,
): boolean => {
  const { deposit_hold: hold } = stay;
  if (hold?.is_released || now >= authorisedUntil(stay)) return false;
  // By the stay: another run may have noted the authorisation since the payment was read.
  if (hold?.ends_at === undefined) return true;
  const left = order ? mostOfDeposit(stay, 'TAKE', frozenDeposit(order, stay), true) : 0;
  return takesDeposit(stay) && amount <= left;
};

/** Has the gateway do what was decided. Both calls may be repeated. */
export const decidedAtGateway = async (ctx: Context, payment: Payment): Promise<FinalOutcome> => {
  const opened = { ...payment, now: ctx.clock.now() };
  const outcome = await (payment.captures === 0 ? ctx.payments().close(opened) : captured(ctx, opened));
  if (outcome.state === 'unpaid' && !outcome.final) throw new GatewayUnavailable('the deposit is still open');
  return outcome;
};

/** What cannot be captured does not stay authorised. */
const captured = async (ctx: Context, opened: OpenedPayment): Promise<FinalOutcome> => {
  const outcome = await ctx.payments().capture(opened);
  if (outcome.state === 'paid' || !outcome.final) return outcome;
  const closed = await ctx.payments().close(opened);
  return closed.state === 'paid' ? closed : { ...closed, reason: outcome.reason };
};

const ofCard = ({ payment_id }: Payment): Pick<PostedDeposit, 'method' | 'payment_id'> => ({
  method: 'ONLINE_GATEWAY',
  payment_id,
});

const authorisedWrites = (ctx: Context, { payment, stay }: Held): Write[] => {
  if (!stay) return [];
  const { payment_id, amount } = payment;
  const taken: PostedDeposit = { action: 'TAKE', amount, ...ofCard(payment) };
  const moved = postDeposit(ctx, stay, [taken], { deposit_hold: { payment_id, amount } });
  return [movePayment(ctx, payment, 'authorise', { url: null }), ...moved.writes];
};

/** Returns the write of a payment that ends at the gateway. */
const endWrite = (ctx: Context, payment: Payment, outcome: FinalOutcome): Write => {
  if (outcome.state === 'unpaid')
    return movePayment(ctx, payment, payment.state === 'OPEN' ? 'expire' : 'void');
  const { transaction_id, amount } = outcome;
  return movePayment(ctx, payment, 'pay', { transaction_id, amount });
};

/** The same of a payment that no stay has. Only by hand, at the gateway, could it be captured: a person has to return it. */
const endUnused = (ctx: Context, payment: Payment, outcome: FinalOutcome): Write => {
  if (outcome.state === 'paid') {
    recordMetric('payment_attention', 1, { what: 'deposit_unused' });
    ctx.log.error('A deposit was captured that no booking has.', {
      payment_id: payment.payment_id,
      ...outcome,
    });
  }
  return endWrite(ctx, payment, outcome);
};

/** Returns a stay whose deposit ends at the gateway, with the writes of both. */
export const endedHold = (
  ctx: Context,
  payment: Payment,
  stay: Reservation,
  outcome: FinalOutcome,
): MovedStay => {
  const { accepted_by: actor } = payment;
  const moved = postDeposit(ctx, stay, endOf(ctx, payment, stay, outcome), {
    deposit_hold: undefined,
    ...(actor === undefined ? {} : { actor }),
  });
  return { ...moved, writes: [endWrite(ctx, payment, outcome), ...moved.writes] };
};

const endOf = (ctx: Context, payment: Payment, stay: Reservation, outcome: FinalOutcome): PostedDeposit[] => {
  const { amount, state } = payment;
  const card = ofCard(payment);
  const isPosted = state !== 'OPEN';
  if (outcome.state === 'unpaid') {
    const reason = whyEnded(ctx, payment, stay, outcome.reason);
    if (isPosted) return [{ action: 'RETURN', amount, reason, ...card }];
    return takesDeposit(stay) ? [{ action: 'FAIL', amount, reason }] : [];
  }
  const kept = toNumber(smaller(money(outcome.amount), money(amount)));
  const rest = toNumber(money(amount).minus(kept));
  const reason = stay.deposit_hold?.note ?? 'It was captured at the gateway.';
  return [
    ...(isPosted ? [] : [{ action: 'TAKE' as const, amount, ...card }]),
    { action: 'KEEP', amount: kept, reason, ...card, reference: outcome.transaction_id },
    ...(rest === 0 ? [] : [{ action: 'RETURN' as const, amount: rest, ...card }]),
  ];
};

const whyEnded = (
  { clock }: Context,
  { state, captures }: Payment,
  stay: Reservation,
  reason: string,
): string | undefined => {
  if (captures !== undefined)
    return captures === 0 ? stay.deposit_hold?.note : `It could not be captured: ${reason}`;
  if (fellThrough(stay.state)) return 'The booking fell through.';
  if (clock.now() >= authorisedUntil(stay)) return '48 hours have passed since check-out.';
  return state === 'OPEN' ? 'It was not authorised.' : 'The authorisation has ended.';
};
