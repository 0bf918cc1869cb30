import type { Context } from '../../platform/context.ts';
import { invalid } from '../../platform/errors.ts';
import { addDays, addHours, datesBetween, dayNumber, hoursBetween } from '../../platform/time/time.ts';
import { type Listing, visibleListing } from '../listing/model.ts';
import {
  hourRate,
  canStartHourlyStay,
  isArrivalAllowed,
  limitedStay,
  limitOn,
  limitsOf,
  nightOf,
  nightRates,
  nightStart,
  pricingReads,
  type RateCard,
  rateCardOf,
  resolveStay,
  tryTotalOf,
} from '../pricing/model.ts';
import type { AvailabilityState, ListingAvailability } from './availability.schema.ts';
import { CalendarDraft } from './calendar-draft.store.ts';
import { calendarOf, type LocalRange, overlaps, stayTime } from './listing-time.rules.ts';
import { wholeHours } from './hours.rules.ts';
import { localRange, presentEntries, requireWithinCalendar, takingEntries } from './read-calendar.ts';
import type { TakenTime } from './taken-time.rules.ts';

const maxRangeHours = 92 * 24;

/** Returns the start of every taken hour in [start_time, end_time) as YYYY-MM-DDTHHmm, local time (D29). */
export const listUnavailableHours = async (
  ctx: Context,
  listingId: number,
  { start_time, end_time }: { start_time: string; end_time: string },
): Promise<string[]> => {
  const listing = await visibleListing(ctx, listingId);
  const time = {
    calendar_id: calendarOf(listing),
    listing_id: listing.id,
    start_at: localText(start_time),
    end_at: localText(end_time),
  };
  requireWithinCalendar({ start_time: time.start_at, end_time: time.end_at });
  const hours = hoursBetween(time.start_at, time.end_at);
  if (hours <= 0) throw invalid({ path: 'end_time', message: 'must be after start_time' });
  if (hours > maxRangeHours) throw invalid({ path: 'end_time', message: 'a range has at most 92 days' });
  const draft = await CalendarDraft.load(ctx.table, [time], ctx.clock.now());
  return draft.taken(time).flatMap(hourSlots);
};

const hourSlots = ({ start_at, end_at }: { start_at: string; end_at: string }): string[] => {
  const slots: string[] = [];
  for (let at = start_at; at < end_at; at = addHours(at, 1)) slots.push(at.slice(0, 16).replace(':', ''));
  return slots;
};

/** Converts `2027-02-04T1400` to `2027-02-04T14:00:00`. */
const localText = (compact: string): string => `${compact.slice(0, 13)}:${compact.slice(13)}:00`;

interface Query {
  start_date?: string | undefined;
  end_date?: string | undefined;
  granularity: 'day' | 'hour';
}

const days = { default: 90, max: 366 };

/** Returns availability and prices of a listing by day or by hour (D31); `find` decides who may see the listing. */
export const readAvailability = async (
  ctx: Context,
  listingId: number,
  query: Query,
  find: (listing: Listing | undefined) => Listing,
): Promise<ListingAvailability> => {
  const [found, parts] = await ctx.table.getAll(pricingReads(listingId));
  const listing = find(found);
  const rateCard = rateCardOf(listing, parts);
  const range = localRange(ctx, listing, query, days);
  const offered = { listing, rateCard, now: ctx.clock.now() };
  const head = { listing_id: listing.id, currency: listing.currency, timezone: listing.timezone };
  if (query.granularity === 'hour') {
    const entries = await takenEntries(ctx, listing, wholeHours(stayTime(listing, range)));
    return { ...head, granularity: 'hour', items: hourItems(offered, range, entries) };
  }
  const nights = stayTime(listing, nightsOf(listing, range));
  const [entries, draft] = await Promise.all([
    takenEntries(ctx, listing, nights),
    CalendarDraft.load(ctx.table, [nights], offered.now),
  ]);
  return { ...head, granularity: 'day', items: dayItems(offered, range, draft.taken(nights), entries) };
};

/** An entry in whole hours (D25). */
interface TakenEntry extends LocalRange {
  state: AvailabilityState;
}

const takenEntries = async (ctx: Context, listing: Listing, range: LocalRange): Promise<TakenEntry[]> =>
  presentEntries(ctx, listing, range, await takingEntries(ctx, listing, range)).map((entry) => ({
    ...wholeHours(entry),
    state: entry.state,
  }));

