import type { Dependencies } from '../../platform/context.ts';
import { packList } from '../../platform/lists/index.ts';
import { listingList, openListingsOwner, ownerTeamListings } from './listing-list.ts';
import { readListing } from './listing.store.ts';

/** Brings the packed lists that a listing is part of up to date: again, late or in any order, it comes out the same. */
export const packListings = async (
  deps: Pick<Dependencies, 'table' | 'clock'>,
  id: number,
): Promise<void> => {
  const listing = await readListing(deps.table, id);
  if (!listing) return;
  for (const owner of [ownerTeamListings(listing.team_id), openListingsOwner])
    await packList(deps, listingList, owner, [id]);
};
