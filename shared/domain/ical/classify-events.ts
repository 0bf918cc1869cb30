import { addDays, dateOf, dateOfDay, dayNumber, today } from '../../platform/time/time.ts';
import type { LocalRange } from '../calendar/model.ts';
import { nightOf } from '../pricing/model.ts';
import {
  echoMs,
  type GivenTime,
  handedOnMs,
  hoursOf,
  isNights,
  reExportMs,
  type Span,
} from './exported-times.ts';
import type { KeptEvent } from './kept-events.ts';
import type { FeedEvent } from './reading/read-feed.ts';
import type { FeedListing } from './reading/taken-time.ts';

/** The events of a fetch: bookings of the follower's own, and echoes (D94). */
interface ClassifiedEvents {
  /** Bookings of the follower's own, also those that are a part of an echo. */
  bookings: (FeedEvent & Pick<KeptEvent, 'late' | 'joined'>)[];
  echoes: FeedEvent[];
  /** The given times that are echoed. */
  seen: Set<GivenTime>;
  /** An echo whose side of ours has gone: only time decides. */
  waits: boolean;
}

interface Judging {
  /** Bookings of the fetch before. */
  known: readonly KeptEvent[];
  given: readonly GivenTime[];
  /** The keys of the echoes when they were looked at first, or when our side of one had gone; undefined: not known. */
  echoKeys?: ReadonlySet<string> | undefined;
  listing: FeedListing;
  now: number;
}

/**
 * Distinguishes a follower's own bookings from echoes of what it was given (D94). An event that was a booking stays one while its UID
 * or its time stays. A new one is an echo where its nights or hours are exactly those of one or several adjacent entries that
 * the follower was given: those of the last text, and earlier ones whose echo has not been away since, until 48 hours after
 * our side has gone. A follower that was given a text without the time may have sold it by then: an event of that time is an
 * echo only under the UID that the echo had, and for 6 hours. Under another one, or once the echo had gone, it is a booking
 * at once: a night kept too long clears with the echo, a night sold twice does not. Where a follower gives its echoes new
 * UIDs, or where such a booking was away, it is an echo again while the follower's last text holds exactly its time, and time
 * handed on in a circle is an echo under any UID.
 */
export const classifyEvents = (found: readonly FeedEvent[], judging: Judging): ClassifiedEvents => {
  const { known, given, echoKeys, listing, now } = judging;
  const judged: ClassifiedEvents = { bookings: [], echoes: [], seen: new Set(), waits: false };
  const date = today(now, listing.timezone);
  const wasBooking = memoryOf(found, { known, echoKeys, date });
  const live = given.filter((time) => isLive(time, now));
  const covering = { found, listing, date, isDate: ({ isCurrent }: GivenTime) => isCurrent };
  const standing = coverOf(live.filter(isStanding), covering);
  const renames = !keepsKeys(found, { known, echoKeys, standing });
  const kept = coverOf(
    live.filter(({ droppedAt, isReturned }) => droppedAt === null || (isReturned && renames)),
    covering,
  );
  const familiar = coverOf(live, covering);
  const echoed = (event: FeedEvent): GivenTime[] => {
    const parts = kept(event);
    return parts.length === 0 && (echoKeys?.has(event.key) ?? true) ? familiar(event) : parts;
  };
  const again = (before: KeptEvent, event: FeedEvent): GivenTime[] =>
    before.late && (before.key !== event.key || before.misses > 0) ? standing(event) : [];
  const echoes = new Map<FeedEvent, GivenTime[]>();
  const everEchoed = coverOf(given, { found, listing, date, isDate: () => true });
  for (const event of found) {
    const before = wasBooking(event);
    const parts = before ? again(before, event) : echoed(event);
    if (parts.length === 0) {
      const late = before ? before.late : everEchoed(event).length > 0;
      judged.bookings.push({ ...event, late, joined: false });
      continue;
    }
    echoes.set(event, parts);
    for (const part of parts) judged.seen.add(part);
    judged.waits ||= parts.some(({ goneAt, droppedAt }) => goneAt !== null || droppedAt !== null);
  }
  judged.echoes.push(...echoes.keys());
  judged.bookings.push(...bookingsWithin(echoes, { known, found, listing }));
  return judged;
};

