import { DynamoDBClient } from '@aws-sdk/client-dynamodb';
import { DynamoDBDocumentClient, GetCommand, PutCommand } from '@aws-sdk/lib-dynamodb';
import { describe, expect, it, vi } from 'vitest';
import { type Listing, ListingEntity } from '../../shared/domain/listing/listing.entity.ts';
import { CellReader, indexListings, searchListings } from '../../shared/domain/search/index.ts';
import { packNumberColumns, unpackNumberColumns } from '../../shared/domain/search/number-columns.ts';
import { PlacePlane } from '../../shared/domain/search/place-plane.ts';
import { SearchQuery } from '../../shared/domain/search/search.schema.ts';
import { SearchEntryEntity, SearchPlaneEntity } from '../../shared/domain/search/search.entity.ts';
import { put, type TableKey } from '../../shared/platform/table/index.ts';
import { measuredTable } from '../support/costs.ts';
import { bookStay } from '../support/events.ts';
import { testListing } from '../support/listings.ts';
import { testContext, testDependencies, testTableName, testTeam, testUser } from '../support/table.ts';

type Item = Record<string, unknown>;

const client = DynamoDBDocumentClient.from(new DynamoDBClient({}));

/** Replaces an item by what the table held of it before. */
const replaceRaw = async (Key: TableKey, old: (item: Item) => Item): Promise<void> => {
  const TableName = await testTableName();
  const { Item = {} } = await client.send(new GetCommand({ TableName, Key }));
  await client.send(new PutCommand({ TableName, Item: old(Item) }));
};

let spots = 0;
/** A listing alone in its cell, with what changes it and what the index says of it. */
const scene = async () => {
  const deps = await testDependencies();
  const { team_id } = await testTeam(deps);
  const { caller } = await testUser(deps);
  const spot = { latitude: -30 - ++spots, longitude: 40 };
  let listing: Listing = await testListing(deps, { team_id, ...spot });
  await indexListings(deps, [listing.id]);
  const change = async (given: Partial<Listing>) => {
    listing = { ...listing, ...given };
    await deps.table.transact([put(ListingEntity, listing)]);
    await indexListings(deps, [listing.id]);
  };
  const book = async (check_in_date: string, check_out_date: string) => {
    await bookStay(testContext(deps, caller), { listing_id: listing.id, check_in_date, check_out_date });
    await indexListings(deps, [listing.id]);
  };
  /** The revision of the document, and that of its place. */
  const revisions = async () => {
    const { revision, place } = (await deps.table.get(SearchEntryEntity, { listing_id: listing.id }))!;
    if (!place) return [revision, null];
    const ids = { cell: place.cell, chunk: place.chunk, plane: 'place' };
    const { packed } = (await deps.table.get(SearchPlaneEntity, ids))!;
    return [revision, new PlacePlane(packed).revisions[place.slot]];
  };
  return { deps, caller, spot, listing, change, book, revisions };
};

