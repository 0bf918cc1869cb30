import type { HourHold } from './calendar.store.ts';
import { type Hours, isAnyTaken, type MonthSpan, noHours, union, withSpan } from './hours.rules.ts';
import type { FamilyMonth } from './month.rules.ts';

/** Whether a soft lock still takes its hours. */
export const isLiveLock = ({ until }: HourHold, now: number): boolean => until > now;

/** Whether hours of one listing take those of another in the same calendar: itself, its parent, its children (D26). */
const excludes = (calendarId: number, one: number, other: number): boolean =>
  one === other || one === calendarId || other === calendarId;

/** What takes the time of a listing in a month: by its own, its parent's or its children's stays, blocks and live soft locks. */
interface Taking {
  hours: Hours[];
  locks: HourHold[];
}

/** Soft locks of `exceptHolder` on the listing itself are left out. */
const takingOf = (month: FamilyMonth, listingId: number, now: number, exceptHolder?: string): Taking => {
  const taking: Taking = { hours: [], locks: [] };
  for (const other in month.taken)
    if (excludes(month.calendar_id, listingId, Number(other))) taking.hours.push(month.taken[other] as Hours);
  for (const id in month.locks) {
    const lock = month.locks[id] as FamilyMonth['locks'][string];
    if (!isLiveLock(lock, now) || !excludes(month.calendar_id, listingId, lock.listing_id)) continue;
    if (lock.holder !== exceptHolder || lock.listing_id !== listingId) taking.locks.push(lock);
  }
  return taking;
};

/**
 * Returns the hours at which a listing is taken: by its own, its parent's or its children's stays, blocks and live soft
 * locks, except soft locks of `exceptHolder` on the listing itself.
 */
export const unavailableHours = (...asked: Parameters<typeof takingOf>): Hours => {
  const { hours, locks } = takingOf(...asked);
  return union([...hours, ...locks.map((lock) => withSpan(noHours(), lock))]);
};

/** Returns whether a listing is taken in any of these hours, likewise. */
export const isUnavailable = (
  { from, to }: Pick<MonthSpan, 'from' | 'to'>,
  ...asked: Parameters<typeof takingOf>
): boolean => {
  const { hours, locks } = takingOf(...asked);
  return (
    hours.some((taken) => isAnyTaken(taken, { from, to })) ||
    locks.some((lock) => lock.from < to && lock.to > from)
  );
};
