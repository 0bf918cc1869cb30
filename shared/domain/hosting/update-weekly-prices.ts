import { instantText } from '../../platform/clock.ts';
import type { Context } from '../../platform/context.ts';
import { invalid } from '../../platform/errors.ts';
import { retryOnConflict } from '../../platform/table/index.ts';
import {
  listingUpdated,
  moneyIssues,
  presentListing,
  putListing,
  readViewedListing,
  requireHosted,
} from '../listing/index.ts';
import type { WeeklyPrices, WeeklyPricesAnswer } from '../listing/weekly-prices.schema.ts';
import { priceWrites } from './price-writes.ts';

/** Sets the prices of the weekdays that are given (D34); the other days stay. */
export const updateWeeklyPrices = (ctx: Context, listingId: number, input: WeeklyPrices): Promise<WeeklyPricesAnswer> =>
  retryOnConflict(async () => {
    const read = await readViewedListing(ctx.table, listingId);
    const listing = requireHosted(ctx.caller, read.listing, 'manage');
    const amounts = Object.entries(input.base_price_by_weekday).map(
      ([day, price]) => [`base_price_by_weekday.${day}`, price] as const,
    );
    const issues = moneyIssues(Object.fromEntries(amounts), listing.currency);
    if (issues.length > 0) throw invalid(...issues);
    const prices_by_week = { ...listing.prices_by_week, ...input.base_price_by_weekday };
    const next = { ...listing, prices_by_week, updated_at: instantText(ctx.clock.now()) };
    const priced = await priceWrites(ctx, listing, next);
    return ctx.commit([putListing(next), ...priced, listingUpdated(ctx, next, ['prices_by_week'])], {
      ...presentListing(ctx.caller, next, read.views),
      base_price_by_weekday: prices_by_week,
    });
  });
