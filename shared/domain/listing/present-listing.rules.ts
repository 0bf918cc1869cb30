import { type Caller, isHostOf } from '../../platform/auth.ts';
import { uncompiled } from '../../platform/schema/uncompiled.ts';
import { termsOfListing } from './cancellation-terms.rules.ts';
import { hostOnly } from './host-only.data.ts';
import { ListingResponse, ListingSummary } from './listing.schema.ts';
import type { Listing } from './listing.entity.ts';

/**
 * Returns a listing, which was opened for its hosts, with its view count as the caller may see it (D15, D23). Hosts see the
 * cancellation terms as they are written, all others those of a booking that is made now.
 */
export const presentListing = (caller: Caller, listing: Listing, viewCount: number): ListingResponse =>
  ListingResponse.parse(
    {
      ...listing,
      view_count: viewCount,
      ...(isHostOf(caller, listing.team_id) ? {} : shownToOthers(listing)),
    },
    uncompiled,
  );

const shownToOthers = (listing: Listing) => ({ ...hostOnly, cancellation_terms: termsOfListing(listing) });

/** Returns a listing as lists show it. */
export const summarizeListing = (listing: Listing): ListingSummary => ListingSummary.parse(listing);
