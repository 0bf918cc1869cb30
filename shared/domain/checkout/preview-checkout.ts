import { isHostOf } from '../../platform/auth.ts';
import type { Context } from '../../platform/context.ts';
import { type Preview, previewOf, type PreviewRequest, withoutHostFigures } from '../pricing/model.ts';
import { loadOffers, type Offers, ownOrdersOnTime } from './load-offers.ts';
import { listingNotFound } from './refusals.ts';
import { releaseHolds } from './release-checkout.ts';

/** Returns the price of an order and whether its time is free (D41); nothing is locked. */
export const previewCheckout = async (ctx: Context, request: PreviewRequest): Promise<Preview> => {
  const loaded = await loadOffers(ctx, { ...request, missing: listingNotFound });
  // Own holds on the same time count as free, as a checkout would replace them.
  await releaseHolds(ctx, await ownOrdersOnTime(ctx, loaded), loaded.draft);
  return presentOffers(ctx, loaded);
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
  const preview = previewOf(quote, available);
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
