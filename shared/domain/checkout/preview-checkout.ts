import { isHostOf } from '../../platform/auth.ts';
import type { Context } from '../../platform/context.ts';
import { retryOnConflict } from '../../platform/table/index.ts';
import { toInstant } from '../../platform/time/time.ts';
import { dueAtBooking, freezePlan } from '../booking/model.ts';
import { type Preview, previewOf, type PreviewRequest, withoutHostFigures } from '../pricing/model.ts';
import { notHeld } from './held-stays.ts';
import { loadOffers, type Offers } from './load-offers.ts';
import { ownOrdersOnTime } from './reserve-stays.ts';
import { listingNotFound } from './refusals.ts';
import { releaseHolds } from './release-checkout.ts';
import { refusedStays, requireAllowed } from './require-stay-rules.ts';
import { isLiveOrder } from './soft-lock.rules.ts';

/** Returns the price of an order and whether its time is free (D41); nothing is locked. */
export const previewCheckout = (ctx: Context, request: PreviewRequest): Promise<Preview> =>
  retryOnConflict(async () => {
    const { loaded, bound } = await loadPreview(ctx, request);
    await requireAllowed(ctx, bound);
    return presentOffers(ctx, loaded);
  });

/** The same, where a stay that the listing's rules refuse is not available. */
export const previewStays = (ctx: Context, request: PreviewRequest): Promise<Preview> =>
  retryOnConflict(async () => {
    const { loaded, bound } = await loadPreview(ctx, request);
    const refused = new Set(refusedStays(ctx, bound).map(({ time }) => time));
    const preview = presentOffers(ctx, loaded);
    const isRefused = (position: number) => {
      const offer = loaded.offers[position];
      return offer !== undefined && refused.has(offer.time);
    };
    return {
      ...preview,
      items: preview.items.map((item, position) => ({
        ...item,
        available: item.available && !isRefused(position),
      })),
    };
  });

/** Reads an order; `bound` are the stays that the caller does not hold, which stay rules bind. */
const loadPreview = async (ctx: Context, request: PreviewRequest) => {
  const loaded = await loadOffers(ctx, { ...request, missing: listingNotFound });
  const own = await ownOrdersOnTime(ctx, loaded);
  const live = own.filter((order) => isLiveOrder(order, ctx.clock.now()));
  const bound = notHeld(loaded, live);
  // Own holds on the same time count as free, as a checkout would replace them.
  await releaseHolds(ctx, own, loaded.draft);
  return { loaded, bound };
};

/** Returns the quote with the availability of each stay. */
export const presentOffers = (ctx: Context, loaded: Offers): Preview =>
  presentQuote(ctx, loaded, availability(loaded));

/** Returns the quote with every stay marked available. */
export const presentAvailable = (ctx: Context, loaded: Offers): Preview =>
  presentQuote(
    ctx,
    loaded,
    loaded.offers.map(() => true),
  );

/** Returns the quote as this caller may see it: host figures only for a host of every listing (D73). */
const presentQuote = (ctx: Context, { quote, offers }: Offers, available: boolean[]): Preview => {
  const stays = offers.map(({ listing, quote: { total, ...priced }, time: { start_at } }, position) => {
    const { timezone } = listing;
    const starts = toInstant(start_at, timezone);
    const plan = freezePlan(listing, { ...priced, total }, starts, ctx.clock.now());
    return {
      available: available[position] ?? false,
      ...dueAtBooking(total, { ...plan, start_at, timezone }),
    };
  });
  const preview = previewOf(quote, stays);
  return offers.every(({ listing }) => isHostOf(ctx.caller, listing.team_id))
    ? preview
    : withoutHostFigures(preview);
};

/** Returns whether each stay is free, taking the ones before it into account. */
const availability = ({ offers, draft }: Offers): boolean[] =>
  offers.map(({ time }) => {
    const free = draft.taken(time).length === 0;
    if (free) draft.take(time);
    return free;
  });
