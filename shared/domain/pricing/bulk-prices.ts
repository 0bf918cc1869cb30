import type { Context } from '../../platform/context.ts';
import { rangesWith } from '../../platform/time/date-ranges.ts';
import { planBulkPrices } from './plan-bulk-prices.ts';
import { bulkDates } from './bulk-dates.ts';
import type { BulkPrices, BulkPricesAnswer } from './bulk.schema.ts';
import { runBulk } from './run-bulk.ts';

interface Change<Value> {
  before: Value;
  after: Value;
}

/** Returns changes by date as ranges with the same value before and the same after. */
export const changedRanges = <Value extends string | number>(changes: ReadonlyMap<string, Change<Value>>) =>
  rangesWith(changes, ({ before, after }) => `${before} ${after}`).map(({ range, value }) => ({
    ...range,
    ...value,
  }));

/** Sets or raises the prices of nights of many listings (D96): all or nothing for each of them. */
export const bulkPrices = async (
  ctx: Context,
  { listing_ids: listingIds, date_ranges: ranges, change, dry_run: dryRun }: BulkPrices,
): Promise<BulkPricesAnswer> => {
  const dates = bulkDates(ranges);
  const { outcomes, ...ran } = await runBulk(ctx, {
    ...{ kind: 'prices', listingIds, dryRun },
    plan: async (listingId, { bulkId }) => {
      const { listing, writes, prices, was } = await planBulkPrices(ctx, listingId, {
        dates,
        change,
        bulkId,
      });
      const { currency } = listing;
      return { writes, done: { prices: { currency, ranges: changedRanges(prices), was } } };
    },
  });
  const items = outcomes.map(({ listingId, done, error }) => ({
    listing_id: listingId,
    currency: done?.prices?.currency ?? null,
    ranges: done?.prices?.ranges ?? [],
    error,
  }));
  return ctx.commit([], { ...ran, items });
};
