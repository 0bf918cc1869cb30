import type { PublishableCaller } from '../../platform/auth.ts';
import type { Context } from '../../platform/context.ts';
import { retryOnConflict } from '../../platform/table/index.ts';
import { isOpenToAll, type Listing } from '../listing/model.ts';
import type { Preview, PreviewRequest } from '../pricing/model.ts';
import { presentOffers } from './preview-checkout.ts';
import { listingNotFound } from './refusals.ts';
import { loadAllowedOffers } from './require-stay-rules.ts';

/** Returns the price of an order of the page's team, and whether its time is free (D144). It holds and writes nothing. */
export const quoteStay = (ctx: Context<PublishableCaller>, request: PreviewRequest): Promise<Preview> =>
  retryOnConflict(async () => {
    const accepts = (listing: Listing) => listing.team_id === ctx.caller.team_id && isOpenToAll(listing);
    return presentOffers(
      ctx,
      await loadAllowedOffers(ctx, { ...request, accepts, missing: listingNotFound }),
    );
  });
