import { toLocal } from '../../platform/time/time.ts';
import type { Reservation } from '../booking/model.ts';
import {
  affectsListing,
  type AvailabilityEntry,
  type FamilyMonth,
  type Hours,
  hoursInMonth,
  hourText,
  monthSpans,
  noHours,
  overlaps,
  takenWithin,
  wholeHours,
  withoutSpan,
  withSpan,
} from '../calendar/model.ts';
import type { AuditRule, Figures } from './audit-rule.rules.ts';
import { mayLeaveEarly, takenFrom, timeKept } from './stay-time.rules.ts';

/** Months of one calendar, with the entries that overlap them. */
interface AuditedCalendar {
  calendar_id: number;
  /** `YYYY-MM`, the first and the last. */
  range: { first: string; last: string };
  /** The months that exist. */
  months: readonly FamilyMonth[];
  entries: readonly AvailabilityEntry[];
  /** Stays whose time is within the months, cancelled ones included. */
  stays: readonly Reservation[];
  /** The ids of the reservations that were read, whether they exist or not. */
  readIds: ReadonlySet<number>;
  timezone: string;
  /** Epoch milliseconds. */
  now: number;
}

const isCommitted = ({ state }: AvailabilityEntry): boolean => state !== 'SOFT_LOCK';

/** The committed hours of one listing in one month: as the month has them, and as its entries say. */
interface ListingMonth {
  month: string;
  listing_id: number;
  taken: Hours;
  entered: Hours;
}

const listingMonths = ({ range, months, entries }: AuditedCalendar): ListingMonth[] => {
  const entered = new Map<string, ListingMonth>();
  const at = (month: string, listingId: number): ListingMonth => {
    const key = `${month} ${listingId}`;
    const known = entered.get(key) ?? { month, listing_id: listingId, taken: noHours(), entered: noHours() };
    entered.set(key, known);
    return known;
  };
  for (const month of months)
    for (const [listing, hours] of Object.entries(month.taken))
      at(month.month, Number(listing)).taken = hours;
  for (const entry of entries.filter(isCommitted))
    for (const { month, from, to } of monthSpans(entry)) {
      if (month < range.first || month > range.last) continue;
      const known = at(month, entry.listing_id);
      known.entered = withSpan(known.entered, { from, to });
    }
  return [...entered.values()];
};

/** Returns the stretches of a month's hours that are not in `others`. */
const missingHours = (month: string, hours: Hours, others: Hours): { start_at: string; end_at: string }[] => {
  const whole = { from: 0, to: hoursInMonth(month) };
  const left = takenWithin(others, whole).reduce(withoutSpan, hours);
  return takenWithin(left, whole).map(({ from, to }) => ({
    start_at: hourText(month, from),
    end_at: hourText(month, to),
  }));
};

const idsOf = ({ calendar_id, listing_id, availability_id, reservation_id }: AvailabilityEntry): Figures => ({
  calendar_id,
  listing_id,
  availability_id,
  reservation_id,
});

/** An early check-out shortens the entry, so it need not be the whole stay's. */
const isEntryOf = (stay: Reservation, entry: AvailabilityEntry): boolean => {
  const { least, most } = timeKept(stay);
  const until = wholeHours(entry).end_at;
  return (
    entry.state === 'BOOKED' &&
    entry.reservation_id === stay.reservation_id &&
    entry.listing_id === stay.listing_id &&
    entry.start_at === takenFrom(stay) &&
    entry.end_at >= least.end &&
    entry.end_at <= most.end &&
    until >= least.until &&
    until <= most.until
  );
};

const isLive = ({ state }: Reservation): boolean => state !== 'CANCELLED';

const stayIds = ({ reservation_id, order_id, listing_id, calendar_id }: Reservation): Figures => ({
  reservation_id,
  order_id,
  listing_id,
  calendar_id,
});

