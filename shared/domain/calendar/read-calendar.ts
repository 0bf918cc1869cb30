import { type Caller, isHostOf } from '../../platform/auth.ts';
import { instantText } from '../../platform/time/clock.ts';
import type { Context } from '../../platform/context.ts';
import { invalid } from '../../platform/errors.ts';
import { addDays, atTime, dateOf, nightsBetween, today } from '../../platform/time/time.ts';
import { reservationRead, stayLabel } from '../booking/model.ts';
import { type Listing, visibleListing } from '../listing/model.ts';
import type { Availability, AvailabilityState } from './availability.schema.ts';
import { type AvailabilityEntry, overlappingEntries } from './calendar.store.ts';
import { calendarOf, affectsListing, type LocalRange, overlaps } from './listing-time.rules.ts';
import { labelOf, preparationLabel } from './entry-label.rules.ts';
import { takenUntil, wholeHours } from './hours.rules.ts';

/** The years of the calendar; blocks and ranges must be within them. */
const calendarDates = { first: '2000-01-01', last: '2199-12-31' };

export const wholeCalendar: LocalRange = {
  start_at: '2000-01-01T00:00:00',
  end_at: '2200-01-01T00:00:00',
};

/** Returns the latest moment of a date (its end) or of a datetime. */
const latest = (text: string): string =>
  text.length === calendarDates.last.length ? calendarDates.last : wholeCalendar.end_at;

/** Throws VALIDATION_ERROR for dates or datetimes outside the calendar, under their names in the request. */
export const requireWithinCalendar = (named: Readonly<Record<string, string | undefined>>): void => {
  const { first, last } = calendarDates;
  const issues = Object.entries(named)
    .filter(([, text]) => text !== undefined && (text < first || text > latest(text)))
    .map(([path]) => ({ path, message: `must be from ${first} to ${last}` }));
  if (issues.length > 0) throw invalid(...issues);
};

/** Returns the live entries that take hours of a listing in a range, its parent's or children's included (D26, D27). */
export const takingEntries = async (
  ctx: Context,
  listing: Listing,
  range: LocalRange,
): Promise<AvailabilityEntry[]> => {
  const now = ctx.clock.now();
  const entries = await overlappingEntries(ctx.table, calendarOf(listing), range);
  return entries
    .filter((entry) => entry.locked_until === null || entry.locked_until > now)
    .filter((entry) => affectsListing(entry, listing.id));
};

/**
 * Returns entries, and the preparation after them, within a range as the caller may see them: reservation and note are for hosts
 * and the guest of the booking (D15), labels for hosts (D125).
 */
export const presentEntries = (
  ctx: Context,
  listing: Listing,
  range: LocalRange,
  entries: readonly AvailabilityEntry[],
): Availability[] =>
  entries
    .flatMap((entry) => [
      presentEntry(ctx.caller, listing, entry),
      ...preparationAfter(ctx.caller, listing, entry),
    ])
    .filter((shown) => overlaps(shown, range))
    .sort((one, other) => (one.start_at < other.start_at ? -1 : 1));

/** Returns the time after an entry that is taken too, as the caller may see it: it is not a stay (D77). */
const preparationAfter = (caller: Caller, listing: Listing, entry: AvailabilityEntry): Availability[] => {
  const until = takenUntil(entry);
  if (until === entry.end_at) return [];
  const isHost = isHostOf(caller, listing.team_id);
  return [
    {
      ...presentEntry(caller, listing, entry),
      ...(isHost ? preparationLabel(entry, listing.id) : {}),
      id: 0,
      reservation_id: null,
      date: dateOf(entry.end_at),
      start_at: entry.end_at,
      end_at: until,
      state: entry.state === 'SOFT_LOCK' ? 'SOFT_LOCK' : 'BLOCKED',
      note: isHost && entry.listing_id === listing.id ? 'preparation' : null,
    },
  ];
};