describe('the revision of a document', () => {
  it('counts the changes of what is shown, not those of the taken hours, also while it is closed or moves', async () => {
    const s = await scene();
    expect(await s.revisions()).toEqual([1, 1]);
    await s.book('2027-02-10', '2027-02-12');
    expect(await s.revisions()).toEqual([1, 1]);
    await s.change({ name: 'Biệt thự mới' });
    expect(await s.revisions()).toEqual([2, 2]);
    await s.change({ full_rate: 2_000_000 });
    expect(await s.revisions()).toEqual([3, 3]);
    await s.change({ state: 'INACTIVE' });
    expect(await s.revisions()).toEqual([4, null]);
    await s.change({ state: 'ACTIVE' });
    expect(await s.revisions()).toEqual([5, 5]);
    await s.change({ longitude: 50 });
    expect(await s.revisions()).toEqual([6, 6]);
  });

  it('is 0 in an entry and in a place of before, until the listing is indexed again', async () => {
    const s = await scene();
    const { listing_id, place } = (await s.deps.table.get(SearchEntryEntity, { listing_id: s.listing.id }))!;
    await replaceRaw(SearchEntryEntity.key({ listing_id }), ({ revision: _, ...item }) => ({
      ...item,
      sv: 2,
    }));
    const ids = { cell: place!.cell, chunk: place!.chunk, plane: 'place' };
    await replaceRaw(SearchPlaneEntity.key(ids), ({ packed, ...item }) => {
      const { numbers, texts } = unpackNumberColumns(packed as Uint8Array);
      const before = numbers.slice(0, -1).map((column) => [...column]);
      return { ...item, packed: packNumberColumns({ numbers: before, texts }) };
    });
    expect(await s.revisions()).toEqual([0, undefined]);
    const location = `${s.spot.latitude},${s.spot.longitude}`;
    const cells = new CellReader({ keepMs: 0 });
    const names = async () => {
      const query = SearchQuery.parse({ location });
      const { items } = await searchListings(testContext(s.deps, s.caller), query, { cells });
      return items.map(({ name }) => name);
    };
    expect(await names()).toEqual([s.listing.name]);
    await indexListings(s.deps, [listing_id]);
    expect(await s.revisions()).toEqual([1, 1]);
    await s.book('2027-02-10', '2027-02-12');
    expect(await s.revisions()).toEqual([1, 1]);
    await s.change({ name: 'Tên mới' });
    expect(await s.revisions()).toEqual([2, 2]);
    expect(await names()).toEqual(['Tên mới']);
  });

  it('is what a warm search knows a change by: other documents are not read again', async () => {
    const s = await scene();
    const other = await testListing(s.deps, { team_id: s.listing.team_id, ...s.spot, name: 'Nhà bên cạnh' });
    await indexListings(s.deps, [other.id]);
    const location = `${s.spot.latitude},${s.spot.longitude}`;
    const query = SearchQuery.parse({
      location,
      check_in: '2027-02-10',
      check_out: '2027-02-12',
      guests: '1',
    });
    const ctx = testContext(s.deps, s.caller);
    const cells = new CellReader({ keepMs: 0 });
    const reads = vi.spyOn(s.deps.table, 'getGroups');
    /** The names that are shown, and how many documents were read. */
    const shown = async () => {
      reads.mockClear();
      const { items } = await searchListings(ctx, query, { cells });
      const names = items.map(({ name, total_price }) => `${name} ${total_price}`);
      const keys = reads.mock.calls.flatMap(([groups]) => groups.flat().map(({ key }) => key.pk));
      return {
        names: new Set(names),
        documents: keys.filter((pk) => pk.startsWith('SEARCH_LISTING#')).length,
      };
    };
    const { name } = s.listing;
    const beside = 'Nhà bên cạnh 2200000';
    expect(await shown()).toEqual({ names: new Set([`${name} 2200000`, beside]), documents: 2 });
    expect((await shown()).documents).toBe(0);
    await s.change({ name: 'Tên mới', full_rate: 2_000_000 });
    expect(await shown()).toEqual({ names: new Set(['Tên mới 4200000', beside]), documents: 1 });
    await s.book('2027-02-10', '2027-02-12');
    expect(await shown()).toEqual({ names: new Set([beside]), documents: 0 });
  });
});

describe('a search of cells that it knows', () => {
  const dates = { check_in: '2027-02-10', check_out: '2027-02-12', guests: '1', limit: '1' };
  /** A search by one instance, and its round trips. */
  const searched = async () => {
    const s = await scene();
    const { table, cost } = measuredTable(s.deps.table);
    const ctx = testContext({ ...s.deps, table }, s.caller);
    const cells = new CellReader({ keepMs: 1000 });
    const search = async (location = s.spot) => {
      const query = SearchQuery.parse({ location: `${location.latitude},${location.longitude}`, ...dates });
      let ids: number[] = [];
      const { trips } = await cost(async () => {
        ids = (await searchListings(ctx, query, { cells })).items.map(({ id }) => id);
      });
      s.deps.clock.advance(1000);
      return { ids, trips };
    };
    return { ...s, search };
  };

  it('takes one round trip if they have not changed, and is repeated if they have', async () => {
    const s = await searched();
    const { id } = s.listing;
    expect(await s.search()).toEqual({ ids: [id], trips: 3 });
    expect(await s.search()).toEqual({ ids: [id], trips: 1 });
    await s.change({ name: 'Tên mới' });
    // Once more its columns, and then its document.
    expect(await s.search()).toEqual({ ids: [id], trips: 3 });
    await s.change({ state: 'INACTIVE' });
    // Once more its columns, and the prices of groups.
    expect(await s.search()).toEqual({ ids: [], trips: 3 });
    expect(await s.search()).toEqual({ ids: [], trips: 1 });
  });

  it('sees a change although it has all else that it shows', async () => {
    const s = await searched();
    const query = SearchQuery.parse({ location: `${s.spot.latitude},${s.spot.longitude}`, limit: '1' });
    const cells = new CellReader({ keepMs: 0 });
    const names = async () =>
      (await searchListings(testContext(s.deps, s.caller), query, { cells })).items.map(({ name }) => name);
    expect(await names()).toEqual([s.listing.name]);
    await s.change({ name: 'Tên mới' });
    expect(await names()).toEqual(['Tên mới']);
  });

  it('finds what has come where nothing was', async () => {
    const s = await searched();
    const empty = { ...s.spot, longitude: 41 };
    expect((await s.search(empty)).ids).toEqual([]);
    await s.change({ longitude: 41 });
    expect((await s.search(empty)).ids).toEqual([s.listing.id]);
  });
});
