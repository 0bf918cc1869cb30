import { beforeEach, expect, it } from 'vitest';
import { type Listing, ListingEntity } from '../../shared/domain/listing/listing.entity.ts';
import { indexListings } from '../../shared/domain/search/index-listing.ts';
import { SearchEntryEntity } from '../../shared/domain/search/search.entity.ts';
import { put } from '../../shared/platform/table/index.ts';
import { interruptedTable, writing } from '../support/interrupted.ts';
import { testListing } from '../support/listings.ts';
import { type TestDependencies, testDependencies, testTeam } from '../support/table.ts';

let deps: TestDependencies;
let listing: Listing;
beforeEach(async () => {
  deps = await testDependencies();
  const { team_id } = await testTeam(deps);
  listing = await testListing(deps, { team_id, state: 'INACTIVE' });
});

/** The listing opens, and is indexed, while an earlier state of it is about to be written. */
const indexWhileItOpens = async (given: Partial<Listing> = {}) => {
  const table = interruptedTable(deps.table, writing('SearchEntry'), async () => {
    await deps.table.transact([put(ListingEntity, { ...listing, ...given, state: 'ACTIVE' })]);
    await indexListings(deps, [listing.id]);
  });
  await indexListings({ ...deps, table }, [listing.id]);
  return deps.table.get(SearchEntryEntity, { listing_id: listing.id });
};

it('a listing that opens while it is indexed for the first time is found', async () => {
  expect((await indexWhileItOpens())?.place).not.toBeNull();
});

it('a listing that opens while it is indexed in its new family is found', async () => {
  await indexListings(deps, [listing.id]);
  const { team_id } = listing;
  const parent = await testListing(deps, { team_id, state: 'INACTIVE' });
  await indexListings(deps, [parent.id]);
  const inFamily = { parent_listing_id: parent.id };
  await deps.table.transact([
    put(ListingEntity, { ...listing, ...inFamily }),
    put(ListingEntity, { ...parent, child_listing_ids: [listing.id] }),
  ]);
  const entry = await indexWhileItOpens(inFamily);
  expect(entry).toMatchObject({ calendar_id: parent.id });
  expect(entry?.place).not.toBeNull();
});
