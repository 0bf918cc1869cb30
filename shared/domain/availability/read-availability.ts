import type { Context } from '../../platform/context.ts';
import {
  addDays,
  addHours,
  atTime,
  datesBetween,
  floorHour,
  hoursBetween,
  toLocal,
} from '../../platform/time.ts';
import { CalendarDraft, calendarOf, type TakenTime } from '../calendar/index.ts';
import { type Listing, ListingEntity } from '../listing/index.ts';
import {
  hourRate,
  nightRates,
  type PriceParts,
  pricePartsRead,
  type RateCard,
  rateCardOf,
  resolveStay,
} from '../pricing/index.ts';
import type { Availability, AvailabilityState, ListingAvailability } from './availability.schema.ts';
import { localRange } from './read-calendar.ts';
import { visibleEntries } from './visible-entries.ts';

interface Query {
  start_date?: string | undefined;
  end_date?: string | undefined;
  granularity: 'day' | 'hour';
}

const days = { whenAbsent: 90, most: 366 };

/** Availability and prices of a listing by day or by hour (spec 4.2, 4.5, D31); `find` says who may see the listing. */
export const readAvailability = async (
  ctx: Context,
  listingId: number,
  query: Query,
  find: (listing: Listing | undefined) => Listing,
): Promise<ListingAvailability> => {
  const [found, parts] = await ctx.table.getAll([
    { key: ListingEntity.key({ id: listingId }) },
    pricePartsRead(listingId),
  ]);
  const listing = find(found as Listing | undefined);
  const rateCard = rateCardOf(listing, parts as PriceParts | undefined);
  const range = localRange(ctx, listing, query, days);
  const head = { listing_id: listing.id, currency: listing.currency, timezone: listing.timezone };
  if (query.granularity === 'hour') {
    const entries = await visibleEntries(ctx, listing, range);
    return {
      ...head,
      granularity: 'hour',
      items: hourItems(rateCard, range, entries, thisHour(ctx, listing)),
    };
  }
  const nights = { calendar_id: calendarOf(listing), listing_id: listing.id, ...nightsOf(listing, range) };
  const [entries, draft] = await Promise.all([
    visibleEntries(ctx, listing, nights),
    CalendarDraft.load(ctx.table, [nights], ctx.clock.now()),
  ]);
  return {
    ...head,
    granularity: 'day',
    items: dayItems({ listing, rateCard, now: ctx.clock.now() }, range, draft.taken(nights), entries),
  };
};

/** From the first night's check-in to the last night's check-out. */
const nightsOf = (listing: Listing, range: { start_at: string; end_at: string }) => ({
  start_at: range.start_at,
  end_at: nightOf(listing, addDays(range.end_at.slice(0, 10), -1)).end_at,
});

const nightOf = (listing: Listing, date: string) => ({
  start_at: atTime(date, listing.standard_check_in_time ?? '14:00:00'),
  end_at: atTime(addDays(date, 1), listing.standard_check_out_time ?? '12:00:00'),
});

const overlaps = (
  one: { start_at: string; end_at: string },
  other: { start_at: string; end_at: string },
): boolean => one.start_at < other.end_at && one.end_at > other.start_at;

interface Offered {
  listing: Listing;
  rateCard: RateCard;
  /** Epoch milliseconds. */
  now: number;
}

/** Whether the clock lets the night that begins on a date be booked: not one of the past, nor too far ahead (D24, D31). */
const mayBegin = ({ listing, rateCard, now }: Offered, date: string): boolean => {
  const item = {
    listing_id: listing.id,
    check_in_date: date,
    check_out_date: addDays(date, 1),
    guest_number: 1,
  };
  return resolveStay({ rateCard, item, now }).issues.length === 0;
};

const dayItems = (
  offered: Offered,
  range: { start_at: string; end_at: string },
  taken: readonly TakenTime[],
  entries: readonly Availability[],
) => {
  const { listing, rateCard } = offered;
  const rateOn = nightRates(rateCard, 'OVERNIGHT');
  return datesBetween(range.start_at.slice(0, 10), range.end_at.slice(0, 10)).map((date) => {
    const night = nightOf(listing, date);
    const free = !taken.some((stretch) => overlaps(stretch, night));
    const { price, pricing_rule_id } = rateOn(date);
    return {
      date,
      state: free ? ('AVAILABLE' as const) : stateWithin(entries, night),
      available: free && mayBegin(offered, date),
      price,
      pricing_rule_id,
    };
  });
};

const hourItems = (
  rateCard: RateCard,
  range: { start_at: string; end_at: string },
  entries: readonly Availability[],
  earliest: string,
) =>
  Array.from({ length: hoursBetween(range.start_at, range.end_at) }, (_, hour) => {
    const start_at = addHours(range.start_at, hour);
    const slot = { start_at, end_at: addHours(start_at, 1) };
    const state = stateWithin(entries, slot, 'AVAILABLE');
    const price = hourRate(rateCard, start_at.slice(0, 10))?.price ?? null;
    return { ...slot, state, available: state === 'AVAILABLE' && start_at >= earliest, price };
  });

/** The hour an hourly stay may begin in at the earliest (D24). */
const thisHour = ({ clock }: Pick<Context, 'clock'>, { timezone }: Listing): string =>
  floorHour(toLocal(clock.now(), timezone));

/** What stands in an interval: a booking before a block before a soft lock. */
const stateWithin = (
  entries: readonly Availability[],
  interval: { start_at: string; end_at: string },
  otherwise: AvailabilityState = 'BOOKED',
): AvailabilityState => {
  const states = entries.filter((entry) => overlaps(entry, interval)).map(({ state }) => state);
  return (['BOOKED', 'BLOCKED', 'SOFT_LOCK'] as const).find((state) => states.includes(state)) ?? otherwise;
};
