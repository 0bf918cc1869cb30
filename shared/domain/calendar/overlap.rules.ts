import type { HourHold } from './calendar.store.ts';
import { type Hours, noHours, union, withSpan } from './hours.rules.ts';
import type { FamilyMonth } from './month.rules.ts';

/** Whether a soft lock still takes its hours. */
export const isLive = ({ until }: HourHold, now: number): boolean => until > now;

/** Whether hours of one listing take those of another in the same calendar: itself, its parent, its children (D26). */
const excludes = (calendarId: number, one: number, other: number): boolean =>
  one === other || one === calendarId || other === calendarId;

/**
 * Returns the hours at which a listing is taken: by its own, its parent's or its children's stays, blocks and live soft
 * locks, except soft locks of `exceptHolder` on the listing itself.
 */
export const unavailableHours = (
  month: FamilyMonth,
  listingId: number,
  now: number,
  exceptHolder?: string,
): Hours => {
  const excluding = (other: number) => excludes(month.calendar_id, listingId, other);
  const taken = Object.entries(month.taken).filter(([other]) => excluding(Number(other)));
  const locks = Object.values(month.locks)
    .filter((lock) => isLive(lock, now) && excluding(lock.listing_id))
    .filter((lock) => lock.holder !== exceptHolder || lock.listing_id !== listingId);
  return union([...taken.map(([, hours]) => hours), ...locks.map((lock) => withSpan(noHours(), lock))]);
};
