import {
  all,
  change,
  type Condition,
  conditionCheck,
  ConflictError,
  create,
  equals,
  lacks,
  type Write,
} from '../../platform/table/index.ts';
import { isSameTimeZone } from '../../platform/time/time.ts';
import {
  type CalendarMonth,
  CalendarMonthEntity,
  type HourHold,
  isHome,
  type MonthIds,
} from './calendar.store.ts';
import { byDay, daysOf, hoursOn, isEmpty } from './hours.rules.ts';
import { type ListingHours, noListingHours, occupied } from './month.rules.ts';
import { isLiveLock } from './overlap.rules.ts';

type OnConflict = (current: CalendarMonth | undefined) => Error;

/** A month of a listing as read, and as it will be. */
export class DraftMonth {
  readonly ids: MonthIds;
  /** Undefined for a month that does not exist. */
  readonly read: CalendarMonth | undefined;
  hours: ListingHours;
  /** Days that the listing changes; they must be as they were read. */
  readonly touched = new Set<string>();
  /** Days of a parent that a child found free; or of which a parent found its children's free. */
  readonly relied = { on: new Set<string>(), onChildren: new Set<string>() };
  /** Every day must be as it was read. */
  isWhole = false;
  /** By when the children's soft locks had expired that this write overlooks. */
  expiredBy: number | undefined;
  wasLeft: boolean;
  timezone: string | undefined;

  constructor(ids: MonthIds, read?: CalendarMonth, hours = noListingHours) {
    this.ids = ids;
    this.read = read;
    this.hours = hours;
    this.wasLeft = hours.left;
    this.timezone = read?.timezone;
  }

  copy(): DraftMonth {
    const month = new DraftMonth(this.ids, this.read, this.hours);
    month.wasLeft = this.wasLeft;
    month.timezone = this.timezone;
    month.isWhole = this.isWhole;
    month.expiredBy = this.expiredBy;
    month.touch(this.touched);
    for (const day of this.relied.on) month.relied.on.add(day);
    for (const day of this.relied.onChildren) month.relied.onChildren.add(day);
    return month;
  }

  /** Whether a listing in this time zone was read before its calendar got another. */
  isOfOtherZone(timezone: string | undefined): boolean {
    return timezone !== undefined && this.timezone !== undefined && !isSameTimeZone(timezone, this.timezone);
  }

  reopen(timezone: string | undefined): void {
    const { left, ...hours } = this.hours;
    if (isHome(this.ids) && (left || this.timezone !== undefined)) this.timezone = timezone ?? this.timezone;
    if (left) this.hours = { ...hours, left: false };
  }

  touch(days: Iterable<string>): void {
    for (const day of days) this.touched.add(day);
  }

  get isChanged(): boolean {
    return this.touched.size > 0 || this.hours.left !== this.wasLeft || this.timezone !== this.read?.timezone;
  }

  get isUsed(): boolean {
    return this.isChanged || this.isWhole;
  }

  /**
   * Removes the expired soft locks whose hours may be taken now, or of a listing that leaves, so that no instance whose
   * clock is behind confirms them.
   */
  dropExpired(now: number): void {
    const days = new Set([...this.touched, ...this.relied.on]);
    for (const [id, lock] of this.#expired(now)) {
      if (!this.hours.left && !daysOf(lock).some((day) => days.has(day))) continue;
      const { [id]: _, ...locks } = this.hours.locks;
      this.hours = { ...this.hours, locks };
      this.touch(daysOf(lock));
    }
  }

