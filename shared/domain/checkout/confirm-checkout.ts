import { callerRef, type UserCaller } from '../../platform/auth.ts';
import type { Context } from '../../platform/context.ts';
import { invalid, ServiceError } from '../../platform/errors.ts';
import { ConflictError, remove, retryOnConflict } from '../../platform/table/index.ts';
import type { Guest, Order } from '../booking/model.ts';
import { confirmHolds, extendHolds } from '../calendar/index.ts';
import { AvailabilityEntryEntity } from '../calendar/model.ts';
import { requireVerified } from '../people/index.ts';
import type { CheckoutItem, OrderQuote } from '../pricing/model.ts';
import { bookClaim, type Claim } from './book-claim.ts';
import type { Confirmation, ConfirmRequest } from './checkout.schema.ts';
import { isLive, lockMs } from './checkout.store.ts';
import type { UnpaidStays } from './checkout.store.ts';
import { countUnpaid, unpaidRead } from './count-unpaid.ts';
import { draftOrder } from './draft-order.ts';
import { atHeldPrices, heldPreview, heldQuote, holdsExactly } from './held-stays.ts';
import { holdAll, loadOffers, type Offers, ordersInTheWay, takeAll } from './load-offers.ts';
import { chargeAndBook, resumeCharge } from './pay-by-token.ts';
import { bookUnpaid } from './pay-online.ts';
import { presentWanted } from './preview-checkout.ts';
import { listingNotFound, requireExpectedTotal, requireMethod } from './refusals.ts';
import { findCheckout, releaseWrites } from './release-checkout.ts';

type Confirm = (ctx: Context<UserCaller>, request: ConfirmRequest) => Promise<Confirmation>;

/**
 * Books an order, all or nothing (D45, D46): with the caller's live soft lock at its held price, otherwise at the present
 * one when the time is free. Booking and lock change hands in one transaction, so no hour is ever taken twice (D32).
 */
export const confirmCheckout: Confirm = async (ctx, request) => {
  await requireVerified(ctx);
  return retryOnConflict(async () => {
    const begun = request.payment_gateway_token === undefined ? undefined : await ctx.startedOrderId();
    if (begun !== undefined) return resumeCharge(ctx, request, begun);
    return request.checkout_id === undefined
      ? confirmItems(ctx, request)
      : confirmLock(ctx, request, request.checkout_id);
  });
};

const confirmLock = async (
  ctx: Context<UserCaller>,
  request: ConfirmRequest,
  checkoutId: number,
): Promise<Confirmation> => {
  const { order, extras } = await findCheckout(ctx, checkoutId, unpaidRead(ctx, request));
  const [unpaid] = extras;
  if (order.state === 'BOOKED')
    throw new ServiceError('INVALID_STATE_TRANSITION', 'The checkout is confirmed already.');
  if (order.state === 'CHARGING') return resumeCharge(ctx, request, order.order_id);
  if (order.state === 'RELEASED') throw new ServiceError('CHECKOUT_EXPIRED', 'The checkout was released.');
  if (
    request.items &&
    !holdsExactly(
      order,
      request.items.map((item) => ({ request: item })),
    )
  ) {
    throw invalid({ path: 'items', message: 'items are not those of the checkout; they may be left out' });
  }
  if (request.currency !== undefined && request.currency !== order.currency) {
    throw invalid({ path: 'currency', message: `the checkout is priced in ${order.currency}` });
  }
  if (!isLive(order, ctx.clock.now())) return confirmLapsed(ctx, request, order);
  try {
    return await confirmHeld(ctx, request, { order, unpaid }, () => new LockGone());
  } catch (error) {
    if (error instanceof LockGone) return confirmLapsed(ctx, request, order);
    throw error;
  }
};

/** A live lock, with what was read along to count its stays. */
interface Held {
  order: Order;
  unpaid: UnpaidStays | undefined;
}

/** The lock lives: no listing, price or calendar is read, the held price is charged (D43). */
const confirmHeld = async (
  ctx: Context<UserCaller>,
  request: ConfirmRequest,
  { order, unpaid }: Held,
  lost: () => Error,
): Promise<Confirmation> => {
  requireExpectedTotal(request.expected_total, () => heldPreview(order));
  const now = ctx.clock.now();
  if (!isCharge(request)) {
    const calendar = confirmHolds(order.items, now, lost);
    return book(ctx, request, { order, isNew: false, calendar }, unpaid);
  }
  const until = Math.max(order.locked_until, now + lockMs());
  const calendar = extendHolds(order.items, until, now, lost);
  return book(ctx, request, { order: { ...order, locked_until: until }, isNew: false, calendar });
};

class LockGone extends Error {}

