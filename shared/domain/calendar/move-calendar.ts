import { instantText } from '../../platform/clock.ts';
import { ServiceError } from '../../platform/errors.ts';
import { ConflictError, create, equals, remove, type Table, type Write } from '../../platform/table/index.ts';
import { floorHour } from '../../platform/time.ts';
import { CalendarDraft, type ListingTime, notAvailable, type TakenTime } from './calendar-draft.store.ts';
import {
  type AvailabilityEntry,
  AvailabilityEntryEntity,
  type CalendarMonth,
  CalendarMonthEntity,
  concerns,
  type LocalRange,
  overlappingEntries,
  overlaps,
} from './calendar.store.ts';
import { hoursInMonth, hourText, wholeHours } from './hours.rules.ts';

/** Live soft locks that stand against a move, and what would stand against it without them. */
interface Against {
  locks: readonly AvailabilityEntry[];
  /** Stays and blocks of the parent that it leaves take its hours. */
  isTakenBehind: boolean;
  /** Its own stays and blocks overlap with what is taken where it goes. */
  isTakenAhead: boolean;
}

const behind =
  'Stays or blocks of the parent take the hours of this listing too, and it cannot leave the parent before they have ended: wait, or cancel or unblock them (details.unavailable).';
const ahead =
  'Stays or blocks of this listing overlap with what is taken in the family that it would join: cancel or unblock one of them (details.unavailable).';

/** LISTING_NOT_AVAILABLE, which names the live soft locks among what is taken: a host who waits for their end may try again. */
export const moveRefusal = (
  taken: readonly TakenTime[],
  { locks, isTakenBehind, isTakenAhead }: Against,
): ServiceError => {
  const refused = notAvailable(taken);
  const reasons = [...(isTakenBehind ? [behind] : []), ...(isTakenAhead ? [ahead] : [])];
  if (locks.length === 0) return new ServiceError(refused.code, reasons.join(' '), refused.details);
  const last = Math.max(...locks.map(({ locked_until }) => locked_until ?? 0));
  const soft_locks = locks.map(({ listing_id, start_at, end_at, locked_until }) => ({
    listing_id,
    start_at,
    end_at,
    locked_until: locked_until === null ? null : instantText(locked_until),
  }));
  const until = instantText(last);
  reasons.push(`A live soft lock stands in the way until ${until}; try again when it has ended.`);
  return new ServiceError(refused.code, reasons.join(' '), { ...refused.details, soft_locks });
};

interface Move {
  listing_id: number;
  /** The calendar that holds the listing's hours, and the one that will (D26). */
  from: number;
  to: number;
  /** Where a booking may begin that is on its way with an older reading of the listing. */
  window: LocalRange;
  /** The listing's local time: what has ended stays where it is. */
  now: string;
  nowMs: number;
}

interface Moved {
  writes: Write[];
  /** As they stood before. */
  entries: AvailabilityEntry[];
}

const endOfCalendars = '2200-01-01T00:00:00';

/**
 * The writes that bring a listing's stays and blocks, those that have not ended, from one calendar into another (D21, D26), all
 * in one transaction: there is no moment at which its hours stand in neither, or in both. The months it leaves are closed to
 * it, so that a booking in flight loses its race and reads the listing again. Refused with what stands against it: time that
 * is taken in the new calendar, and what cannot come along, which are live soft locks and stays of the parent it leaves.
 */
