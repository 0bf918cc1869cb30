import type { Context } from '../../platform/context.ts';
import { equals, conditionCheck, type Write } from '../../platform/table/index.ts';
import { hasOwnPrice, type Listing, priceMissing } from '../listing/index.ts';
import { hasPartPrice, PricePartsEntity } from '../pricing/index.ts';

/**
 * What has to hold so that a listing which becomes ACTIVE, or loses the last price of its own while it is, still has one: a
 * pricing rule or combo that stays as it was read. VALIDATION_ERROR where there is none.
 */
export const priceWrites = async (ctx: Context, listing: Listing, next: Listing): Promise<Write[]> => {
  const mattered = listing.state !== 'ACTIVE' || hasOwnPrice(listing);
  if (next.state !== 'ACTIVE' || !mattered || hasOwnPrice(next)) return [];
  const parts = await ctx.table.get(PricePartsEntity, { listing_id: next.id });
  if (!parts || !hasPartPrice(ctx, next, parts)) throw priceMissing();
  return [conditionCheck(PricePartsEntity, { listing_id: next.id }, { when: equals('version', parts.version) })];
};