/** The lock is over: booked at the present price when the time is still free, else CHECKOUT_EXPIRED (D45). */
const confirmLapsed = async (
  ctx: Context<UserCaller>,
  request: ConfirmRequest,
  lapsed: Order,
): Promise<Confirmation> => {
  const items = lapsed.items.map((item) => item.request);
  const loaded = await offersOf(ctx, { ...request, items });
  const before = (): OrderQuote => heldQuote(lapsed);
  requireExpectedTotal(request.expected_total, () => presentWanted(ctx, loaded), before);
  await loaded.draft.complete(ctx.table, lapsed.items);
  for (const item of lapsed.items) loaded.draft.releaseHold(item);
  const old = lapsed.items.map((item) => remove(AvailabilityEntryEntity, item));
  try {
    const { order, calendar } = claimed(ctx, request, loaded, lapsed.order_id);
    return await book(
      ctx,
      request,
      { order, isNew: false, calendar: [...calendar, ...old] },
      loaded.extras[0],
    );
  } catch (error) {
    if (!(error instanceof ServiceError) || error.code !== 'LISTING_NOT_AVAILABLE') throw error;
    await requireHeld(ctx, lapsed);
    throw new ServiceError('CHECKOUT_EXPIRED', undefined, error.details);
  }
};

/** What is taken may be taken by this very checkout, confirmed twice at once: then it has not expired. */
const requireHeld = async (ctx: Context<UserCaller>, { order_id }: Order): Promise<void> => {
  const { order } = await findCheckout(ctx, order_id);
  if (order.state !== 'HELD') throw new ConflictError('Order');
};

/**
 * Without a checkout id: the caller's own lock on exactly these stays is used; any other of theirs in the way is given up,
 * and what it held of these stays is charged as it was held (D43, D45).
 */
const confirmItems = async (ctx: Context<UserCaller>, request: ConfirmRequest): Promise<Confirmation> => {
  const present = await offersOf(ctx, { ...request, items: request.items ?? [] });
  const own = await ordersInTheWay(ctx, present);
  const charging = own.find((order) => order.state === 'CHARGING' && holdsExactly(order, present.offers));
  if (charging && request.payment_gateway_token !== undefined)
    return resumeCharge(ctx, request, charging.order_id);
  const live = own.filter((order) => isLive(order, ctx.clock.now()));
  const held = live.find((order) => holdsExactly(order, present.offers));
  if (held)
    return confirmHeld(
      ctx,
      request,
      { order: held, unpaid: present.extras[0] },
      () => new ConflictError('CalendarMonth'),
    );
  const loaded = atHeldPrices(present, live);
  const released = await releaseWrites(ctx, own, loaded.draft);
  const { order, calendar } = claimed(ctx, request, loaded);
  requireExpectedTotal(request.expected_total, () => presentWanted(ctx, loaded));
  return book(ctx, request, { order, isNew: true, calendar: [...calendar, ...released] }, present.extras[0]);
};

/** A charge by token holds the time while the gateway is asked; whatever else takes it for good. */
const isCharge = ({ payment_method, payment_gateway_token }: ConfirmRequest): boolean =>
  payment_method === 'ONLINE_GATEWAY' && payment_gateway_token !== undefined;

/** An order of the offers, with their time held for its charge, or taken: whoever loses has had nothing frozen. */
const claimed = (
  ctx: Context,
  request: ConfirmRequest,
  loaded: Offers,
  orderId?: number,
): Pick<Claim, 'order' | 'calendar'> => {
  const now = ctx.clock.now();
  if (!isCharge(request)) takeAll(loaded, callerRef(ctx.caller));
  const order = draftOrder(ctx, loaded, isCharge(request) ? now + lockMs() : now, orderId);
  if (isCharge(request)) holdAll(order, loaded.draft);
  return { order, calendar: loaded.draft.writes() };
};

const offersOf = (
  ctx: Context<UserCaller>,
  { items, currency, ...request }: ConfirmRequest & { items: readonly CheckoutItem[] },
): Promise<Offers<UnpaidStays>> =>
  loadOffers(ctx, { items, currency, missing: listingNotFound, extras: unpaidRead(ctx, request) });

const book = async (
  ctx: Context<UserCaller>,
  request: ConfirmRequest,
  claim: Claim,
  unpaid?: UnpaidStays,
): Promise<Confirmation> => {
  const guest = guestOf(ctx.caller, request);
  const { payment_method, payment_gateway_token: token } = request;
  requireMethod(payment_method, claim.order);
  if (token !== undefined) return chargeAndBook(ctx, claim, guest, token);
  const counted = await countUnpaid(ctx, unpaid, claim.order);
  const counting = { ...claim, calendar: [...claim.calendar, ...counted] };
  return payment_method === 'ONLINE_GATEWAY'
    ? bookUnpaid(ctx, counting, guest)
    : bookClaim(ctx, counting, { guest, payment_method, payment_status: 'PENDING' });
};

const guestOf = (
  { user_id, full_name, phone, email, language }: UserCaller,
  { note, arrival_time }: ConfirmRequest,
): Guest => ({
  user_id,
  full_name,
  phone,
  email,
  language,
  note,
  arrival_time,
});
