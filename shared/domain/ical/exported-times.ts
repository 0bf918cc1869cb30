import { addDays, addHours, dateOf, dayNumber, hourMs, minuteMs, toLocal } from '../../platform/time/time.ts';
import { type AvailabilityEntry, hourNumber, type LocalRange, wholeHours } from '../calendar/model.ts';
import { eventTimes } from './feed-events.ts';
import type { FeedListing } from './reading/taken-time.ts';

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
  /** Its echo was ever there. */
  wasSeen: boolean;
  /**
   * Another calendar's time, given after the same dates had gone that this follower had echoed: it may be that echo, handed
   * on in a circle. Until its own echo has come and gone.
   */
  isReturned: boolean;
  /** Epoch milliseconds since when nothing of ours takes it any more; null: something does. */
  goneAt: number | null;
  /** Epoch milliseconds at which the follower was first given a text without it; null: it knows of nothing else. */
  droppedAt: number | null;
}

/** An echo is none any more so long after our side has gone (D94). */
export const echoMs = 48 * hourMs;
/** Nor so long after its follower was given a text without it: what is there then was sold there. */
export const reExportMs = 6 * hourMs;
/** The same for what may have gone round through another follower, under any UID. */
export const handedOnMs = 10 * hourMs;
/** Longer remembered, so that what comes after that is not taken for a booking that may not vanish. */
const rememberedMs = 7 * 24 * hourMs;
const pastHours = 31 * 24;
const mostGiven = 4000;

export const hoursOf = ({ start_at, end_at }: LocalRange): Span => ({
  from: hourNumber(start_at),
  to: hourNumber(end_at),
});

/** What an entry of the calendar is to a follower: nights, or hours, with those that no night has beside them. */
export const givenBy = (
  entry: LocalRange & Pick<AvailabilityEntry, 'feed_id'>,
  listing: FeedListing,
): GivenTime[] =>
  eventTimes(entry, listing).map(({ time }) => {
    const isReturned = entry.feed_id !== undefined;
    const flags = {
      isCurrent: true,
      isSeen: false,
      wasSeen: false,
      isReturned,
      goneAt: null,
      droppedAt: null,
    };
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

const minuteText = (ms: number | null): string => (ms === null ? '' : Math.ceil(ms / minuteMs).toString(36));
const minuteIn = (text = ''): number | null => (text === '' ? null : Number.parseInt(text, 36) * minuteMs);

/** Some twenty characters for each, since a calendar may hold hundreds. */
export const givenText = (time: GivenTime): string => {
  const { isCurrent, isSeen, wasSeen, isReturned, goneAt, droppedAt } = time;
  const flags = [isCurrent, isSeen, isReturned, wasSeen].reduce(
    (sum, is, bit) => sum + (is ? 1 << bit : 0),
    0,
  );
  const numbers = [...numbersOf(time), flags].map((number) => number.toString(36));
  return [...numbers, minuteText(goneAt), minuteText(droppedAt)].join('.').replace(/\.+$/, '');
};

export const givenTime = (text: string): GivenTime => {
  const parts = text.split('.');
  const [from = 0, to = 0, first = 0, until = 0, flags = 0] = parts.map((part) => Number.parseInt(part, 36));
  return {
    hours: { from, to },
    dates: { from: first, to: until },
    isCurrent: flags % 2 === 1,
    isSeen: (flags & 2) !== 0,
    wasSeen: (flags & 10) !== 0,
    isReturned: (flags & 4) !== 0,
    goneAt: minuteIn(parts[5]),
    droppedAt: minuteIn(parts[6]),
  };
};

const holds = (outer: Span, inner: Span): boolean => outer.from <= inner.from && outer.to >= inner.to;

export const isNights = ({ from, to }: Span): boolean =>
  to - from >= 24 || Math.floor(from / 24) < Math.floor((to - 1) / 24);

/** Whether a follower that is given one time has no night of another to sell. It may know that hours are no whole date. */
const hides = (one: GivenTime, other: GivenTime): boolean =>
  holds(one.dates, other.dates) && (isNights(one.hours) || holds(one.hours, other.hours));

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
    .filter(
      ({ goneAt, droppedAt, isCurrent, isSeen }) =>
        isCurrent || isSeen || now - (goneAt ?? droppedAt ?? 0) < rememberedMs,
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
  const gone = before.filter(
    ({ droppedAt, goneAt, wasSeen, isReturned }) =>
      isReturned || (wasSeen && (goneAt !== null || droppedAt !== null)),
  );
  const returns = ({ isReturned, dates }: GivenTime): boolean =>
    isReturned && gone.some((time) => time.dates.from === dates.from && time.dates.to === dates.to);
  const droppedAt = (time: GivenTime): number | null =>
    time.droppedAt ?? (!time.isReturned && current.some((one) => hides(one, time)) ? null : look.now);
  return remembered(
    [
      ...[...given.values()].map((time) => ({
        ...time,
        isSeen: known.get(keyOf(time))?.isSeen ?? false,
        wasSeen: known.get(keyOf(time))?.wasSeen ?? false,
        isReturned: returns(time),
      })),
      ...before
        .filter((time) => !given.has(keyOf(time)))
        .map((time) => looked({ ...time, isCurrent: false, droppedAt: droppedAt(time) }, look)),
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
    times.map((time) => {
      const isSeen = seen.has(time);
      const isReturned = time.isReturned && (isSeen || !time.isSeen);
      return { ...time, isSeen, wasSeen: time.wasSeen || isSeen, isReturned };
    }),
    now,
  );
