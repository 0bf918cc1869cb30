import type { Table } from '../../platform/table/index.ts';
import { type CalendarMonth, calendarPartition, type HourClaim } from './calendar.store.ts';
import {
  hourNumber,
  type Hours,
  hoursInMonth,
  hourText,
  isEmpty,
  noHours,
  takenWithin,
  union,
  withoutSpan,
  withSpan,
} from './hours.rules.ts';

/** The rules of one month of a calendar: pure, told the time. */

export const emptyMonth = (calendarId: number, month: string): CalendarMonth => ({
  calendar_id: calendarId,
  month,
  version: 0,
  taken: {},
  claims: {},
});

const isLive = (claim: HourClaim, now: number): boolean => claim.until === null || claim.until > now;

/** Expired soft locks dropped, confirmed claims folded into the bitmaps: what every write starts from. */
export const tidied = (month: CalendarMonth, now: number): CalendarMonth => {
  const live = Object.entries(month.claims).filter(([, claim]) => isLive(claim, now));
  return live
    .filter(([, claim]) => claim.until === null)
    .reduce((result, [, claim]) => withTaken(result, claim), {
      ...month,
      claims: Object.fromEntries(live.filter(([, claim]) => claim.until !== null)),
    });
};

/** Whether hours of one listing take those of another of the same calendar: itself, its parent, its children (D26). */
const excludes = (calendarId: number, one: number, other: number): boolean =>
  one === other || one === calendarId || other === calendarId;

/** The hours a listing cannot be had: its own, its parent's or children's, live soft locks included, but those that `apartFrom` has on it. */
export const unavailableHours = (
  month: CalendarMonth,
  listingId: number,
  now: number,
  apartFrom?: string,
): Hours => {
  const excluding = (other: number) => excludes(month.calendar_id, listingId, other);
  const taken = Object.entries(month.taken).filter(([other]) => excluding(Number(other)));
  const claims = Object.values(month.claims)
    .filter((claim) => isLive(claim, now) && excluding(claim.listing_id))
    .filter((claim) => claim.until === null || claim.holder !== apartFrom || claim.listing_id !== listingId);
  return union([...taken.map(([, hours]) => hours), ...claims.map((claim) => withSpan(noHours(), claim))]);
};

type Span = Pick<HourClaim, 'listing_id' | 'from' | 'to'>;

export const withTaken = (month: CalendarMonth, span: Span): CalendarMonth => ({
  ...month,
  taken: { ...month.taken, [span.listing_id]: withSpan(month.taken[span.listing_id] ?? noHours(), span) },
});

export const withoutTaken = (month: CalendarMonth, span: Span): CalendarMonth => {
  const hours = withoutSpan(month.taken[span.listing_id] ?? noHours(), span);
  const { [String(span.listing_id)]: _, ...others } = month.taken;
  return { ...month, taken: isEmpty(hours) ? others : { ...others, [span.listing_id]: hours } };
};

/** The month once a listing has left its calendar: nobody takes hours of it here any more. */
export const withoutListing = (month: CalendarMonth, listingId: number): CalendarMonth => ({
  ...month,
  left: [...new Set([...(month.left ?? []), listingId])],
});

/** The month once a listing has come back to its calendar. */
export const withListing = (month: CalendarMonth, listingId: number): CalendarMonth => ({
  ...month,
  left: (month.left ?? []).filter((id) => id !== listingId),
});

export const hasLeft = (month: CalendarMonth, listingId: number): boolean =>
  month.left?.includes(listingId) ?? false;

export const withClaim = (month: CalendarMonth, availabilityId: number, claim: HourClaim): CalendarMonth => ({
  ...month,
  claims: { ...month.claims, [availabilityId]: claim },
});

/** The month without a holder's soft locks. */
export const withoutLocksOf = (month: CalendarMonth, holder: string | undefined): CalendarMonth => ({
  ...month,
  claims: Object.fromEntries(
    Object.entries(month.claims).filter(([, claim]) => claim.until === null || claim.holder !== holder),
  ),
});

export const withoutClaim = (month: CalendarMonth, availabilityId: number): CalendarMonth => {
  const { [String(availabilityId)]: _, ...claims } = month.claims;
  return { ...month, claims };
};

/** A stretch of whole hours of local time, half-open, each counted from 1970. */
export type HourStretch = [from: number, to: number];

/** No soft lock outlives this instant. */
const endOfLocks = Number.POSITIVE_INFINITY;

/**
 * The hours of a calendar from a month (`YYYY-MM`) on, however far ahead: what a listing cannot be had for good, by stays and
 * blocks, its parent's and children's included (D26), in order. Soft locks are not among them.
 */
export const committedHours = async (
  table: Table,
  calendarId: number,
  firstMonth: string,
): Promise<(listingId: number) => HourStretch[]> => {
  const range = { from: `MONTH#${firstMonth}`, to: 'MONTH#~' };
  const { items } = await table.queryAll({ pk: calendarPartition(calendarId), ...range });
  const months = items as unknown as CalendarMonth[];
  return (listingId) => joined(months.flatMap((month) => stretchesOf(month, listingId)));
};

const stretchesOf = (month: CalendarMonth, listingId: number): HourStretch[] => {
  const first = hourNumber(hourText(month.month, 0));
  const hours = unavailableHours(month, listingId, endOfLocks);
  return takenWithin(hours, { from: 0, to: hoursInMonth(month.month) }).map(({ from, to }) => [
    first + from,
    first + to,
  ]);
};

const joined = (stretches: HourStretch[]): HourStretch[] =>
  stretches.reduce<HourStretch[]>((result, [from, to]) => {
    const last = result.at(-1);
    if (last?.[1] === from) last[1] = to;
    else result.push([from, to]);
    return result;
  }, []);
