import { isDeepStrictEqual } from 'node:util';
import { instantText } from '../../platform/time/clock.ts';
import { ServiceError } from '../../platform/errors.ts';
import { ConflictError, equals, put, remove, type Table, type Write } from '../../platform/table/index.ts';
import { floorHour } from '../../platform/time/time.ts';
import { CalendarDraft } from './calendar-draft.store.ts';
import {
  type AvailabilityEntry,
  AvailabilityEntryEntity,
  type CalendarMonth,
  homeOf,
  overlappingEntries,
  readFamily,
} from './calendar.store.ts';
import { affectsListing, type LocalRange, overlaps } from './listing-time.rules.ts';
import { rangeOf, wholeHours } from './hours.rules.ts';
import { type ListingTime, notAvailable, type TakenTime } from './taken-time.rules.ts';

/** The live soft locks that prevent a move, and what would prevent it without them. */
interface MoveObstacles {
  locks: readonly AvailabilityEntry[];
  /** The old parent has stays or blocks that take the listing's hours. */
  isTakenByParent: boolean;
  /** The listing's stays or blocks overlap with taken time of the new calendar. */
  isTakenInFamily: boolean;
}

const parentConflict =
  'Stays or blocks of the parent take the hours of this listing too; it cannot leave the parent before they have ended. Wait, or cancel or unblock them (details.unavailable).';
const familyConflict =
  'Stays or blocks of this listing overlap with taken time of the family that it would join. Cancel or unblock one of them (details.unavailable).';

/** Returns LISTING_NOT_AVAILABLE with the live soft locks among the taken times, after whose end a host may try again. */
const moveRefusal = (
  taken: readonly TakenTime[],
  { locks, isTakenByParent, isTakenInFamily }: MoveObstacles,
): ServiceError => {
  const refused = notAvailable(taken);
  const reasons = [
    ...(isTakenByParent ? [parentConflict] : []),
    ...(isTakenInFamily ? [familyConflict] : []),
  ];
  if (locks.length === 0) return new ServiceError(refused.code, reasons.join(' '), refused.details);
  const last = Math.max(...locks.map(({ locked_until }) => locked_until ?? 0));
  const softLocks = locks.map(({ listing_id, start_at, end_at, locked_until }) => ({
    listing_id,
    start_at,
    end_at,
    locked_until: locked_until === null ? null : instantText(locked_until),
  }));
  const until = instantText(last);
  reasons.push(`A soft lock prevents the move until ${until}; try again when it has ended.`);
  return new ServiceError(refused.code, reasons.join(' '), { ...refused.details, soft_locks: softLocks });
};

interface Move {
  listing_id: number;
  /** The calendars that hold the listing's hours before and after the move (D26). */
  from: number;
  to: number;
  /** The listing's time zone after the move. */
  timezone: string;
  /** The time in which a concurrent booking with an earlier reading of the listing may begin. */
  window: LocalRange;
  /** The listing's local time; entries that have ended are not moved. */
  now: string;
  nowMs: number;
}

interface Moved {
  writes: Write[];
  /** As before the move. */
  entries: AvailabilityEntry[];
}

const endOfCalendar = '2200-01-01T00:00:00';

/**
 * Returns the writes that move a listing's stays and blocks that have not ended to another calendar in one transaction
 * (D21, D26), so that its hours are always in exactly one calendar. The months it leaves are closed to it, so that a
 * concurrent booking conflicts and reads the listing again. Throws LISTING_NOT_AVAILABLE for time that is taken in the
 * new calendar, and for live soft locks and the old parent's stays, which cannot move.
 */
