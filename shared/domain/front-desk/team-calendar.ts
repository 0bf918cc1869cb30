import { actingTeam } from '../../platform/auth.ts';
import type { Context } from '../../platform/context.ts';
import { invalid } from '../../platform/errors.ts';
import { addDays, atTime, datesBetween, dateOf, dayNumber, nightsBetween } from '../../platform/time/time.ts';
import { type StayRow, teamStayRows } from '../booking/model.ts';
import { requireWithinCalendar } from '../calendar/index.ts';
import {
  calendarOf,
  familyMonths,
  type LocalRange,
  overlappingEntries,
  overlaps,
  readFamily,
  stayTime,
  wholeHours,
} from '../calendar/model.ts';
import { pageTeamListings } from '../listing/index.ts';
import type { Listing } from '../listing/model.ts';
import {
  limitOn,
  limitsOf,
  nightOf,
  nightRates,
  nightStart,
  presentStayRules,
  type PriceParts,
  rateCardOf,
  readTeamPriceParts,
} from '../pricing/model.ts';
import { type CalendarTime, takenOf, takenStretches, unexplainedTime } from './taken-stretches.rules.ts';
import { mostCalendarDays, type TeamCalendar, type TeamCalendarQuery } from './team-calendar.schema.ts';

/** Returns what is taken, what is free at which price, and the stay rules of a page of the acting team's listings (D95). */
export const readTeamCalendar = async (
  ctx: Context,
  { from, to, ...paging }: TeamCalendarQuery,
): Promise<TeamCalendar> => {
  const teamId = actingTeam(ctx.caller, ctx.teamHeader, 'read');
  const range = rangeOf(from, to);
  const isStanding = ({ check_in, standing }: Pick<StayRow, 'check_in' | 'standing'>) =>
    !standing.startsWith('CANCELLED ') && check_in <= dayNumber(to);
  const [{ page, parts, calendars }, stays] = await Promise.all([
    readHomes(ctx, teamId, range, paging),
    // The preparation after a stay of the day before may be within the range.
    teamStayRows(ctx, teamId, addDays(from, -1), isStanding, { further: ['shown'] }),
  ]);
  const byListing = Map.groupBy(stays, ({ listing }) => listing);
  const staysOf = (listingId: number) => byListing.get(listingId) ?? [];
  const now = ctx.clock.now();
  const times = await Promise.all(
    [...calendars].map(async ([id, months]) => {
      const time = { calendar_id: id, months, staysOf, range, now, entries: [] };
      return [id, await withEntries(ctx, time)] as const;
    }),
  );
  const timeOf = new Map(times);
  const items = page.items.flatMap((listing, at) => {
    const time = timeOf.get(calendarOf(listing));
    return time ? [calendarItem(listing, parts[at], time)] : [];
  });
  return { items, next_cursor: page.next_cursor };
};

/** Reads a page of listings with their prices and the months of their calendars. */
const readHomes = async (
  ctx: Context,
  teamId: number,
  range: LocalRange,
  paging: Omit<TeamCalendarQuery, 'from' | 'to'>,
) => {
  const page = await pageTeamListings(ctx, teamId, { page: 1, ...paging });
  const ids = page.items.map(({ id }) => id);
  const [parts, calendars] = await Promise.all([
    readTeamPriceParts(ctx.table, teamId, ids),
    readCalendars(ctx, page.items, range),
  ]);
  return { page, parts, calendars };
};

/** Reads the entries of a calendar where something else than stays takes time of it: which block that is, only they say. */
const withEntries = async ({ table }: Context, time: CalendarTime): Promise<CalendarTime> => {
  const asked = unexplainedTime(time);
  if (!asked) return time;
  return {
    ...time,
    entries: await overlappingEntries(table, time.calendar_id, asked, { consistent: false }),
  };
};

/** Returns the dates, both inclusive, as a half-open local interval. */
const rangeOf = (from: string, to: string): LocalRange => {
  requireWithinCalendar({ from, to });
  if (to < from) throw invalid({ path: 'to', message: 'must not be before from' });
  if (nightsBetween(from, to) >= mostCalendarDays)
    throw invalid({ path: 'to', message: `a range has at most ${mostCalendarDays} days` });
  return { start_at: atTime(from, '00:00:00'), end_at: atTime(addDays(to, 1), '00:00:00') };
};

/** Reads the months of the calendars of listings, one Query each: a family has one. */
const readCalendars = async ({ table }: Context, listings: readonly Listing[], range: LocalRange) => {
  const ids = [...new Set(listings.map(calendarOf))];
  // The preparation after the last night is taken into account too.
  const last = addDays(dateOf(range.end_at), 1).slice(0, 7);
  const span = { first: range.start_at.slice(0, 7), last, consistent: false };
  return new Map(
    await Promise.all(ids.map(async (id) => [id, familyMonths(await readFamily(table, id, span))] as const)),
  );
};

const calendarItem = (listing: Listing, parts: PriceParts | undefined, time: CalendarTime) => {
  const rateOn = nightRates(rateCardOf(listing, parts), 'OVERNIGHT');
  const taken = takenOf(listing.id, time);
  const limits = parts?.stay_rules && limitsOf(parts.stay_rules);
  const limitOf = (name: 'min_nights' | 'closed_to_arrival' | 'closed', date: string): number =>
    limits ? limitOn(limits, name, dayNumber(date)) : NaN;
  const { range, now } = time;
  const isFree = (date: string): boolean => {
    const night = nightOf(listing, date);
    const stay = { ...night, start_at: nightStart(listing, night.start_at, now) };
    const left = wholeHours(stayTime(listing, stay));
    return !taken.some((stretch) => overlaps(stretch, left));
  };
  return {
    listing_id: listing.id,
    listing_name: listing.name,
    parent_listing_id: listing.parent_listing_id,
    timezone: listing.timezone,
    currency: listing.currency,
    allow_hourly_booking: listing.allow_hourly_booking,
    entries: takenStretches(listing.id, time),
    nights: datesBetween(dateOf(range.start_at), dateOf(range.end_at))
      .filter(isFree)
      .map((date) => ({
        date,
        price: rateOn(date).price,
        min_nights: limitOf('min_nights', date) || 1,
        closed_to_arrival: limitOf('closed_to_arrival', date) === 1,
        closed: limitOf('closed', date) === 1,
      })),
    stay_rules: presentStayRules(listing.id, parts?.stay_rules),
  };
};