/** Returns an entry as the caller may see it; one inherited from parent or child has no reservation (D27). */
export const presentEntry = (caller: Caller, listing: Listing, entry: AvailabilityEntry): Availability => {
  const isOwn = caller.kind === 'user' && entry.guest_user_id === caller.user_id;
  const isHost = isHostOf(caller, listing.team_id);
  const shown = entry.listing_id === listing.id && (isOwn || isHost);
  return {
    id: entry.availability_id,
    listing_id: listing.id,
    reservation_id: shown ? entry.reservation_id : null,
    date: entry.start_at.slice(0, 10),
    start_at: entry.start_at,
    end_at: entry.end_at,
    state: entry.state,
    locked_until: entry.locked_until === null ? null : instantText(entry.locked_until),
    note: shown ? entry.note : null,
    created_at: entry.created_at,
    ...(isHost ? labelOf(entry, listing.id) : {}),
  };
};

/**
 * Returns the entries of a listing in a range as the caller may see them. Hosts see the payment of each stay, which is read with
 * its record.
 */
const visibleEntries = async (
  ctx: Context,
  listing: Listing,
  range: LocalRange,
  state?: AvailabilityState,
): Promise<Availability[]> => {
  const all = presentEntries(ctx, listing, range, await takingEntries(ctx, listing, range));
  const entries = state === undefined ? all : all.filter((entry) => entry.state === state);
  const stays = entries.flatMap(({ kind, booking_id: id }) => (kind === 'STAY' && id ? [id] : []));
  if (stays.length === 0) return entries;
  const found = await ctx.table.getAll(stays.map(reservationRead));
  const labels = new Map(stays.map((id, at) => [id, found[at] && stayLabel(found[at])]));
  return entries.map((entry) =>
    entry.kind === 'STAY' ? { ...entry, ...labels.get(entry.booking_id ?? 0) } : entry,
  );
};

/** Returns the free stretches of a range, in whole hours, as entries with id 0 (D28). */
const freeGaps = (listingId: number, range: LocalRange, entries: readonly Availability[]): Availability[] => {
  const gaps: Availability[] = [];
  let free = range.start_at;
  for (const entry of [...entries, { start_at: range.end_at, end_at: range.end_at }]) {
    const { start_at, end_at } = wholeHours(entry);
    if (start_at > free) gaps.push(gap(listingId, free, start_at));
    if (end_at > free) free = end_at;
  }
  return gaps;
};

const gap = (listingId: number, startAt: string, endAt: string): Availability => ({
  id: 0,
  listing_id: listingId,
  reservation_id: null,
  date: startAt.slice(0, 10),
  start_at: startAt,
  end_at: endAt,
  state: 'AVAILABLE',
  locked_until: null,
  note: null,
  created_at: null,
});

const midnight = '00:00:00';
const defaultDays = 365;
const maxRangeDays = 1096;

/** Returns the entries that overlap a month, by default the listing's present one (D28). */
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

/** Returns the entries that overlap a range of dates, both inclusive; with state AVAILABLE its free gaps (D28). */
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
  if (query.state !== 'AVAILABLE') return visibleEntries(ctx, listing, range, query.state);
  const entries = await takingEntries(ctx, listing, range);
  return freeGaps(listing.id, range, presentEntries(ctx, listing, range, entries));
};

/** Returns the dates of a query as a half-open local interval; by default from today on. */
export const localRange = (
  ctx: Context,
  listing: Listing,
  { start_date, end_date }: { start_date?: string | undefined; end_date?: string | undefined },
  days = { default: defaultDays, max: maxRangeDays },
): LocalRange => {
  requireWithinCalendar({ start_date, end_date });
  const first = start_date ?? today(ctx.clock.now(), listing.timezone);
  const last = end_date ?? addDays(first, days.default - 1);
  if (last < first) throw invalid({ path: 'end_date', message: 'must not be before start_date' });
  if (nightsBetween(first, last) >= days.max)
    throw invalid({ path: 'end_date', message: `a range has at most ${days.max} days` });
  return { start_at: atTime(first, midnight), end_at: atTime(addDays(last, 1), midnight) };
};

const monthStart = (year: number, month: number): string =>
  `${String(year).padStart(4, '0')}-${String(month).padStart(2, '0')}-01`;
