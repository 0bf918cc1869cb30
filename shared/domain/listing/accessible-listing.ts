import type { PartnerCaller } from '../../platform/auth.ts';
import { ServiceError } from '../../platform/errors.ts';
import type { Listing } from './listing.entity.ts';

/** A listing of the key's teams in whatever state but ARCHIVED; any other is EXTERNAL_LISTING_NOT_ACCESSIBLE (D9). */
export const requireAccessible = (caller: PartnerCaller, listing: Listing | undefined): Listing => {
  if (!listing || listing.state === 'ARCHIVED' || !caller.team_ids.includes(listing.team_id)) {
    throw new ServiceError('EXTERNAL_LISTING_NOT_ACCESSIBLE');
  }
  return listing;
};