export const moveCalendar = async (table: Table, move: Move): Promise<Moved> => {
  const { listing_id, from, to, window, now, nowMs } = move;
  const timeIn = (calendar_id: number, range: LocalRange): ListingTime => ({
    calendar_id,
    listing_id,
    start_at: range.start_at,
    end_at: range.end_at,
  });
  const draft = new CalendarDraft(nowMs);
  const leaving = await monthsFrom(table, from, window);
  const arriving = await monthsFrom(table, to, window);
  draft.add([...leaving, ...arriving], [...leaving, ...arriving]);
  const entries = (await overlappingEntries(table, from, { start_at: now, end_at: endOfCalendars })).filter(
    (entry) => entry.listing_id === listing_id && entry.state !== 'SOFT_LOCK',
  );
  await draft.complete(table, [
    timeIn(from, window),
    ...entries,
    ...entries.map((entry) => timeIn(to, entry)),
  ]);
  for (const entry of entries) draft.free(entry);
  // The window too: a month of it that did not exist at first may have been taken since.
  const taken = (): Standing => ({
    rest: [window, ...leaving.map(rangeOf)].flatMap((range) =>
      draft.taken(timeIn(from, sinceNow(range, now))),
    ),
    against: entries.flatMap((entry) => draft.taken(timeIn(to, sinceNow(entry, now)))),
  });
  const standing = taken();
  if (standing.rest.length > 0) requireUnchanged(leaving, await monthsFrom(table, from, window));
  if (isAny(standing)) {
    const locks = await locksAmong(table, move, standing);
    await draft.complete(table, locks);
    for (const lock of locks) draft.unhold(lock);
    const unavailable = joined([...standing.rest, ...standing.against]);
    const { rest, against } = taken();
    const beside = { isTakenBehind: rest.length > 0, isTakenAhead: against.length > 0 };
    throw moveRefusal(unavailable, { locks, ...beside });
  }
  for (const month of arriving) draft.reopen(timeIn(to, rangeOf(month)));
  for (const entry of entries) {
    draft.close(entry);
    draft.take(timeIn(to, entry));
  }
  draft.close(timeIn(from, window));
  return { entries, writes: [...draft.writes(), ...entries.flatMap((entry) => movedEntry(entry, to))] };
};

/** Time that stands against a move: what is left in the old calendar, what is taken in the new one. */
interface Standing {
  rest: TakenTime[];
  against: TakenTime[];
}

const isAny = ({ rest, against }: Standing): boolean => rest.length + against.length > 0;

/** The live soft locks that the time is taken by. */
const locksAmong = async (
  table: Table,
  { listing_id, from, to, now, nowMs }: Move,
  { rest, against }: Standing,
): Promise<AvailabilityEntry[]> => {
  const among = async (calendar_id: number, stretches: readonly TakenTime[]) => {
    const entries = await overlappingEntries(table, calendar_id, { start_at: now, end_at: endOfCalendars });
    return entries.filter(
      (entry) =>
        (entry.locked_until ?? 0) > nowMs &&
        concerns(entry, listing_id) &&
        stretches.some((stretch) => overlaps(wholeHours(entry), stretch)),
    );
  };
  const found = await Promise.all([among(from, rest), among(to, against)]);
  return found.flat();
};

/** The months of a calendar from the window on, however far ahead. */
const monthsFrom = async (
  table: Table,
  calendar_id: number,
  window: LocalRange,
): Promise<CalendarMonth[]> => {
  const { pk, sk } = CalendarMonthEntity.key({ calendar_id, month: window.start_at.slice(0, 7) });
  const end = CalendarMonthEntity.key({ calendar_id, month: endOfCalendars.slice(0, 7) });
  const { items } = await table.queryAll({ pk, from: sk, to: end.sk });
  return items as unknown as CalendarMonth[];
};

/** Hours without an entry are a stay that was booked or cancelled between the two readings, unless the months are the same still. */
const requireUnchanged = (before: readonly CalendarMonth[], after: readonly CalendarMonth[]): void => {
  const versions = (months: readonly CalendarMonth[]) =>
    months.map(({ month, version }) => `${month} ${version}`);
  if (versions(before).join() !== versions(after).join()) throw new ConflictError('CalendarMonth');
};

const rangeOf = ({ month }: CalendarMonth): LocalRange => ({
  start_at: hourText(month, 0),
  end_at: hourText(month, hoursInMonth(month)),
});

const sinceNow = ({ start_at, end_at }: LocalRange, now: string): LocalRange => ({
  start_at: start_at < now ? floorHour(now) : start_at,
  end_at,
});

/** Stretches that overlap, or touch at the border of months, are one. */
const joined = (stretches: readonly TakenTime[]): TakenTime[] =>
  stretches
    .toSorted((one, other) => (one.start_at < other.start_at ? -1 : 1))
    .reduce<TakenTime[]>((result, stretch) => {
      const last = result.at(-1);
      if (!last || stretch.start_at > last.end_at) return [...result, { ...stretch }];
      const { end_at, free_again_at } = stretch;
      if (end_at > last.end_at) Object.assign(last, { end_at, free_again_at });
      return result;
    }, []);

const movedEntry = (entry: AvailabilityEntry, calendar_id: number): Write[] => [
  remove(AvailabilityEntryEntity, entry, { when: equals('availability_id', entry.availability_id) }),
  create(AvailabilityEntryEntity, { ...entry, calendar_id }),
];
