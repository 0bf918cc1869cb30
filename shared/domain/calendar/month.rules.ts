import type { CalendarMonth, HourHold } from './calendar.store.ts';
import { isEmpty, noHours, withoutSpan, withSpan } from './hours.rules.ts';
import { isLive } from './overlap.rules.ts';

export const emptyMonth = (calendarId: number, month: string): CalendarMonth => ({
  calendar_id: calendarId,
  month,
  version: 0,
  taken: {},
  claims: {},
});

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
