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
  overlaps,
  readFamily,
  stayTime,
  wholeHours,
} from '../calendar/model.ts';
import { pageTeamListings } from '../listing/index.ts';
import type { Listing } from '../listing/model.ts';
import {
  nightOf,
  nightRates,
  nightStart,
  presentStayRules,
  type PriceParts,
  rateCardOf,
  readTeamPriceParts,
} from '../pricing/model.ts';
import { type CalendarTime, takenOf, takenStretches } from './taken-stretches.rules.ts';
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
  const [page, stays] = await Promise.all([
    pageTeamListings(ctx, teamId, { page: 1, ...paging }),
    teamStayRows(ctx, teamId, from, isStanding, ['guest']),
  ]);
  const ids = page.items.map(({ id }) => id);
  const [parts, calendars] = await Promise.all([
    readTeamPriceParts(ctx.table, teamId, ids),
    readCalendars(ctx, page.items, range),
  ]);
  const byListing = Map.groupBy(stays, ({ listing }) => listing);
  const staysOf = (listingId: number) => byListing.get(listingId) ?? [];
  const now = ctx.clock.now();
  const items = page.items.map((listing, at) => {
    const calendarId = calendarOf(listing);
    const months = calendars.get(calendarId) ?? [];
    return calendarItem(listing, parts[at], { calendar_id: calendarId, months, staysOf, range, now });
  });
  return { items, next_cursor: page.next_cursor };
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
  const { range, now } = time;
  const isFree = (date: string): boolean => {
    const night = nightOf(listing, date);
    const stay = { ...night, start_at: nightStart(listing, night.start_at, now) };
    const left = wholeHours(stayTime(listing, stay));
    return !taken.some((stretch) => overlaps(stretch, left));
  };
  return {
    listing_id: listing.id,
    entries: takenStretches(listing.id, time),
    nights: datesBetween(dateOf(range.start_at), dateOf(range.end_at))
      .filter(isFree)
      .map((date) => ({ date, price: rateOn(date).price })),
    stay_rules: presentStayRules(listing.id, parts?.stay_rules),
  };
};
