import type { Issue } from '../../platform/errors.ts';
import type { Listing } from './listing.entity.ts';

type Guests = Pick<Listing, 'guest_included_in_rate' | 'maximum_guest'>;

/** The guests that the rate includes when the host does not say: the standard capacity, or all where fewer may come. */
export const includedGuests = (
  standardCapacity: number,
  { maximum_guest }: Pick<Guests, 'maximum_guest'>,
): number => (maximum_guest > 0 ? Math.min(standardCapacity, maximum_guest) : standardCapacity);

/** A rate cannot include more guests than may come; a `maximum_guest` of 0 sets no limit of its own (D39). */
export const listingGuestIssues = ({ guest_included_in_rate, maximum_guest }: Guests): Issue[] =>
  maximum_guest > 0 && guest_included_in_rate > maximum_guest
    ? [
        {
          path: 'maximum_guest',
          message: `must be at least guest_included_in_rate, which is ${guest_included_in_rate}; 0 means capacity`,
        },
      ]
    : [];
