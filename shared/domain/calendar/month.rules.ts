import type { Table } from '../../platform/table/index.ts';
import {
  type CalendarMonth,
  CalendarMonthEntity,
  calendarPartition,
  type HourHold,
} from './calendar.store.ts';
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

export const emptyMonth = (calendarId: number, month: string): CalendarMonth => ({
  calendar_id: calendarId,
  month,
  version: 0,
  taken: {},
  claims: {},
});

const isLive = (claim: HourHold, now: number): boolean => claim.until === null || claim.until > now;

/**
 * Returns the month without expired soft locks and with confirmed claims merged into the bitmaps. Every write starts from
 * it.
 */
export const normalised = (month: CalendarMonth, now: number): CalendarMonth => {
  const live = Object.entries(month.claims).filter(([, claim]) => isLive(claim, now));
  return live
    .filter(([, claim]) => claim.until === null)
    .reduce((result, [, claim]) => withTaken(result, claim), {
      ...month,
      claims: Object.fromEntries(live.filter(([, claim]) => claim.until !== null)),
    });
};

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

type Span = Pick<HourHold, 'listing_id' | 'from' | 'to'>;

export const withTaken = (month: CalendarMonth, span: Span): CalendarMonth => ({
  ...month,
  taken: { ...month.taken, [span.listing_id]: withSpan(month.taken[span.listing_id] ?? noHours(), span) },
});

export const withoutTaken = (month: CalendarMonth, span: Span): CalendarMonth => {
  const hours = withoutSpan(month.taken[span.listing_id] ?? noHours(), span);
  const { [String(span.listing_id)]: _, ...others } = month.taken;
  return { ...month, taken: isEmpty(hours) ? others : { ...others, [span.listing_id]: hours } };
};

/** Returns the month closed to a listing that has left its calendar. */
export const withoutListing = (month: CalendarMonth, listingId: number): CalendarMonth => ({
  ...month,
  left: [...new Set([...(month.left ?? []), listingId])],
});

/** Returns the month reopened to a listing. */
export const withListing = (month: CalendarMonth, listingId: number): CalendarMonth => ({
  ...month,
  left: (month.left ?? []).filter((id) => id !== listingId),
});

export const hasLeft = (month: CalendarMonth, listingId: number): boolean =>
  month.left?.includes(listingId) ?? false;

export const withHold = (month: CalendarMonth, availabilityId: number, claim: HourHold): CalendarMonth => ({
  ...month,
  claims: { ...month.claims, [availabilityId]: claim },
});

/** Returns the month without a holder's soft locks. */
export const withoutHoldsOf = (month: CalendarMonth, holder: string | undefined): CalendarMonth => ({
  ...month,
  claims: Object.fromEntries(
    Object.entries(month.claims).filter(([, claim]) => claim.until === null || claim.holder !== holder),
  ),
});

export const withoutHold = (month: CalendarMonth, availabilityId: number): CalendarMonth => {
  const { [String(availabilityId)]: _, ...claims } = month.claims;
  return { ...month, claims };
};

/** A stretch of whole hours of local time, half-open, in hours since 1970. */
export type HourStretch = [from: number, to: number];

/** All soft locks have expired at this instant. */
const endOfLocks = Number.POSITIVE_INFINITY;

/**
 * Returns the stretches at which each listing of a calendar is taken without end: by stays and blocks, its parent's and
 * children's included (D26), from a month (`YYYY-MM`) on. Soft locks are not included.
 */
export const committedHours = async (
  table: Table,
  calendarId: number,
  firstMonth: string,
): Promise<(listingId: number) => HourStretch[]> => {
  const range = { from: `MONTH#${firstMonth}`, to: 'MONTH#~' };
  const months = await table.queryAll(CalendarMonthEntity, { pk: calendarPartition(calendarId), ...range });
  return (listingId) => joinAdjacent(months.flatMap((month) => stretchesOf(month, listingId)));
};

const stretchesOf = (month: CalendarMonth, listingId: number): HourStretch[] => {
  const first = hourNumber(hourText(month.month, 0));
  const hours = unavailableHours(month, listingId, endOfLocks);
  return takenWithin(hours, { from: 0, to: hoursInMonth(month.month) }).map(({ from, to }) => [
    first + from,
    first + to,
  ]);
};

const joinAdjacent = (stretches: HourStretch[]): HourStretch[] =>
  stretches.reduce<HourStretch[]>((result, [from, to]) => {
    const last = result.at(-1);
    if (last?.[1] === from) last[1] = to;
    else result.push([from, to]);
    return result;
  }, []);