/** From the first night's check-in to the last night's check-out. */
const nightsOf = (listing: Listing, range: LocalRange): LocalRange => ({
  start_at: range.start_at,
  end_at: nightOf(listing, addDays(range.end_at.slice(0, 10), -1)).end_at,
});

interface Offered {
  listing: Listing;
  rateCard: RateCard;
  /** Epoch milliseconds. */
  now: number;
}

/** A listing that is not ACTIVE cannot be booked, though its hosts see its calendar. */
const isOpen = ({ listing }: Offered): boolean => listing.state === 'ACTIVE';

/** Whether the night that begins on a date can be booked: not past, not too far ahead, with a price (D24, D31). */
const isNightBookable = ({ listing, rateCard, now }: Offered, date: string, price: number): boolean => {
  const item = {
    listing_id: listing.id,
    check_in_date: date,
    check_out_date: addDays(date, 1),
    guest_number: 1,
  };
  if (price === 0 && tryTotalOf({ rateCard, item, now }) === null) return false;
  return resolveStay({ rateCard, item, now }).issues.length === 0;
};

const dayItems = (
  offered: Offered,
  range: LocalRange,
  taken: readonly TakenTime[],
  entries: readonly TakenEntry[],
) => {
  const { listing, rateCard, now } = offered;
  const rateOn = nightRates(rateCard, 'OVERNIGHT');
  const rulesOn = dayRules(offered);
  return datesBetween(range.start_at.slice(0, 10), range.end_at.slice(0, 10)).map((date) => {
    const whole = nightOf(listing, date);
    const night = { ...whole, start_at: nightStart(listing, whole.start_at, now) };
    const isFree = (interval: LocalRange) => !taken.some((stretch) => overlaps(stretch, interval));
    const free = isFree(night);
    const { price, pricing_rule_id } = rateOn(date);
    const { isClosed, letsArrive, ...rules } = rulesOn(date, night.start_at);
    const isPrepared = isFree(wholeHours(stayTime(listing, night)));
    const available = isPrepared && !isClosed && isOpen(offered) && isNightBookable(offered, date, price);
    return {
      date,
      state: free ? ('AVAILABLE' as const) : stateWithin(entries, night),
      available,
      price,
      pricing_rule_id,
      ...rules,
      can_arrive: available && letsArrive,
    };
  });
};

/** Returns what the stay rules say of a date and the local start of its night (D78). */
const dayRules = ({ listing: { timezone }, rateCard: { stayRules }, now }: Offered) => {
  const limits = stayRules && limitsOf(stayRules);
  return (date: string, startAt: string) => {
    if (!limits)
      return { min_nights: 1, isClosed: false, letsArrive: true, can_depart: true, max_nights: null };
    const day = dayNumber(date);
    const stay = limitedStay(timezone, { check_in_date: date, check_out_date: date, start_at: startAt }, now);
    return {
      min_nights: limitOn(limits, 'min_nights', day) || 1,
      isClosed: limitOn(limits, 'closed', day) === 1,
      letsArrive: isArrivalAllowed(limits, stay),
      can_depart: limitOn(limits, 'closed_to_departure', day) !== 1,
      max_nights: limitOn(limits, 'max_nights', day) || null,
    };
  };
};

const hourItems = (offered: Offered, range: LocalRange, entries: readonly TakenEntry[]) => {
  const { listing, rateCard, now } = offered;
  return Array.from({ length: hoursBetween(range.start_at, range.end_at) }, (_, hour) => {
    const startAt = addHours(range.start_at, hour);
    const slot = { start_at: startAt, end_at: addHours(startAt, 1) };
    const state = stateWithin(entries, slot, 'AVAILABLE');
    const prepared = wholeHours(stayTime(listing, slot));
    const available =
      !entries.some((entry) => overlaps(entry, prepared)) &&
      isOpen(offered) &&
      canStartHourlyStay(rateCard.listing, startAt, now);
    const price = hourRate(rateCard, startAt.slice(0, 10))?.price ?? null;
    return { ...slot, state, available, price };
  });
};

/** Returns the state of an interval of whole hours: booking before block before soft lock. */
const stateWithin = (
  entries: readonly TakenEntry[],
  interval: LocalRange,
  defaultState: AvailabilityState = 'BOOKED',
): AvailabilityState => {
  const states = entries.filter((entry) => overlaps(entry, interval)).map(({ state }) => state);
  return (
    (['BOOKED', 'BLOCKED', 'SOFT_LOCK'] as const).find((state) => states.includes(state)) ?? defaultState
  );
};