export const moveCalendar = async (table: Table, move: Move): Promise<Moved> => {
  const { listing_id, from, to, timezone, window, now, nowMs } = move;
  const timeIn = (calendarId: number, range: LocalRange): ListingTime => ({
    calendar_id: calendarId,
    listing_id,
    start_at: range.start_at,
    end_at: range.end_at,
  });
  const inNewCalendar = (entry: AvailabilityEntry): ListingTime => ({ ...entry, calendar_id: to });
  const draft = new CalendarDraft(nowMs);
  const oldMonths = await monthsFrom(table, from, window);
  const newMonths = await monthsFrom(table, to, window);
  draft.add([...oldMonths, ...newMonths].map(homeOf), [...oldMonths, ...newMonths]);
  const entries = (await overlappingEntries(table, from, { start_at: now, end_at: endOfCalendar })).filter(
    ({ listing_id: of, state, imported_for }) =>
      of === listing_id && state !== 'SOFT_LOCK' && imported_for === undefined,
  );
  await draft.complete(table, [timeIn(from, window), ...entries, ...entries.map(inNewCalendar)]);
  for (const entry of entries) draft.free(entry);
  // The window too: a month of it that did not exist before may have been taken since.
  const taken = (): BlockedTime => ({
    remaining: [window, ...distinctOf(oldMonths).map(rangeOf)].flatMap((range) =>
      draft.taken(timeIn(from, sinceNow(range, now))),
    ),
    conflicting: entries.flatMap((entry) =>
      draft.taken({ ...inNewCalendar(entry), ...sinceNow(entry, now) }),
    ),
  });
  const blocked = taken();
  if (blocked.remaining.length > 0) requireUnchanged(oldMonths, await monthsFrom(table, from, window));
  if (blocked.conflicting.length > 0) requireUnchanged(newMonths, await monthsFrom(table, to, window));
  if (hasBlockedTime(blocked)) {
    const locks = await locksAmong(table, move, blocked);
    await draft.complete(table, locks);
    for (const lock of locks) draft.releaseHold(lock);
    const unavailable = joinOverlapping([...blocked.remaining, ...blocked.conflicting]);
    const { remaining, conflicting } = taken();
    const beside = { isTakenByParent: remaining.length > 0, isTakenInFamily: conflicting.length > 0 };
    throw moveRefusal(unavailable, { locks, ...beside });
  }
  for (const month of distinctOf(newMonths)) draft.reopen({ ...timeIn(to, rangeOf(month)), timezone });
  for (const entry of entries) {
    // A current stay may have started in a month before the window.
    draft.reopen({ ...inNewCalendar(entry), timezone });
    draft.close(entry);
    draft.requireUnchangedParent(entry);
    draft.take(inNewCalendar(entry));
  }
  draft.close(timeIn(from, window));
  draft.requireUnchangedParent(timeIn(from, window));
  return { entries, writes: [...draft.writes(), ...entries.flatMap((entry) => movedEntry(entry, to))] };
};

/** Time that prevents a move: what remains in the old calendar, what is taken in the new one. */
interface BlockedTime {
  remaining: TakenTime[];
  conflicting: TakenTime[];
}

const hasBlockedTime = ({ remaining, conflicting }: BlockedTime): boolean =>
  remaining.length + conflicting.length > 0;

/** Returns the live soft locks that take the time. */
const locksAmong = async (
  table: Table,
  { listing_id, from, to, now, nowMs }: Move,
  { remaining, conflicting }: BlockedTime,
): Promise<AvailabilityEntry[]> => {
  const among = async (calendarId: number, stretches: readonly TakenTime[]) => {
    const entries = await overlappingEntries(table, calendarId, { start_at: now, end_at: endOfCalendar });
    return entries.filter(
      (entry) =>
        (entry.locked_until ?? 0) > nowMs &&
        affectsListing(entry, listing_id) &&
        stretches.some((stretch) => overlaps(wholeHours(entry), stretch)),
    );
  };
  const found = await Promise.all([among(from, remaining), among(to, conflicting)]);
  return found.flat();
};

/** Returns the months of a calendar from the window on, of all of its listings. */
const monthsFrom = (table: Table, calendarId: number, window: LocalRange): Promise<CalendarMonth[]> =>
  readFamily(table, calendarId, { first: window.start_at.slice(0, 7) });

/** Returns the months that are there, each once. */
const distinctOf = (months: readonly CalendarMonth[]): CalendarMonth[] => [
  ...new Map(months.map((month) => [month.month, month])).values(),
];

/**
 * Throws ConflictError if a month has changed between the two readings: hours without an entry then belong to a stay that
 * was booked or cancelled meanwhile.
 */
const requireUnchanged = (before: readonly CalendarMonth[], after: readonly CalendarMonth[]): void => {
  if (!isDeepStrictEqual(before, after)) throw new ConflictError('CalendarMonth');
};

const sinceNow = ({ start_at, end_at }: LocalRange, now: string): LocalRange => ({
  start_at: start_at < now ? floorHour(now) : start_at,
  end_at,
});

/** Joins stretches that overlap or touch at the end of a month. */
const joinOverlapping = (stretches: readonly TakenTime[]): TakenTime[] =>
  stretches
    .toSorted((one, other) => (one.start_at < other.start_at ? -1 : 1))
    .reduce<TakenTime[]>((result, stretch) => {
      const last = result.at(-1);
      if (!last || stretch.start_at > last.end_at) return [...result, { ...stretch }];
      const { end_at, free_again_at } = stretch;
      if (end_at > last.end_at) Object.assign(last, { end_at, free_again_at });
      return result;
    }, []);

/** An entry is in one calendar only; so the condition that it is still in the old one keeps the new one from having it. */
const movedEntry = (entry: AvailabilityEntry, calendarId: number): Write[] => [
  remove(AvailabilityEntryEntity, entry, { when: equals('availability_id', entry.availability_id) }),
  put(AvailabilityEntryEntity, { ...entry, calendar_id: calendarId }),
];
