import { addHours } from '../../platform/time/time.ts';
import { type StayRow, stayTimes } from '../booking/model.ts';
import {
  affectsListing,
  type FamilyMonth,
  hourNumber,
  type HourStretch,
  hoursInMonth,
  hourText,
  isLiveLock,
  joinAdjacentHours,
  type LocalRange,
  overlaps,
  takenWithin,
  unavailableHours,
  wholeHours,
} from '../calendar/model.ts';
import type { TakenStretch } from './team-calendar.schema.ts';

/** What a calendar, of a family or of one listing, holds in a range of hours. */
export interface CalendarTime {
  calendar_id: number;
  months: readonly FamilyMonth[];
  /** The stays of a listing that are not cancelled. */
  staysOf: (listingId: number) => readonly StayRow[];
  range: LocalRange;
  /** Epoch milliseconds. */
  now: number;
}

const textOf = (hour: number): string => addHours('1970-01-01T00:00:00', hour);

const rangeOf = ([from, to]: HourStretch): LocalRange => ({ start_at: textOf(from), end_at: textOf(to) });

/** Returns a local interval in whole hours, as numbers (D25). */
const hoursOf = (interval: LocalRange): HourStretch => {
  const { start_at, end_at } = wholeHours(interval);
  return [hourNumber(start_at), hourNumber(end_at)];
};

const within = ([first, last]: HourStretch, stretches: readonly HourStretch[]): HourStretch[] =>
  stretches
    .map(([from, to]): HourStretch => [Math.max(from, first), Math.min(to, last)])
    .filter(([from, to]) => from < to);

/** Returns the parts of a stretch outside of others, which are in order. */
const without = ([from, to]: HourStretch, others: readonly HourStretch[]): HourStretch[] => {
  const left: HourStretch[] = [];
  let at = from;
  for (const [first, last] of others) {
    if (first > at) left.push([at, Math.min(first, to)]);
    at = Math.max(at, last);
  }
  left.push([at, to]);
  return left.filter(([start, end]) => start < end);
};

const firstHourOf = ({ month }: FamilyMonth): number => hourNumber(hourText(month, 0));

/** Returns the intervals at which nothing of a listing can be sold, its parent's and children's time included (D26). */
export const takenOf = (listingId: number, { months, now }: CalendarTime): LocalRange[] =>
  months.flatMap((month) =>
    takenWithin(unavailableHours(month, listingId, now), { from: 0, to: hoursInMonth(month.month) }).map(
      ({ from, to }) => ({ start_at: hourText(month.month, from), end_at: hourText(month.month, to) }),
    ),
  );

/** Returns what takes a listing's time in a range: of the listing itself with bookings and guests, of its family without. */
export const takenStretches = (listingId: number, time: CalendarTime): TakenStretch[] =>
  sourcesOf(listingId, time)
    .flatMap((source) => {
      const isOwn = source === listingId;
      return [...bookedBy(source, time, isOwn), ...blockedBy(source, time), ...lockedBy(source, time)];
    })
    .sort((one, other) =>
      one.start_at === other.start_at
        ? compare(one.end_at, other.end_at)
        : compare(one.start_at, other.start_at),
    );

const compare = (one: string, other: string): number => (one === other ? 0 : one < other ? -1 : 1);

/** Returns the listings of a calendar whose time is also that of a listing, itself included. */
const sourcesOf = (listingId: number, { calendar_id, months }: CalendarTime): number[] => {
  const known = months.flatMap(({ taken }) => Object.keys(taken).map(Number));
  return [...new Set([listingId, ...known])].filter((source) =>
    affectsListing({ listing_id: source, calendar_id }, listingId),
  );
};

const nothing = { booking_id: null, guest_name: null };

const bookedBy = (source: number, { staysOf, range }: CalendarTime, isOwn: boolean): TakenStretch[] =>
  staysOf(source).flatMap((stay): TakenStretch[] => {
    const times = stayTimes(stay);
    if (!(times.start_at < times.end_at) || !overlaps(times, range)) return [];
    if (!isOwn) return [{ ...nothing, state: 'BOOKED', ...times }];
    const state = stay.standing.split(' ')[0] as TakenStretch['state'];
    return [{ booking_id: stay.id, guest_name: stay.guest, state, ...times }];
  });

/** What is taken without end and not by a stay is blocked. */
const blockedBy = (source: number, { months, staysOf, range }: CalendarTime): TakenStretch[] => {
  const taken = months.flatMap((month) => {
    const first = firstHourOf(month);
    const hours = month.taken[source];
    if (!hours) return [];
    return takenWithin(hours, { from: 0, to: hoursInMonth(month.month) }).map(({ from, to }): HourStretch => [
      first + from,
      first + to,
    ]);
  });
  const stays = staysOf(source)
    .map((stay) => hoursOf(stayTimes(stay)))
    .sort(([one], [other]) => one - other);
  const blocked = joinAdjacentHours(taken).flatMap((stretch) => without(stretch, stays));
  return within(hoursOf(range), blocked).map((stretch) => ({
    ...nothing,
    state: 'BLOCKED' as const,
    ...rangeOf(stretch),
  }));
};

const lockedBy = (source: number, { months, range, now }: CalendarTime): TakenStretch[] => {
  const locks = months.flatMap((month) =>
    Object.entries(month.locks)
      .filter(([, lock]) => lock.listing_id === source && isLiveLock(lock, now))
      .map(([id, { from, to }]) => ({
        id,
        stretch: [firstHourOf(month) + from, firstHourOf(month) + to] satisfies HourStretch,
      })),
  );
  return [...Map.groupBy(locks, ({ id }) => id).values()].flatMap((parts) =>
    within(hoursOf(range), joinAdjacentHours(parts.map(({ stretch }) => stretch))).map((stretch) => ({
      ...nothing,
      state: 'SOFT_LOCK' as const,
      ...rangeOf(stretch),
    })),
  );
};
