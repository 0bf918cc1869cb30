import type { Context } from '../../platform/context.ts';
import { datesAhead } from '../../platform/time/date-ranges.ts';
import { newId } from '../../platform/ids.ts';
import type { Write } from '../../platform/table/index.ts';
import { today } from '../../platform/time/time.ts';
import type { Listing } from '../listing/model.ts';
import {
  bulkNights,
  type BulkNight,
  type BulkNights,
  changedPrices,
  packNights,
  type PriceChange,
  priorityOver,
  unpackNights,
  withNights,
} from './price-layer.rules.ts';
import type { PriceParts } from './price-parts.entity.ts';
import { nightRates } from './night-rate.rules.ts';
import { checkPricePart, checkRoom } from './price-parts.ts';
import { putPriceParts, rateCardOf, readHostedPricing } from './price-parts.store.ts';

type NightPrices = Map<string, { before: number; after: number }>;

/** The writes of a change of many nights of a listing, and what they do. */
interface PricePlan {
  listing: Listing;
  writes: Write[];
  prices: NightPrices;
}

interface Planned extends PricePlan {
  /** What bulk changes had set before on these nights. */
  was: BulkNights[];
}

const planNights = (
  ctx: Context,
  { listing, parts }: { listing: Listing; parts: PriceParts },
  nights: ReadonlyMap<string, BulkNight | null>,
): { writes: Write[]; next: PriceParts } => {
  const rules = withNights(parts.rules, nights, {
    ...{ listingId: listing.id, today: today(ctx.clock.now(), listing.timezone) },
    newId: () => newId(ctx.clock),
  });
  const next = { ...parts, rules };
  checkRoom('rules', next);
  return { writes: putPriceParts(ctx, { listing, parts }, next, 'pricing_rules'), next };
};

/** Plans new prices of the nights of these dates, as rules that are stronger than those of the listing. */
export const planBulkPrices = async (
  ctx: Context,
  listingId: number,
  { dates, change, bulkId }: { dates: readonly string[]; change: PriceChange; bulkId: number },
): Promise<Planned> => {
  const { listing, parts } = await readHostedPricing(ctx, listingId);
  const wanted = datesAhead(ctx.clock.now(), listing.timezone, dates);
  const prices = changedPrices(rateCardOf(listing, parts), wanted, change);
  const priority = priorityOver(parts.rules, wanted);
  const nights = new Map(
    [...prices].map(([date, { after: price }]) => [
      date,
      { ...{ price, priority, bulk_id: bulkId }, rule_id: Number.MAX_SAFE_INTEGER },
    ]),
  );
  const before = bulkNights(parts.rules);
  const was = [...prices.keys()].flatMap((date) => {
    const night = before.get(date);
    return night ? [[date, night] as const] : [];
  });
  if (prices.size === 0) return { listing, writes: [], prices, was: [] };
  const { writes, next } = planNights(ctx, { listing, parts }, nights);
  for (const rule of next.rules) if (rule.bulk_id === bulkId) checkPricePart('rules', rule, listing.currency);
  return { listing, writes, prices, was: packNights(was) };
};

/** Plans to give nights the prices back that a bulk change has replaced, where they still have those that it set. */
export const planUndoPrices = async (
  ctx: Context,
  listingId: number,
  { dates, was, bulkId }: { dates: readonly string[]; was: readonly BulkNights[]; bulkId: number },
): Promise<PricePlan> => {
  const { listing, parts } = await readHostedPricing(ctx, listingId);
  const current = bulkNights(parts.rules);
  const earlier = unpackNights(was);
  const still = datesAhead(ctx.clock.now(), listing.timezone, dates).filter(
    (date) => current.get(date)?.bulk_id === bulkId,
  );
  if (still.length === 0) return { listing, writes: [], prices: new Map() };
  const nights = new Map(still.map((date) => [date, earlier.get(date) ?? null]));
  const { writes, next } = planNights(ctx, { listing, parts }, nights);
  const [before, after] = [parts, next].map((some) => nightRates(rateCardOf(listing, some), 'OVERNIGHT'));
  const prices = new Map(
    still.map((date) => [date, { before: before?.(date).price ?? 0, after: after?.(date).price ?? 0 }]),
  );
  return { listing, writes, prices };
};
