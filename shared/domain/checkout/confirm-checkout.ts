import { callerRef, type UserCaller } from '../../platform/auth.ts';
import type { Context } from '../../platform/context.ts';
import { invalid, ServiceError } from '../../platform/errors.ts';
import { ConflictError, remove, retryOnConflict } from '../../platform/table/index.ts';
import type { Guest, Order } from '../booking/model.ts';
import { confirmHolds, extendHolds } from '../calendar/index.ts';
import { AvailabilityEntryEntity } from '../calendar/model.ts';
import { customerNamesOf, requireVerified } from '../people/index.ts';
import type { CheckoutItem, OrderQuote } from '../pricing/model.ts';
import { bookPendingOrder, type PendingOrder } from './book-pending-order.ts';
import type { Confirmation, ConfirmRequest } from './checkout.schema.ts';
import { isLiveOrder, softLockMs } from './soft-lock.rules.ts';
import type { UnpaidStays } from './checkout.store.ts';
import { countUnpaid, unpaidRead } from './count-unpaid.ts';
import { draftOrder } from './draft-order.ts';
import { atHeldPrices, heldPreview, heldQuote, holdsExactly, notHeld } from './held-stays.ts';
import { loadOffers, type OfferRequest, type Offers } from './load-offers.ts';
import { holdAll, ownOrdersOnTime, takeAll } from './reserve-stays.ts';
import { chargeAndBook, resumeCharge } from './pay-by-token.ts';
import { bookUnpaid } from './pay-online.ts';
import { presentAvailable } from './preview-checkout.ts';
import { listingNotFound, requireExpectedTotal, requireMethod } from './refusals.ts';
import { findCheckout, releaseWrites } from './release-checkout.ts';
import { loadAllowedOffers, requireAllowed } from './require-stay-rules.ts';

type Confirm = (ctx: Context<UserCaller>, request: ConfirmRequest) => Promise<Confirmation>;

/** A request with the caller's names by team, which are read in parallel with the offers (D107). */
interface NamedRequest extends ConfirmRequest {
  names: ReturnType<typeof customerNamesOf>;
}

/**
 * Books an order, all or nothing (D45, D46): with the caller's live soft lock at its held price, otherwise at the present
 * price if the time is free. The lock is consumed in the transaction that books, so no hour is ever taken twice (D32).
 */
export const confirmCheckout: Confirm = async (ctx, request) => {
  await requireVerified(ctx);
  return retryOnConflict(async () => {
    const startedId = request.payment_gateway_token === undefined ? undefined : await ctx.startedId();
    if (startedId !== undefined) return resumeCharge(ctx, request, startedId);
    const named = { ...request, names: customerNamesOf(ctx.table, ctx.caller) };
    // What fails before the booking does not await them.
    named.names.catch(() => undefined);
    return request.checkout_id === undefined
      ? confirmItems(ctx, named)
      : confirmLock(ctx, named, request.checkout_id);
  });
};

/** Confirms the checkout that the request names: by its lock while that is live, then at the present price. */
const confirmLock = async (
  ctx: Context<UserCaller>,
  request: NamedRequest,
  checkoutId: number,
): Promise<Confirmation> => {
  const { order, extras } = await findCheckout(ctx, checkoutId, unpaidRead(ctx, request));
  if (order.state === 'CHARGING') return resumeCharge(ctx, request, order.order_id);
  requireConfirmable(order);
  requireSameOrder(request, order);
  if (!isLiveOrder(order, ctx.clock.now())) return confirmExpired(ctx, request, order);
  try {
    return await confirmHeld(ctx, request, { order, unpaid: extras[0] }, () => new LockExpired());
  } catch (error) {
    if (error instanceof LockExpired) return confirmExpired(ctx, request, order);
    throw error;
  }
};

class LockExpired extends Error {}

const requireConfirmable = ({ state }: Order): void => {
  if (state === 'BOOKED')
    throw new ServiceError('INVALID_STATE_TRANSITION', 'The checkout is confirmed already.');
  if (state === 'RELEASED') throw new ServiceError('CHECKOUT_EXPIRED', 'The checkout was released.');
};

/** Stays and currency may be repeated beside the checkout, and must then be its own. */
const requireSameOrder = ({ items, currency }: ConfirmRequest, order: Order): void => {
  if (
    items &&
    !holdsExactly(
      order,
      items.map((item) => ({ request: item })),
    )
  )
    throw invalid({ path: 'items', message: 'items are not those of the checkout; they can be omitted' });
  if (currency !== undefined && currency !== order.currency)
    throw invalid({ path: 'currency', message: `the checkout is priced in ${order.currency}` });
};

/** A live lock, with the item that counts unpaid stays. */
interface Held {
  order: Order;
  unpaid: UnpaidStays | undefined;
}

/** Confirms a live lock at the held price, without reading listing, price or calendar (D43). */
const confirmHeld = async (
  ctx: Context<UserCaller>,
  request: NamedRequest,
  { order, unpaid }: Held,
  onConflict: () => Error,
): Promise<Confirmation> => {
  requireExpectedTotal(request.expected_total, () => heldPreview(order));
  const now = ctx.clock.now();
  if (!isCharge(request)) {
    const calendar = confirmHolds(ctx.table, order, now, onConflict);
    return book(ctx, request, { order, isNew: false, calendar }, unpaid);
  }
  const until = Math.max(order.locked_until, now + softLockMs());
  const calendar = extendHolds(ctx.table, order, { now, until }, onConflict);
  return book(ctx, request, { order: { ...order, locked_until: until }, isNew: false, calendar });
};