/**
 * Bookings of the fetch before that have become a part of an echo in which no given night is theirs: hours beside nights close
 * a whole date there, and a platform that shows its own bookings and ours as one event shows the same with and without them.
 * Where the echo of those hours stood beside a booking before, the booking has gone.
 */
const bookingsWithin = (
  echoes: ReadonlyMap<FeedEvent, readonly GivenTime[]>,
  { known, found, listing }: Pick<Judging, 'known' | 'listing'> & { found: readonly FeedEvent[] },
): KeptEvent[] => {
  const keys = new Set(found.map(({ key }) => key));
  const times = new Set(found.map(timeText));
  const isWithin = (before: KeptEvent): boolean => {
    const own = datesIn(before, listing);
    return [...echoes].some(([event, parts]) => {
      const span = datesIn(event, listing);
      const nights = parts.filter(({ hours }) => isNights(hours)).map(({ dates }) => dates);
      if (!own || !span || !covers([span], own) || covers(nights, own)) return false;
      return before.joined || parts.some(({ dates, isSeen }) => !isSeen && meets(dates, own));
    });
  };
  return known
    .filter((before) => before.misses === 0 && !keys.has(before.key) && !times.has(timeText(before)))
    .filter(isWithin)
    .map((before) => ({ ...before, joined: true }));
};

const meets = (one: Span, other: Span): boolean => one.from < other.to && one.to > other.from;

/** Whether times leave nothing of a span out. */
const covers = (times: readonly Span[], span: Span): boolean => {
  let reached = span.from;
  for (const { from, to } of times.toSorted((one, other) => one.from - other.from))
    if (from <= reached) reached = Math.max(reached, to);
  return reached >= span.to;
};

const isLive = (time: GivenTime, now: number): boolean => {
  const { isCurrent, isSeen, isReturned, goneAt, droppedAt } = time;
  if (!isCurrent && !isSeen && !isReturned) return false;
  const shelterMs = isReturned ? handedOnMs : reExportMs;
  return (goneAt === null || now - goneAt < echoMs) && (droppedAt === null || now - droppedAt < shelterMs);
};

const isStanding = ({ isCurrent, goneAt }: GivenTime): boolean => isCurrent && goneAt === null;

/** Whether the follower shows an echo again under the UID it had; where there is none to compare, a booking. */
const keepsKeys = (
  found: readonly FeedEvent[],
  { known, echoKeys, standing }: Pick<Judging, 'known' | 'echoKeys'> & { standing: Cover },
): boolean => {
  const seen = found.filter((event) => {
    const parts = standing(event);
    return parts.length > 0 && parts.every(({ isSeen }) => isSeen);
  });
  const keys = new Set(known.map(({ key }) => key));
  return seen.length > 0
    ? seen.some(({ key }) => echoKeys?.has(key) ?? false)
    : found.some(({ key }) => keys.has(key));
};

/**
 * Whether all that a vanished booking lacks is time that the follower was given: platforms that show a booking of their own
 * and ours as one event show less once ours has gone (D94).
 */
export const shrunk = (
  found: readonly FeedEvent[],
  { given, listing }: Pick<Judging, 'given' | 'listing'>,
): ((event: FeedEvent) => boolean) => {
  const left = found.map((event) => datesIn(event, listing)).filter((span) => span !== undefined);
  const parts = [...left, ...given.map(({ dates }) => dates)];
  return (event) => {
    const span = datesIn(event, listing);
    if (!span || !left.some(({ from, to }) => from < span.to && to > span.from)) return false;
    return covers(parts, span);
  };
};

export const timeText = ({ start_at, end_at }: LocalRange): string => `${start_at} ${end_at}`;

/**
 * The booking that an event was at the fetch before; where UIDs change with every export, the one with its time. What was an
 * echo beside it has not become that booking when the booking vanishes. One that begins today may be what is left of an earlier one.
 */
