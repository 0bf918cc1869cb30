import { createListing } from '../../../shared/domain/listing/index.ts';
import { ListingCreate } from '../../../shared/domain/listing/model.ts';
import type { UserCaller } from '../../../shared/platform/auth.ts';
import { type Context, type Dependencies, systemContext } from '../../../shared/platform/context.ts';
import type { Home } from './homes.ts';

/** Creates a team's homes, each before its rooms; returns the ids in that order. */
export const seedListings = async (
  deps: Dependencies,
  owner: { team_id: number; user_id: number },
  homes: readonly Home[],
): Promise<number[]> => {
  const ctx = contextOf(deps, owner);
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

const contextOf = (
  deps: Dependencies,
  { team_id, user_id }: { team_id: number; user_id: number },
): Context => {
  const caller: UserCaller = {
    kind: 'user',
    user_id,
    subject: 'demo',
    email: '',
    full_name: '',
    phone: '',
    language: 'vi',
    email_verified: true,
    system_role: 'USER',
    memberships: [{ team_id, role: 'OWNER' }],
  };
  return { ...systemContext(deps, 'demo'), caller, teamHeader: team_id };
};