/** Rules of a calendar: months, entries and stays have the same hours. */
export const calendarRules: readonly AuditRule<AuditedCalendar>[] = [
  {
    name: 'hours-without-entry',
    holds: 'Every hour that a month has as taken is in an entry of the same listing.',
    violations: (calendar) =>
      listingMonths(calendar).flatMap(({ month, listing_id, taken, entered }) =>
        missingHours(month, taken, entered).map((stretch) => ({
          calendar_id: calendar.calendar_id,
          listing_id,
          ...stretch,
        })),
      ),
  },
  {
    name: 'entry-without-hours',
    holds: 'Every hour of a booked or blocked entry is taken in its month, so it cannot be sold again.',
    violations: (calendar) =>
      listingMonths(calendar).flatMap(({ month, listing_id, taken, entered }) =>
        missingHours(month, entered, taken).map((stretch) => ({
          calendar_id: calendar.calendar_id,
          listing_id,
          ...stretch,
        })),
      ),
  },
  {
    name: 'hour-taken-twice',
    holds: 'No hour is in two booked or blocked entries of a listing, or of a parent and its child.',
    violations: ({ entries, now, timezone }) => {
      const committed = entries
        .filter(isCommitted)
        .map((entry) => ({ entry, time: wholeHours(entry) }))
        .sort((one, other) => (one.time.start_at < other.time.start_at ? -1 : 1));
      // A listing that joins a family brings the past hours of a stay that has not ended, which nothing refuses.
      const local = toLocal(now, timezone);
      return committed.flatMap(({ entry, time }, at) => {
        const beside: Figures[] = [];
        for (const other of committed.slice(at + 1)) {
          if (other.time.start_at >= time.end_at) break;
          const isSame = other.entry.listing_id === entry.listing_id;
          const end = other.time.end_at < time.end_at ? other.time.end_at : time.end_at;
          const excludes = isSame || (affectsListing(other.entry, entry.listing_id) && end > local);
          if (excludes && overlaps(time, other.time))
            beside.push({
              ...idsOf(entry),
              other: other.entry.availability_id,
              start_at: other.time.start_at,
            });
        }
        return beside;
      });
    },
  },
  {
    name: 'stay-without-entry',
    holds: 'Every stay that is not cancelled has an entry with its time.',
    violations: ({ calendar_id, entries, stays }) =>
      stays
        .filter((stay) => isLive(stay) && stay.calendar_id === calendar_id && !mayHaveNoEntry(stay))
        .filter(
          (stay) =>
            !entries.some(
              (entry) => entry.availability_id === stay.availability_id && isEntryOf(stay, entry),
            ),
        )
        .map(stayIds),
  },
  {
    name: 'entry-without-stay',
    holds: 'Every booked entry belongs to a stay that is not cancelled.',
    violations: ({ calendar_id, entries, stays, readIds }) => {
      const live = new Map(
        stays
          .filter((stay) => isLive(stay) && stay.calendar_id === calendar_id)
          .map((stay) => [stay.reservation_id, stay]),
      );
      return entries
        .filter(({ state, reservation_id }) => state === 'BOOKED' && readIds.has(reservation_id ?? 0))
        .filter(
          ({ reservation_id, availability_id }) =>
            live.get(reservation_id ?? 0)?.availability_id !== availability_id,
        )
        .map(idsOf);
    },
  },
  {
    name: 'soft-lock-differs',
    holds: 'A live soft lock has the same hours and the same end in its months and in its entry.',
    violations: (calendar) => [...locksWithoutEntry(calendar), ...locksWithoutHours(calendar)],
  },
];

/** A guest who left before the time of the stay began has returned all of it. */
const mayHaveNoEntry = (stay: Reservation): boolean =>
  mayLeaveEarly(stay) && timeKept(stay).least.end <= takenFrom(stay);

interface Lock {
  month: string;
  availability_id: number;
  lock: FamilyMonth['locks'][string];
}

const liveLocks = ({ months, now }: AuditedCalendar): Lock[] =>
  months.flatMap(({ month, locks }) =>
    Object.entries(locks)
      .filter(([, { until }]) => until > now)
      .map(([id, lock]) => ({ month, availability_id: Number(id), lock })),
  );

const locksWithoutEntry = (calendar: AuditedCalendar): Figures[] => {
  const { calendar_id, entries } = calendar;
  const byId = new Map(entries.map((entry) => [entry.availability_id, entry]));
  return liveLocks(calendar)
    .filter(({ month, availability_id, lock }) => {
      const entry = byId.get(availability_id);
      return (
        entry?.state !== 'SOFT_LOCK' ||
        entry.locked_until !== lock.until ||
        !monthSpans(entry).some(
          (span) => span.month === month && span.from === lock.from && span.to === lock.to,
        )
      );
    })
    .map(({ month, availability_id, lock }) => ({
      calendar_id,
      month,
      availability_id,
      listing_id: lock.listing_id,
      order_id: lock.order_id,
    }));
};

const locksWithoutHours = ({ range, months, entries, now }: AuditedCalendar): Figures[] => {
  const byMonth = new Map(months.map((month) => [month.month, month]));
  return entries
    .filter(({ state, locked_until }) => state === 'SOFT_LOCK' && (locked_until ?? 0) > now)
    .flatMap((entry) =>
      monthSpans(entry)
        .filter(({ month }) => month >= range.first && month <= range.last)
        .filter(({ month }) => {
          const lock = byMonth.get(month)?.locks[entry.availability_id];
          return lock?.until !== entry.locked_until;
        })
        .map(({ month }) => ({ ...idsOf(entry), order_id: entry.order_id, month })),
    );
};
