import type { Context } from '../../platform/context.ts';
import { invalid } from '../../platform/errors.ts';
import { addDays, atTime, nightsBetween, today } from '../../platform/time.ts';
import type { LocalRange } from '../calendar/index.ts';
import { type Listing, visibleListing } from '../listing/index.ts';
import type { Availability, AvailabilityState } from './availability.schema.ts';
import { requireWithinCalendar } from './calendar-limits.ts';
import { freeGaps } from './free-gaps.ts';
import { visibleEntries } from './visible-entries.ts';

const midnight = '00:00:00';
const defaultDays = 365;
const longestDays = 1096;

/** The entries that overlap one month, the listing's present one by default (D28). */
export const readMonth = async (
  ctx: Context,
  listingId: number,
  { year, month }: { year?: number | undefined; month?: number | undefined },
): Promise<Availability[]> => {
  const listing = await visibleListing(ctx, listingId);
  const [thisYear = 0, thisMonth = 0] = today(ctx.clock.now(), listing.timezone).split('-').map(Number);
  const first = monthStart(year ?? thisYear, month ?? thisMonth);
  const next =
    (month ?? thisMonth) === 12
      ? monthStart((year ?? thisYear) + 1, 1)
      : monthStart(year ?? thisYear, (month ?? thisMonth) + 1);
  return visibleEntries(ctx, listing, { start_at: atTime(first, midnight), end_at: atTime(next, midnight) });
};

/** The entries that overlap a range of dates, both included; with state AVAILABLE its free gaps (D28). */
export const readRange = async (
  ctx: Context,
  listingId: number,
  query: {
    start_date?: string | undefined;
    end_date?: string | undefined;
    state?: AvailabilityState | undefined;
  },
): Promise<Availability[]> => {
  const listing = await visibleListing(ctx, listingId);
  const range = localRange(ctx, listing, query);
  const entries = await visibleEntries(ctx, listing, range);
  if (query.state === 'AVAILABLE') return freeGaps(listing.id, range, entries);
  return entries.filter(({ state }) => query.state === undefined || state === query.state);
};

/** The dates of a query as a half-open local interval; from today on by default. */
export const localRange = (
  ctx: Context,
  listing: Listing,
  { start_date, end_date }: { start_date?: string | undefined; end_date?: string | undefined },
  days = { whenAbsent: defaultDays, most: longestDays },
): LocalRange => {
  requireWithinCalendar({ start_date, end_date });
  const first = start_date ?? today(ctx.clock.now(), listing.timezone);
  const last = end_date ?? addDays(first, days.whenAbsent - 1);
  if (last < first) throw invalid({ path: 'end_date', message: 'end_date is before start_date' });
  if (nightsBetween(first, last) >= days.most)
    throw invalid({ path: 'end_date', message: `a range has at most ${days.most} days` });
  return { start_at: atTime(first, midnight), end_at: atTime(addDays(last, 1), midnight) };
};

const monthStart = (year: number, month: number): string =>
  `${String(year).padStart(4, '0')}-${String(month).padStart(2, '0')}-01`;
