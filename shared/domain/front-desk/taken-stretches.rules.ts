import { addHours } from '../../platform/time/time.ts';
import { rowLabel, stateOf, type StayRow, stayTimes } from '../booking/model.ts';
import {
  affectsListing,
  type AvailabilityEntry,
  familyLabel,
  type FamilyMonth,
  hourNumber,
  type HourStretch,
  hoursInMonth,
  hourText,
  isLiveLock,
  joinAdjacentHours,
  labelOf,
  type LocalRange,
  overlaps,
  preparationLabel,
  type TakenLabel,
  takenWithin,
  unavailableHours,
  unlabelled,
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
  /** What else its entries say of {@link unexplainedTime}. */
  entries: readonly AvailabilityEntry[];
  /** Epoch milliseconds. */
  now: number;
}

const textOf = (hour: number): string => addHours('1970-01-01T00:00:00', hour);

const rangeOf = ([from, to]: HourStretch): LocalRange => ({ start_at: textOf(from), end_at: textOf(to) });

/** Returns a local interval in whole hours, as numbers (D25), without the preparation after it. */
const hoursOf = ({ start_at: from, end_at: to }: LocalRange): HourStretch => {
  const { start_at, end_at } = wholeHours({ start_at: from, end_at: to });
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
      const all = [...bookedBy(source, time), ...blockedBy(source, time), ...lockedBy(source, time)];
      return source === listingId ? all : all.map((one) => ofFamily(one, source));
    })
    .sort((one, other) =>
      one.start_at === other.start_at
        ? compare(one.end_at, other.end_at)
        : compare(one.start_at, other.start_at),
    );

const compare = (one: string, other: string): number => (one === other ? 0 : one < other ? -1 : 1);

/** Returns the listings of a calendar that take time of it. */
const takersOf = ({ months }: CalendarTime): number[] => [
  ...new Set(months.flatMap(({ taken }) => Object.keys(taken).map(Number))),
];

/** Returns the listings of a calendar whose time is also that of a listing, itself included. */
const sourcesOf = (listingId: number, time: CalendarTime): number[] =>
  [...new Set([listingId, ...takersOf(time)])].filter((source) =>
    affectsListing({ listing_id: source, calendar_id: time.calendar_id }, listingId),
  );

const keptStates = new Set<TakenStretch['state']>(['BLOCKED', 'SOFT_LOCK']);

const ofFamily = ({ availability_id, state, start_at, end_at }: TakenStretch, source: number) => ({
  ...familyLabel(availability_id, source),
  guest_name: null,
  state: keptStates.has(state) ? state : ('BOOKED' as const),
  start_at,
  end_at,
});

const bookedBy = (source: number, { staysOf, range }: CalendarTime): TakenStretch[] =>
  staysOf(source).flatMap((stay): TakenStretch[] => {
    const times = stayTimes(stay);
    if (!(times.start_at < times.end_at) || !overlaps(times, range)) return [];
    return [
      {
        ...{ kind: 'STAY', availability_id: stay.entry, booking_id: stay.id, because_of: null },
        ...rowLabel(stay),
        summary: null,
        ...{ guest_name: stay.guest, state: stateOf(stay) as TakenStretch['state'], ...times },
      },
    ];
  });

/** What takes hours without end, as a stretch of whole hours. */
interface Taker {
  label: TakenLabel;
  state: 'BOOKED' | 'BLOCKED';
  stretch: HourStretch;
}

/** Returns the preparation after the stays of a listing that are not cancelled. */
const preparationsOf = (source: number, { staysOf }: CalendarTime): Taker[] =>
  staysOf(source)
    .filter(({ preparation }) => preparation > 0)
    .map((stay) => {
      const [, end] = hoursOf(stayTimes(stay));
      const label = { ...unlabelled, availability_id: stay.entry, booking_id: stay.id };
      return {
        label: { ...label, kind: 'PREPARATION' },
        state: 'BLOCKED',
        stretch: [end, end + stay.preparation],
      };
    });

/** Returns an entry, and the preparation after it. */
const takersOfEntry = (entry: AvailabilityEntry): Taker[] => {
  const { listing_id, state } = entry;
  const [from, end] = hoursOf(entry);
  return [
    {
      label: labelOf(entry, listing_id),
      state: state === 'BOOKED' ? 'BOOKED' : 'BLOCKED',
      stretch: [from, end],
    },
    {
      label: preparationLabel(entry, listing_id),
      state: 'BLOCKED',
      stretch: [end, end + (entry.preparation_hours ?? 0)],
    },
  ];
};

/** Returns the hours in the range that a listing takes without end, and not by a stay. */
const blockedHours = (source: number, { months, staysOf, range }: CalendarTime): HourStretch[] => {
  const taken = months.flatMap((month) => {
    const first = firstHourOf(month);
    const hours = month.taken[source];
    if (!hours) return [];
    return takenWithin(hours, { from: 0, to: hoursInMonth(month.month) }).map(({ from, to }): HourStretch => [
      first + from,
      first + to,
    ]);
  });
  const stays = staysOf(source).map((stay) => hoursOf(stayTimes(stay)));
  return within(hoursOf(range), withoutAll(joinAdjacentHours(taken), stays));
};

const withoutAll = (stretches: readonly HourStretch[], others: readonly HourStretch[]): HourStretch[] => {
  const inOrder = others.toSorted(([one], [other]) => one - other);
  return stretches.flatMap((stretch) => without(stretch, inOrder));
};

/** Returns the time of a calendar within the range that neither stays nor their preparation explain; undefined: none. */
export const unexplainedTime = (time: CalendarTime): LocalRange | undefined => {
  const left = takersOf(time).flatMap((source) => {
    const known = preparationsOf(source, time).map(({ stretch }) => stretch);
    return withoutAll(blockedHours(source, time), known);
  });
  if (left.length === 0) return undefined;
  return rangeOf([Math.min(...left.map(([from]) => from)), Math.max(...left.map(([, to]) => to))]);
};

/** What is taken without end and not by a stay is named by the preparation of stays, then by entries, else a block. */
const blockedBy = (source: number, time: CalendarTime): TakenStretch[] => {
  const entries = time.entries.filter((entry) => entry.listing_id === source && entry.locked_until === null);
  const takers = [...preparationsOf(source, time), ...entries.flatMap(takersOfEntry)];
  const shown: TakenStretch[] = [];
  let left = blockedHours(source, time);
  const show = ({ label, state }: Omit<Taker, 'stretch'>, parts: readonly HourStretch[]): void => {
    shown.push(...parts.map((part) => ({ ...label, guest_name: null, state, ...rangeOf(part) })));
  };
  for (const taker of takers) {
    show(taker, within(taker.stretch, left));
    left = withoutAll(left, [taker.stretch]);
  }
  show({ label: { ...unlabelled, kind: 'BLOCK', availability_id: null }, state: 'BLOCKED' }, left);
  return shown;
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
  return [...Map.groupBy(locks, ({ id }) => id)].flatMap(([id, parts]) =>
    within(hoursOf(range), joinAdjacentHours(parts.map(({ stretch }) => stretch))).map((stretch) => ({
      ...{ ...unlabelled, kind: 'HOLD' as const, availability_id: Number(id) },
      ...{ guest_name: null, state: 'SOFT_LOCK' as const, ...rangeOf(stretch) },
    })),
  );
};
