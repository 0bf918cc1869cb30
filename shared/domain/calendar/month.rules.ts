import type { CalendarMonth, HourHold } from './calendar.store.ts';
import { type Hours, hoursOfDays, noHours, withoutSpan, withSpan } from './hours.rules.ts';

/** What a listing takes of a month: by stays and blocks, and by soft locks, which may have expired. */
export interface ListingHours {
  taken: Hours;
  /** By availability id. */
  locks: Readonly<Record<string, HourHold>>;
  /** The listing has left the calendar. */
  left: boolean;
}

/** A soft lock of a listing of a family. */
interface FamilyLock extends HourHold {
  listing_id: number;
}

/** What the listings of a family take of a month. */
export interface FamilyMonth {
  calendar_id: number;
  month: string;
  /** By listing id: the hours of its stays and blocks. */
  taken: Record<string, Hours>;
  /** By availability id. */
  locks: Record<string, FamilyLock>;
}

export const noListingHours: ListingHours = { taken: noHours(), locks: {}, left: false };

/** Returns what the listing of a month takes; of a month of version 1, what every listing of the family takes. */
export const listingHours = (item: CalendarMonth): [listingId: number, ListingHours][] => {
  if (item.before) return hoursBefore(item.before);
  const taken = Object.values(item.locks).reduce(withoutSpan, hoursOfDays(item.days));
  return [[item.listing_id, { taken, locks: item.locks, left: item.left ?? false }]];
};

const hoursBefore = ({
  taken,
  claims,
  left = [],
}: NonNullable<CalendarMonth['before']>): [number, ListingHours][] => {
  const all = Object.entries(claims);
  const ids = new Set([
    ...Object.keys(taken).map(Number),
    ...all.map(([, claim]) => claim.listing_id),
    ...left,
  ]);
  return [...ids].map((id) => {
    const own = all.filter(([, { listing_id }]) => listing_id === id);
    const booked = own.map(([, claim]) => claim).filter(({ until }) => until === null);
    const locks = own.flatMap(([key, { listing_id: _, until, ...lock }]) =>
      until === null ? [] : [[key, { ...lock, until }] as const],
    );
    return [
      id,
      {
        taken: booked.reduce(withSpan, taken[id] ?? noHours()),
        locks: Object.fromEntries(locks),
        left: left.includes(id),
      },
    ];
  });
};

/** Returns the hours that are written: those of locks too, until they are removed. */
export const occupied = ({ taken, locks }: ListingHours): Hours =>
  Object.values(locks).reduce(withSpan, taken);

/** Joins what listings take of the months of one calendar. */
export const familyMonth = (
  ids: Pick<FamilyMonth, 'calendar_id' | 'month'>,
  listings: Iterable<readonly [listingId: number, ListingHours]>,
): FamilyMonth => {
  const month: FamilyMonth = { ...ids, taken: {}, locks: {} };
  for (const [listingId, { taken, locks }] of listings) {
    month.taken[listingId] = taken;
    for (const [id, lock] of Object.entries(locks)) month.locks[id] = { ...lock, listing_id: listingId };
  }
  return month;
};

/** Returns the months of one calendar as families, in order. */
export const familyMonths = (items: readonly CalendarMonth[]): FamilyMonth[] =>
  [...Map.groupBy(items, ({ month }) => month)]
    .toSorted(([one], [other]) => (one < other ? -1 : 1))
    .map(([month, some]) =>
      familyMonth({ calendar_id: some[0]?.calendar_id ?? 0, month }, some.flatMap(listingHours)),
    );

/** Returns the month with a holder's soft locks expired. */
export const withoutLocksOf = (current: CalendarMonth, holder: string | undefined): CalendarMonth => {
  const expired = <Lock extends { holder: string; until: number | null }>(
    locks: Readonly<Record<string, Lock>>,
  ): Record<string, Lock> =>
    Object.fromEntries(
      Object.entries(locks).map(([id, lock]) => [
        id,
        lock.holder === holder && lock.until !== null ? { ...lock, until: 0 } : lock,
      ]),
    );
  const { before } = current;
  return {
    ...current,
    locks: expired(current.locks),
    ...(before ? { before: { ...before, claims: expired(before.claims) } } : {}),
  };
};