/** Confirms an expired lock: books at the present price if the time is still free, else throws CHECKOUT_EXPIRED (D45). */
const confirmExpired = async (
  ctx: Context<UserCaller>,
  request: NamedRequest,
  expired: Order,
): Promise<Confirmation> => {
  const items = expired.items.map((item) => item.request);
  const loaded = await loadAllowedOffers(ctx, offersOf(ctx, { ...request, items }));
  const before = (): OrderQuote => heldQuote(expired);
  requireExpectedTotal(request.expected_total, () => presentAvailable(ctx, loaded), before);
  await loaded.draft.complete(ctx.table, expired.items);
  for (const item of expired.items) loaded.draft.releaseHold(item);
  const old = expired.items.map((item) => remove(AvailabilityEntryEntity, item));
  try {
    const { order, calendar } = pendingOrderOf(ctx, request, loaded, expired.order_id);
    return await book(
      ctx,
      request,
      { order, isNew: false, calendar: [...calendar, ...old] },
      loaded.extras[0],
    );
  } catch (error) {
    if (!(error instanceof ServiceError) || error.code !== 'LISTING_NOT_AVAILABLE') throw error;
    await requireNotConfirmed(ctx, expired);
    throw new ServiceError('CHECKOUT_EXPIRED', undefined, error.details);
  }
};

/** Throws ConflictError if this checkout was confirmed concurrently, since its own booking then takes the time. */
const requireNotConfirmed = async (ctx: Context<UserCaller>, { order_id }: Order): Promise<void> => {
  const { order } = await findCheckout(ctx, order_id);
  if (order.state !== 'HELD') throw new ConflictError('Order');
};

/**
 * Confirms items without a checkout id. The caller's own lock on exactly these stays is used; other own locks on the time
 * are released, and stays they held keep their held price (D43, D45).
 */
const confirmItems = async (ctx: Context<UserCaller>, request: NamedRequest): Promise<Confirmation> => {
  const present = await loadOffers(ctx, offersOf(ctx, { ...request, items: request.items ?? [] }));
  const own = await ownOrdersOnTime(ctx, present);
  const charging = own.find((order) => order.state === 'CHARGING' && holdsExactly(order, present.offers));
  if (charging && request.payment_gateway_token !== undefined)
    return resumeCharge(ctx, request, charging.order_id);
  const live = own.filter((order) => isLiveOrder(order, ctx.clock.now()));
  const held = live.find((order) => holdsExactly(order, present.offers));
  if (held)
    return confirmHeld(
      ctx,
      request,
      { order: held, unpaid: present.extras[0] },
      () => new ConflictError('CalendarMonth'),
    );
  const loaded = atHeldPrices(present, live);
  await requireAllowed(ctx, notHeld(present, live));
  const released = await releaseWrites(ctx, own, loaded.draft);
  const { order, calendar } = pendingOrderOf(ctx, request, loaded);
  requireExpectedTotal(request.expected_total, () => presentAvailable(ctx, loaded));
  return book(ctx, request, { order, isNew: true, calendar: [...calendar, ...released] }, present.extras[0]);
};

/** A charge by token holds the time during the call of the gateway; other methods take it at once. */
const isCharge = ({ payment_method, payment_gateway_token }: ConfirmRequest): boolean =>
  payment_method === 'ONLINE_GATEWAY' && payment_gateway_token !== undefined;

/**
 * Returns an order of the offers, with their time held for its charge, or taken. Availability is checked before anything
 * else is computed.
 */
const pendingOrderOf = (
  ctx: Context,
  request: ConfirmRequest,
  loaded: Offers,
  orderId?: number,
): Pick<PendingOrder, 'order' | 'calendar'> => {
  const now = ctx.clock.now();
  if (!isCharge(request)) takeAll(loaded, callerRef(ctx.caller));
  const order = draftOrder(ctx, loaded, isCharge(request) ? now + softLockMs() : now, orderId);
  if (isCharge(request)) holdAll(order, loaded.draft);
  return { order, calendar: loaded.draft.writes() };
};

const offersOf = (
  ctx: Context<UserCaller>,
  { items, currency, ...request }: ConfirmRequest & { items: readonly CheckoutItem[] },
): OfferRequest<UnpaidStays> => ({
  items,
  currency,
  missing: listingNotFound,
  extras: unpaidRead(ctx, request),
});

const book = async (
  ctx: Context<UserCaller>,
  request: NamedRequest,
  pending: PendingOrder,
  unpaid?: UnpaidStays,
): Promise<Confirmation> => {
  const guest = guestOf(ctx.caller, request);
  const { payment_method, payment_gateway_token: token } = request;
  requireMethod(payment_method, pending.order);
  if (token !== undefined) return chargeAndBook(ctx, pending, guest, token);
  const names = await request.names;
  const named = { guest, ...(names && { names }) };
  const counted = await countUnpaid(ctx, unpaid, pending.order);
  const counting = { ...pending, calendar: [...pending.calendar, ...counted] };
  return payment_method === 'ONLINE_GATEWAY'
    ? bookUnpaid(ctx, counting, named)
    : bookPendingOrder(ctx, counting, { ...named, payment_method, payment_status: 'PENDING' });
};

const guestOf = (
  { user_id, full_name, phone, email, language, is_renamed }: UserCaller,
  { note, arrival_time }: ConfirmRequest,
): Guest => ({
  user_id,
  full_name,
  phone,
  email,
  language,
  note,
  arrival_time,
  ...(is_renamed && { is_renamed }),
});