  /** Notes that the hours of expired soft locks of children may be taken now. */
  overlook(children: readonly DraftMonth[], now: number): void {
    const isOverlooked = ([, lock]: [string, HourHold]): boolean =>
      daysOf(lock).some((day) => this.relied.onChildren.has(day));
    if (children.some((child) => child.#expired(now).some(isOverlooked))) this.expiredBy = now;
  }

  #expired(now: number): [string, HourHold][] {
    return Object.entries(this.hours.locks).filter(([, lock]) => !isLiveLock(lock, now));
  }
}

/** The months of one calendar and one month: those of the children, and the one of the parent, or of a single listing. */
export interface DraftFamily {
  home: DraftMonth;
  children: readonly DraftMonth[];
}

/** Returns the writes of a family's month. */
export const familyWrites = (
  { home, children }: DraftFamily,
  now: number,
  onConflict: OnConflict,
): Write[] => {
  for (const month of [home, ...children]) month.dropExpired(now);
  home.overlook(children, now);
  const used = children.filter((child) => child.isUsed);
  const raised = used.flatMap((child) => [...child.touched]);
  const isHomeUsed = home.isUsed || raised.length > 0;
  if (!isHomeUsed && used.length === 0) return [];
  requireSameMoment(home, children);
  return [
    ...used.map((child) => monthWrite(child, [], onConflict)),
    ...(isHomeUsed ? [monthWrite(home, raised, onConflict)] : []),
  ];
};

/**
 * Throws ConflictError if the months of parent and children were read while a transaction appeared in them one by one: the
 * changes of the children are then not those that the parent's month has counted.
 */
const requireSameMoment = (home: DraftMonth, children: readonly DraftMonth[]): void => {
  for (const day of home.relied.onChildren) {
    const changes = children.reduce((sum, { read }) => sum + (read?.changes[day] ?? 0), 0);
    if (changes !== (home.read?.child_changes[day] ?? 0)) throw new ConflictError('CalendarMonth');
  }
};

/** Returns the write of one month; `raised` are the days that children change. */
const monthWrite = (month: DraftMonth, raised: readonly string[], onConflict: OnConflict): Write => {
  const { ids, read } = month;
  if (!read) return create(CalendarMonthEntity, newMonth(month, raised), onConflict);
  const conditions = conditionsOf(month, read);
  const guard = conditions.length === 0 ? undefined : { when: all(...conditions), onConflict };
  if (guard && !month.isChanged && raised.length === 0)
    return conditionCheck(CalendarMonthEntity, ids, guard);
  return change(
    CalendarMonthEntity,
    ids,
    {
      set: {
        ...(month.hours.left === month.wasLeft ? {} : { left: month.hours.left || undefined }),
        ...(month.timezone === read.timezone ? {} : { timezone: month.timezone }),
        ...(month.expiredBy === undefined
          ? {}
          : { expired_by: Math.max(month.expiredBy, read.expired_by ?? 0) }),
      },
      setAt: changesOf(month, read),
      raise: countsOf(raised, 'child_changes.'),
    },
    guard,
  );
};

const countsOf = (days: readonly string[], prefix = ''): Record<string, number> => {
  const counts: Record<string, number> = {};
  for (const day of days) counts[prefix + day] = (counts[prefix + day] ?? 0) + 1;
  return counts;
};

const same = (path: string, read: number | undefined): Condition =>
  read === undefined ? lacks(path) : equals(path, read);

const conditionsOf = (month: DraftMonth, read: CalendarMonth): Condition[] => {
  const own = new Set([...month.touched, ...month.relied.on]);
  // What a child only frees, or counts, depends on nothing in the month of its parent.
  if (!month.isUsed && own.size === 0) return [];
  return [
    ...(month.isWhole
      ? [equals('changes', read.changes)]
      : [...own].map((day) => same(`changes.${day}`, read.changes[day]))),
    ...[...month.relied.onChildren].map((day) => same(`child_changes.${day}`, read.child_changes[day])),
    ...(read.left ? [] : [lacks('left')]),
    ...(month.expiredBy === undefined ? [] : [same('expired_by', read.expired_by)]),
  ];
};

const changesOf = ({ touched, hours }: DraftMonth, read: CalendarMonth): Record<string, unknown> => {
  const bits = occupied(hours);
  const changed: Record<string, unknown> = {};
  for (const day of touched) {
    const taken = hoursOn(bits, day);
    changed[`days.${day}`] = isEmpty(taken) ? undefined : taken;
    changed[`changes.${day}`] = (read.changes[day] ?? 0) + 1;
  }
  for (const [id, lock] of Object.entries(hours.locks))
    if (read.locks[id] !== lock) changed[`locks.${id}`] = lock;
  for (const id of Object.keys(read.locks)) if (!hours.locks[id]) changed[`locks.${id}`] = undefined;
  return changed;
};

const newMonth = (
  { ids, hours, touched, timezone }: DraftMonth,
  raised: readonly string[],
): CalendarMonth => ({
  calendar_id: ids.calendar_id,
  listing_id: ids.listing_id,
  month: ids.month,
  days: byDay(ids.month, occupied(hours)),
  locks: hours.locks,
  changes: countsOf([...touched]),
  child_changes: countsOf(raised),
  ...(timezone === undefined ? {} : { timezone }),
  ...(hours.left ? { left: true as const } : {}),
});
