import { instantText } from '../../platform/time/clock.ts';
import type { Context } from '../../platform/context.ts';
import { invalid } from '../../platform/errors.ts';
import { conditionCheck, equals, retryOnConflict, type Write } from '../../platform/table/index.ts';
import { hasPartPrice, PricePartsEntity } from '../pricing/model.ts';
import { readViewedListing } from './listing-views.store.ts';
import { presentListing } from './present-listing.rules.ts';
import { hasOwnPrice, moneyIssues, priceMissing } from './listing.rules.ts';
import type { WeeklyPrices, WeeklyPricesAnswer } from './listing.schema.ts';
import type { Listing } from './listing.entity.ts';
import { fieldChanges } from './listing-change.store.ts';
import { listingUpdated, putListing, requireHosted } from './listing.store.ts';
import { openedListing } from './sealed-access.store.ts';

/**
 * Returns the condition for a listing that becomes ACTIVE, or loses its own price while ACTIVE: a pricing rule or combo
 * with a price, unchanged since it was read. Throws VALIDATION_ERROR if there is none.
 */
export const priceWrites = async (ctx: Context, listing: Listing, next: Listing): Promise<Write[]> => {
  const mattered = listing.state !== 'ACTIVE' || hasOwnPrice(listing);
  if (next.state !== 'ACTIVE' || !mattered || hasOwnPrice(next)) return [];
  const parts = await ctx.table.get(PricePartsEntity, { listing_id: next.id });
  if (!parts || !hasPartPrice(ctx, next, parts)) throw priceMissing();
  return [
    conditionCheck(PricePartsEntity, { listing_id: next.id }, { when: equals('version', parts.version) }),
  ];
};

/** Sets the prices of the given weekdays (D34); the other days stay. */
export const updateWeeklyPrices = (
  ctx: Context,
  listingId: number,
  input: WeeklyPrices,
): Promise<WeeklyPricesAnswer> =>
  retryOnConflict(async () => {
    const read = await readViewedListing(ctx.table, listingId);
    const listing = requireHosted(ctx.caller, read.listing, 'manage');
    const amounts = Object.entries(input.base_price_by_weekday).map(
      ([day, price]) => [`base_price_by_weekday.${day}`, price] as const,
    );
    const issues = moneyIssues(Object.fromEntries(amounts), listing.currency);
    if (issues.length > 0) throw invalid(...issues);
    const pricesByWeek = { ...listing.prices_by_week, ...input.base_price_by_weekday };
    const next = { ...listing, prices_by_week: pricesByWeek, updated_at: instantText(ctx.clock.now()) };
    const priced = await priceWrites(ctx, listing, next);
    const changes = fieldChanges(listing, next, ['prices_by_week']);
    return ctx.commit(
      [putListing(next), ...priced, ...listingUpdated(ctx, next, ['prices_by_week'], changes)],
      {
        ...presentListing(ctx.caller, await openedListing(ctx, next), read.views),
        base_price_by_weekday: pricesByWeek,
      },
    );
  });
