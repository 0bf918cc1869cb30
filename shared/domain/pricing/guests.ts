import type { Issue } from '../../platform/errors.ts';
import type { CheckoutItem } from './quote.schema.ts';
import type { ListingRates } from './rate-card.ts';

/** The most guests a listing takes: `maximum_guest` when it is set, else `capacity` (D39). */
export const maximumGuests = ({ maximum_guest, capacity }: ListingRates): number =>
  maximum_guest && maximum_guest > 0 ? maximum_guest : capacity;

/** Guests beyond those the rate includes, children counted like everybody (D39). */
export const extraGuests = (listing: ListingRates, item: Pick<CheckoutItem, 'guest_number'>): number =>
  Math.max(0, item.guest_number - (listing.guest_included_in_rate ?? 0));

export const guestIssues = (listing: ListingRates, item: CheckoutItem): Issue[] => {
  const { guest_number: guests, adult_number: adults, children_number: children } = item;
  const issues: Issue[] = [];
  if (guests < 1) issues.push({ path: 'guest_number', message: 'must be at least 1' });
  const most = maximumGuests(listing);
  if (guests > most) issues.push({ path: 'guest_number', message: `must be at most ${most}` });
  if (adults != null && children != null) {
    if (adults + children !== guests)
      issues.push({ path: 'adult_number', message: 'and children_number must add up to guest_number' });
  } else if ((adults ?? 0) > guests || (children ?? 0) > guests) {
    const path = adults != null ? 'adult_number' : 'children_number';
    issues.push({ path, message: 'must not be above guest_number' });
  }
  return issues;
};
