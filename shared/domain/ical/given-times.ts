import { addDays, addHours, dateOf, nightsBetween, toLocal } from '../../platform/time.ts';
import { hourNumber, type LocalRange, wholeHours } from '../calendar/index.ts';
import { eventTimes } from './feed-events.ts';
import type { FeedListing } from './reading/read-feed.ts';

/** Half-open, in hours or in days since 1970, local time. */
export interface Span {
  from: number;
  to: number;
}

/** Time that a follower was given, as hours and as the dates of a platform that knows nights alone. */
export interface GivenTime {
  hours: Span;
  dates: Span;
  /** It was in the text given last. */
  isCurrent: boolean;
  /** Its echo was in the follower's feed as it was read last. */
  isSeen: boolean;
  /** Epoch milliseconds since when nothing of ours takes it any more; null: something does. */
  goneAt: number | null;
}

const hourMs = 3_600_000;
const minuteMs = 60_000;
/** An echo is none any more so long after our side has gone (D94). */
export const echoMs = 48 * hourMs;
/** Longer remembered, so that what comes after that is not taken for a booking that may not vanish. */
const rememberedMs = 7 * 24 * hourMs;
const pastHours = 31 * 24;
const mostGiven = 4000;

export const dayNumber = (date: string): number => nightsBetween('1970-01-01', date);
export const dateOfDay = (day: number): string => addDays('1970-01-01', day);

export const hoursOf = ({ start_at, end_at }: LocalRange): Span => ({
  from: hourNumber(start_at),
  to: hourNumber(end_at),
});

/** What an entry of the calendar is to a follower: nights, or hours, with those that no night has beside them. */
export const givenBy = (entry: LocalRange, listing: FeedListing): GivenTime[] =>
  eventTimes(entry, listing).map(({ time }) => {
    const flags = { isCurrent: true, isSeen: false, goneAt: null };
    if (time.kind === 'nights')
      return {
        ...flags,
        hours: hoursOf(wholeHours(entry)),
        dates: { from: dayNumber(time.from), to: dayNumber(time.to) },
      };
    const hours = wholeHours({
      start_at: toLocal(time.from, listing.timezone),
      end_at: toLocal(time.to, listing.timezone),
    });
    const last = dateOf(addHours(hours.end_at, -1));
    const dates = { from: dayNumber(dateOf(hours.start_at)), to: dayNumber(addDays(last, 1)) };
    return { ...flags, hours: hoursOf(hours), dates };
  });

const numbersOf = ({ hours, dates }: GivenTime) => [hours.from, hours.to, dates.from, dates.to];
const keyOf = (time: GivenTime): string => numbersOf(time).join(' ');

/** Some twenty characters for each, since a calendar may hold hundreds. */
export const givenText = (time: GivenTime): string => {
  const flags = (time.isCurrent ? 1 : 0) + (time.isSeen ? 2 : 0);
  const gone = time.goneAt === null ? [] : [Math.ceil(time.goneAt / minuteMs)];
  return [...numbersOf(time), flags, ...gone].map((number) => number.toString(36)).join('.');
};

export const givenTime = (text: string): GivenTime => {
  const [from = 0, to = 0, first = 0, until = 0, flags = 0, gone] = text
    .split('.')
    .map((part) => Number.parseInt(part, 36));
  return {
    hours: { from, to },
    dates: { from: first, to: until },
    isCurrent: flags % 2 === 1,
    isSeen: flags >= 2,
    goneAt: gone === undefined ? null : gone * minuteMs,
  };
};

const holds = (outer: Span, inner: Span): boolean => outer.from <= inner.from && outer.to >= inner.to;

/** What stands in the calendar now, and when it was looked at. */
interface Look {
  standing: readonly Span[];
  now: number;
  /** When what is missing has gone. */
  goneAt: number;
}

const looked = (time: GivenTime, { standing, goneAt }: Look): GivenTime => ({
  ...time,
  goneAt: standing.some((hours) => holds(hours, time.hours)) ? null : (time.goneAt ?? goneAt),
});

/** Without what can no longer be echoed. */
const remembered = (times: readonly GivenTime[], now: number): GivenTime[] =>
  times
    .filter(({ goneAt, isCurrent, isSeen }) =>
      goneAt === null ? isCurrent || isSeen : now - goneAt < rememberedMs,
    )
    .filter(({ hours }) => hours.to * hourMs > now - pastHours * hourMs)
    .sort((one, other) => Number(one.goneAt !== null) - Number(other.goneAt !== null) || byStart(one, other))
    .slice(0, mostGiven)
    .sort(byStart);

const byStart = (one: GivenTime, other: GivenTime): number =>
  one.hours.from - other.hours.from || (keyOf(one) < keyOf(other) ? -1 : 1);

/** What a follower knows once it is given a text with these times. */
export const givenNow = (
  before: readonly GivenTime[],
  current: readonly GivenTime[],
  look: Look,
): GivenTime[] => {
  const known = new Map(before.map((time) => [keyOf(time), time]));
  const given = new Map(current.map((time) => [keyOf(time), time]));
  return remembered(
    [
      ...[...given.values()].map((time) => ({ ...time, isSeen: known.get(keyOf(time))?.isSeen ?? false })),
      ...before
        .filter((time) => !given.has(keyOf(time)))
        .map((time) => looked({ ...time, isCurrent: false }, look)),
    ],
    look.now,
  );
};

/** What is known of the given times before and after a look at the follower's feed. */
export const lookedAt = (times: readonly GivenTime[], look: Look): GivenTime[] =>
  times.map((time) => looked(time, look));
export const seenNow = (
  times: readonly GivenTime[],
  seen: ReadonlySet<GivenTime>,
  now: number,
): GivenTime[] =>
  remembered(
    times.map((time) => ({ ...time, isSeen: seen.has(time) })),
    now,
  );
