import { createListing } from '../../../shared/domain/listing/index.ts';
import { ListingCreate } from '../../../shared/domain/listing/model.ts';
import type { Dependencies } from '../../../shared/platform/context.ts';
import type { Look } from '../pictures/index.ts';
import { asUser, type Person } from './callers.ts';
import type { Home, Room } from './homes/home.ts';

/** A listing of the demo with what is still to be done for it. */
export interface SeededListing {
  id: number;
  capacity: number;
  look: Look;
  /** Of a room: its stays; a home has more. */
  about: Room | Home;
}

/** Creates a home, then its rooms; returns them in that order. */
const seedHome = async (deps: Dependencies, owner: Person, home: Home): Promise<SeededListing[]> => {
  const ctx = asUser(deps, owner);
  const { rooms = [], look, seasonPrice: _, houseRules: __, stays: ___, blocked: ____, ...fields } = home;
  const { id, capacity } = await createListing(ctx, ListingCreate().parse(fields));
  const seeded: SeededListing[] = [{ id, capacity, look, about: home }];
  const { beds, bathrooms, bedrooms, minimum_rate, square_meters, ...shared } = fields;
  for (const [at, about] of rooms.entries()) {
    const { stays, blocked, ...own } = about;
    const room = await createListing(
      ctx,
      ListingCreate().parse({
        ...shared,
        ...own,
        listing_type: 'PRIVATE_ROOM',
        guest_included_in_rate: own.capacity,
        parent_listing_id: id,
        prices_by_week: {},
      }),
    );
    seeded.push({
      id: room.id,
      capacity: room.capacity,
      look: { ...look, number: look.number + at + 1 },
      about,
    });
  }
  return seeded;
};

/** Creates a team's homes; returns each with its rooms. */
export const seedListings = async (
  deps: Dependencies,
  owner: Person,
  homes: readonly Home[],
): Promise<SeededListing[][]> => {
  const seeded: SeededListing[][] = [];
  for (const home of homes) seeded.push(await seedHome(deps, owner, home));
  return seeded;
};
