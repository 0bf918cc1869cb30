import type { CalendarMonth, HourHold } from './calendar.store.ts';
import { type Hours, noHours, union, withSpan } from './hours.rules.ts';

/** Whether a claim still takes its hours: it is confirmed, or its soft lock has not expired. */
export const isLive = (claim: HourHold, now: number): boolean => claim.until === null || claim.until > now;

/** Whether hours of one listing take those of another in the same calendar: itself, its parent, its children (D26). */
const excludes = (calendarId: number, one: number, other: number): boolean =>
  one === other || one === calendarId || other === calendarId;

/**
 * Returns the hours at which a listing is taken: by its own, its parent's or its children's stays, blocks and live soft
 * locks, except soft locks of `exceptHolder` on the listing itself.
 */
export const unavailableHours = (
  month: CalendarMonth,
  listingId: number,
  now: number,
  exceptHolder?: string,
): Hours => {
  const excluding = (other: number) => excludes(month.calendar_id, listingId, other);
  const taken = Object.entries(month.taken).filter(([other]) => excluding(Number(other)));
  const claims = Object.values(month.claims)
    .filter((claim) => isLive(claim, now) && excluding(claim.listing_id))
    .filter(
      (claim) => claim.until === null || claim.holder !== exceptHolder || claim.listing_id !== listingId,
    );
  return union([...taken.map(([, hours]) => hours), ...claims.map((claim) => withSpan(noHours(), claim))]);
};
