import { callerRef, type PartnerCaller } from '../../platform/auth.ts';
import { instantText } from '../../platform/time/clock.ts';
import type { Context } from '../../platform/context.ts';
import { ServiceError } from '../../platform/errors.ts';
import { newQuoteId } from '../../platform/ids.ts';
import { ConflictError, create, readOf, retryOnConflict } from '../../platform/table/index.ts';
import { minuteMs } from '../../platform/time/time.ts';
import { type Order, OrderEntity } from '../booking/model.ts';
import { AvailabilityEntryEntity } from '../calendar/model.ts';
import type { PreviewRequest } from '../pricing/model.ts';
import type { HoldRequest, Quote, QuoteHold } from './checkout.schema.ts';
import { CallerCheckoutsEntity } from './checkout.store.ts';
import { countCheckout } from './count-checkouts.ts';
import { extendLock, presentLock } from './create-checkout.ts';
import { draftOrder } from './draft-order.ts';
import { holdAll } from './reserve-stays.ts';
import { presentAvailable, presentOffers } from './preview-checkout.ts';
import { type Quote as StoredQuote, QuoteEntity, quoteReads, requireQuote } from './quote.store.ts';
import { keyListings, requireExpectedTotal, requireFitting } from './refusals.ts';
import { releaseLock } from './release-checkout.ts';
import { loadAllowedOffers } from './require-stay-rules.ts';
import { heldEntries, isLiveOrder, softLockMs } from './soft-lock.rules.ts';

/** How long a quote can be held or booked. */
const quoteMs = 30 * minuteMs;

/**
 * Returns the price of an order for a partner's guest, and whether its time is free (D92). It holds nothing: what others
 * hold, for another guest of the same key too, is not free.
 */
export const createQuote = (ctx: Context<PartnerCaller>, request: PreviewRequest): Promise<Quote> =>
  retryOnConflict(async () => {
    const loaded = await loadAllowedOffers(ctx, { ...request, ...keyListings(ctx.caller) });
    const quote: StoredQuote = {
      quote_id: newQuoteId(ctx.clock),
      holder: callerRef(ctx.caller),
      items: request.items,
      currency: loaded.quote.currency,
      valid_until: ctx.clock.now() + quoteMs,
    };
    return ctx.commit([create(QuoteEntity, quote)], {
      quote_id: quote.quote_id,
      expires_at: instantText(quote.valid_until),
      ...presentOffers(ctx, loaded),
    });
  });

/**
 * Soft-locks the stays of a quote for 15 minutes at the present price, all or nothing (D43, D92). Throws
 * INVALID_STATE_TRANSITION for a quote that is held or booked, CHECKOUT_EXPIRED for an expired one.
 */
export const holdQuote = (
  ctx: Context<PartnerCaller>,
  quoteId: number,
  { expected_total }: HoldRequest = {},
): Promise<QuoteHold> =>
  retryOnConflict(async () => {
    const found = await ctx.table.getGroups(quoteReads(quoteId));
    const { quote, order: before } = requireQuote(ctx.caller, ...found);
    if (before) throw isLiveOrder(before, ctx.clock.now()) ? heldAlready() : quoteUsed(before);
    return unlessUsed(ctx, quote, () => hold(ctx, quote, expected_total));
  });

const hold = async (
  ctx: Context<PartnerCaller>,
  quote: StoredQuote,
  expectedTotal: number | undefined,
): Promise<QuoteHold> => {
  const { quote_id: quoteId } = quote;
  const now = ctx.clock.now();
  const loaded = await loadAllowedOffers(ctx, {
    ...quote,
    ...keyListings(ctx.caller),
    extras: [readOf(CallerCheckoutsEntity, { holder: quote.holder })],
  });
  requireExpectedTotal(expectedTotal, () => presentAvailable(ctx, loaded));
  const order = draftOrder(ctx, loaded, now + softLockMs(), quoteId);
  holdAll(order, loaded.draft);
  const writes = [
    create(OrderEntity, order),
    ...loaded.draft.writes(),
    ...heldEntries(order).map((entry) => create(AvailabilityEntryEntity, entry)),
    await countCheckout(ctx, loaded.extras[0], order, []),
  ];
  return ctx.commit(requireFitting(writes), {
    quote_id: quoteId,
    ...presentLock(order, presentAvailable(ctx, loaded)),
  });
};

/**
 * Uses a quote that was not used before. Throws CHECKOUT_EXPIRED if it has expired, and ConflictError where the time is
 * not free because the quote was held or booked concurrently.
 */
export const unlessUsed = async <Result>(
  ctx: Context<PartnerCaller>,
  { quote_id, valid_until }: StoredQuote,
  use: () => Promise<Result>,
): Promise<Result> => {
  if (valid_until <= ctx.clock.now())
    throw new ServiceError('CHECKOUT_EXPIRED', 'The quote has expired; ask for a new one.');
  try {
    return await use();
  } catch (error) {
    const isTaken = error instanceof ServiceError && error.code === 'LISTING_NOT_AVAILABLE';
    if (isTaken && (await ctx.table.get(OrderEntity, { order_id: quote_id })))
      throw new ConflictError('Order');
    throw error;
  }
};

/** Extends the hold of a quote by 15 minutes, once (D44). */
export const extendQuote = (ctx: Context<PartnerCaller>, quoteId: number): Promise<QuoteHold> =>
  extendLock(ctx, quoteId, (lock) => ({ quote_id: quoteId, ...lock }));

/** Releases the hold of a quote before it expires (D44); idempotent. The quote cannot be used again. */
export const releaseQuote = async (
  ctx: Context<PartnerCaller>,
  quoteId: number,
): Promise<{ message: string; quote_id: number }> => {
  await releaseLock(ctx, quoteId);
  return { message: 'Hold released', quote_id: quoteId };
};

/** Returns the error for a quote that was booked, or whose hold has ended. */
export const quoteUsed = ({ state, order_id }: Order): ServiceError =>
  state === 'BOOKED'
    ? new ServiceError('INVALID_STATE_TRANSITION', 'The quote is booked already.', { booking_id: order_id })
    : new ServiceError('CHECKOUT_EXPIRED', 'The hold of the quote has ended; ask for a new quote.');

const heldAlready = (): ServiceError =>
  new ServiceError('INVALID_STATE_TRANSITION', 'The quote is held already; its hold can be extended once.');
