import { createListing } from '../../../shared/domain/listing/index.ts';
import { ListingCreate } from '../../../shared/domain/listing/model.ts';
import type { Dependencies } from '../../../shared/platform/context.ts';
import { asUser, type Person } from './callers.ts';
import type { Home } from './homes.ts';

/** Creates a team's homes, each before its rooms; returns the ids in that order. */
export const seedListings = async (
  deps: Dependencies,
  owner: Person,
  homes: readonly Home[],
): Promise<number[]> => {
  const ctx = asUser(deps, owner);
  const ids: number[] = [];
  for (const { rooms = [], ...home } of homes) {
    const parent = await createListing(ctx, ListingCreate.parse(home));
    ids.push(parent.id);
    for (const room of rooms) {
      const { beds: _, bathrooms: __, bedrooms: ___, minimum_rate: ____, ...shared } = home;
      const body = {
        ...shared,
        ...room,
        listing_type: 'PRIVATE_ROOM',
        guest_included_in_rate: room.capacity,
      };
      ids.push(
        (
          await createListing(
            ctx,
            ListingCreate.parse({ ...body, parent_listing_id: parent.id, prices_by_week: {} }),
          )
        ).id,
      );
    }
  }
  return ids;
};