const memoryOf = (
  found: readonly FeedEvent[],
  { known, echoKeys, date }: Pick<Judging, 'known' | 'echoKeys'> & { date: string },
): ((event: FeedEvent) => KeptEvent | undefined) => {
  const keys = new Set(found.map(({ key }) => key));
  const byKey = new Map(known.map((event) => [event.key, event]));
  const renamed = new Map(
    known
      .filter(({ key, misses }) => misses === 0 && !keys.has(key))
      .map((event) => [timeText(event), event]),
  );
  return (event) => {
    const same = byKey.get(event.key);
    if (same && (timeText(same) === timeText(event) || isCut(same, event, date))) return same;
    return echoKeys?.has(event.key) ? undefined : renamed.get(timeText(event));
  };
};

/** Whether an event is another as it is shown without what is past. */
const isCut = (before: LocalRange, { start_at, end_at }: LocalRange, date: string): boolean =>
  dateOf(start_at) === date && before.start_at < start_at && before.end_at === end_at;

interface Covering extends Pick<Judging, 'listing'> {
  found: readonly FeedEvent[];
  /** Today: what began earlier may be shown without what is past. */
  date: string;
  /** Hours that may be shown as their whole date; a platform that shows the hours themselves never does. */
  isDate: (time: GivenTime) => boolean;
}

type Cover = (event: FeedEvent) => GivenTime[];

/** Finds the given times that an event is made of; none: it is not exactly theirs. */
const coverOf = (given: readonly GivenTime[], { found, listing, date, isDate }: Covering): Cover => {
  const day = dayNumber(date);
  const timed = new Set(found.filter(({ dates }) => !dates).map((event) => spanText(hoursOf(event))));
  const asDates = given.filter(
    (time) => isNights(time.hours) || (isDate(time) && !timed.has(spanText(time.hours))),
  );
  return (event) => {
    const nights = datesIn(event, listing);
    const cut = ({ dates: { from, to } }: GivenTime): Span => ({
      from: nights?.from === day && to > day ? Math.max(from, day) : from,
      to,
    });
    const byDates = nights ? exactly(nights, asDates, cut) : [];
    return byDates.length > 0 ? byDates : exactly(hoursOf(event), given, (time) => shownHours(time, listing));
  };
};

/** Nights are given as dates alone: a platform that shows hours of them shows those from check-in to check-out. */
const shownHours = (time: GivenTime, listing: FeedListing): Span =>
  isNights(time.hours)
    ? hoursOf({
        start_at: nightOf(listing, dateOfDay(time.dates.from)).start_at,
        end_at: nightOf(listing, dateOfDay(time.dates.to - 1)).end_at,
      })
    : time.hours;

const spanText = ({ from, to }: Span): string => `${from} ${to}`;
const spanOf = ({ from, to }: { from: string; to: string }): Span => ({
  from: dayNumber(from),
  to: dayNumber(to),
});

/** The dates of an event as a platform sees them that knows nights alone. */
const datesIn = (event: FeedEvent, listing: FeedListing): Span | undefined =>
  event.dates ? spanOf(event.dates) : nightsBy(event, listing);

/** The nights of an event that lasts from a check-in hour of the listing to a check-out hour. */
const nightsBy = ({ start_at, end_at }: FeedEvent, listing: FeedListing): Span | undefined => {
  const [from, to] = [dateOf(start_at), dateOf(end_at)];
  const isWhole =
    from < to &&
    nightOf(listing, from).start_at === start_at &&
    nightOf(listing, addDays(to, -1)).end_at === end_at;
  return isWhole ? spanOf({ from, to }) : undefined;
};

/** The times that lie within a span, where they leave nothing of it out. */
const exactly = (span: Span, times: readonly GivenTime[], partOf: (time: GivenTime) => Span): GivenTime[] => {
  const inside = times.filter((time) => partOf(time).from >= span.from && partOf(time).to <= span.to);
  return covers(inside.map(partOf), span) ? inside : [];
};
