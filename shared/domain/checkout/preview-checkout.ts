import { isHostOf } from '../../platform/auth.ts';
import type { Context } from '../../platform/context.ts';
import { type Preview, previewOf, type PreviewRequest, withoutHostFigures } from '../pricing/model.ts';
import { loadOffers, type Offers, ordersInTheWay } from './load-offers.ts';
import { listingNotFound } from './refusals.ts';
import { dropHolds } from './release-checkout.ts';

/** What an order would cost and whether its time is free (D41); nothing is locked. */
export const previewCheckout = async (ctx: Context, request: PreviewRequest): Promise<Preview> => {
  const loaded = await loadOffers(ctx, { ...request, missing: listingNotFound });
  // A checkout of the same would give them up.
  await dropHolds(ctx, await ordersInTheWay(ctx, loaded), loaded.draft);
  return presentQuote(ctx, loaded, availability(loaded));
};

/** The quote of stays that are free, or the caller's in a moment. */
export const presentWanted = (ctx: Context, loaded: Offers): Preview =>
  presentQuote(
    ctx,
    loaded,
    loaded.offers.map(() => true),
  );

/** The quote as this caller may see it: host figures only for a host of every listing (D73). */
const presentQuote = (ctx: Context, { quote, offers }: Offers, available: boolean[]): Preview => {
  const preview = previewOf(quote, available);
  return offers.every(({ listing }) => isHostOf(ctx.caller, listing.team_id))
    ? preview
    : withoutHostFigures(preview);
};

/** Whether each stay could be had, the ones before it included. */
const availability = ({ offers, draft }: Offers): boolean[] =>
  offers.map(({ time }) => {
    const free = draft.taken(time).length === 0;
    if (free) draft.take(time);
    return free;
  });
