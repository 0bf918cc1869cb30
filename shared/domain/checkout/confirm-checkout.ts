import { callerRef, type UserCaller } from '../../platform/auth.ts';
import type { Context } from '../../platform/context.ts';
import { invalid, ServiceError } from '../../platform/errors.ts';
import { LostRace, remove, untilWon, type Write } from '../../platform/table/index.ts';
import { AvailabilityEntryEntity, confirmHolds } from '../calendar/index.ts';
import { bookOrder, type BookingTerms, type Order } from '../booking/index.ts';

import type { CheckoutItem, OrderQuote } from '../pricing/index.ts';
import { requireVerified } from '../customer/index.ts';
import { ordersInTheWay, takeAll } from './claim-offers.ts';
import type { Confirmation, ConfirmRequest } from './checkout.schema.ts';
import { draftOrder } from './draft-order.ts';
import { atHeldPrices, heldPreview, heldQuote } from './held-quote.ts';
import { holdsExactly } from './held-stay.ts';
import { loadOffers, type Offers } from './load-offers.ts';
import { presentConfirmation } from './present-confirmation.ts';
import { presentWanted } from './preview-checkout.ts';
import { listingNotFound, requireExpectedTotal, requireFitting } from './refusals.ts';
import { findCheckout, releaseWrites } from './release-checkout.ts';

import { isLive } from './soft-lock.ts';

type Confirm = (ctx: Context<UserCaller>, request: ConfirmRequest) => Promise<Confirmation>;

/**
 * Books an order, all or nothing (D45, D46): with the caller's live soft lock at its held price, otherwise at the present
 * one when the time is free. Booking and lock change hands in one transaction, so no hour is ever taken twice (D32).
 */
export const confirmCheckout: Confirm = async (ctx, request) => {
  await requireVerified(ctx);
  return untilWon(() =>
    request.checkout_id === undefined
      ? confirmItems(ctx, request)
      : confirmLock(ctx, request, request.checkout_id),
  );
};

const confirmLock = async (
  ctx: Context<UserCaller>,
  request: ConfirmRequest,
  checkoutId: number,
): Promise<Confirmation> => {
  const order = await findCheckout(ctx, checkoutId);
  if (order.state === 'BOOKED')
    throw new ServiceError('INVALID_STATE_TRANSITION', 'The checkout is confirmed already.');
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
    return await confirmHeld(ctx, request, order, () => new LockGone());
  } catch (error) {
    if (error instanceof LockGone) return confirmLapsed(ctx, request, order);
    throw error;
  }
};

/** The lock lives: no listing, price or calendar is read, the held price is charged (D43). */
const confirmHeld = async (
  ctx: Context<UserCaller>,
  request: ConfirmRequest,
  order: Order,
  lost: () => Error,
): Promise<Confirmation> => {
  requireExpectedTotal(request.expected_total, () => heldPreview(order));
  return book(ctx, request, order, confirmHolds(order.items, ctx.clock.now(), lost));
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
  for (const item of lapsed.items) loaded.draft.unhold(item);
  const old = lapsed.items.map((item) => remove(AvailabilityEntryEntity, item));
  try {
    takeAll(loaded, lapsed.holder);
    const order = draftOrder(ctx, loaded, lapsed.locked_until, lapsed.order_id);
    return await book(ctx, request, order, [...loaded.draft.writes(), ...old]);
  } catch (error) {
    if (!(error instanceof ServiceError) || error.code !== 'LISTING_NOT_AVAILABLE') throw error;
    await requireHeld(ctx, lapsed);
    throw new ServiceError('CHECKOUT_EXPIRED', undefined, error.details);
  }
};

/** What is taken may be taken by this very checkout, confirmed twice at once: then it has not expired. */
const requireHeld = async (ctx: Context<UserCaller>, { order_id }: Order): Promise<void> => {
  const { state } = await findCheckout(ctx, order_id);
  if (state !== 'HELD') throw new LostRace('Order');
};

/**
 * Without a checkout id: the caller's own lock on exactly these stays is used; any other of theirs in the way is given up,
 * and what it held of these stays is charged as it was held (D43, D45).
 */
const confirmItems = async (ctx: Context<UserCaller>, request: ConfirmRequest): Promise<Confirmation> => {
  const present = await offersOf(ctx, { ...request, items: request.items ?? [] });
  const own = await ordersInTheWay(ctx, present);
  const live = own.filter((order) => isLive(order, ctx.clock.now()));
  const held = live.find((order) => holdsExactly(order, present.offers));
  if (held) return confirmHeld(ctx, request, held, () => new LostRace('CalendarMonth'));
  const loaded = atHeldPrices(present, live);
  const released = await releaseWrites(ctx, own, loaded.draft);
  takeAll(loaded, callerRef(ctx.caller));
  requireExpectedTotal(request.expected_total, () => presentWanted(ctx, loaded));
  const order = draftOrder(ctx, loaded, ctx.clock.now());
  return book(ctx, request, order, [...loaded.draft.writes(), ...released], { isNew: true });
};

const offersOf = (
  ctx: Context,
  { items, currency }: { items: readonly CheckoutItem[]; currency?: string | undefined },
): Promise<Offers> => loadOffers(ctx, { items, currency, missing: listingNotFound });

const book = async (
  ctx: Context<UserCaller>,
  request: ConfirmRequest,
  held: Order,
  calendar: Write[],
  options: { isNew?: boolean } = {},
): Promise<Confirmation> => {
  const { order, reservations, writes } = bookOrder(ctx, held, termsOf(ctx.caller, request), options);
  return ctx.commit(requireFitting([...writes, ...calendar]), presentConfirmation(order, reservations));
};

const termsOf = (caller: UserCaller, request: ConfirmRequest): BookingTerms => ({
  guest: {
    user_id: caller.user_id,
    full_name: caller.full_name,
    phone: caller.phone,
    email: caller.email,
    language: caller.language,
  },
  payment_method: request.payment_method,
  payment_status: 'PENDING',
});
