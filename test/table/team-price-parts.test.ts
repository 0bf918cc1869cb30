import { beforeAll, describe, expect, it } from 'vitest';
import { archiveListing } from '../../shared/domain/listing/archive-listing.ts';
import { addPricePart } from '../../shared/domain/pricing/price-parts.ts';
import { PricePartsEntity } from '../../shared/domain/pricing/price-parts.entity.ts';
import { readTeamPriceParts } from '../../shared/domain/pricing/team-price-parts.store.ts';
import { put } from '../../shared/platform/table/index.ts';
import { measuredTable } from '../support/costs.ts';
import { hostWorld } from '../support/host-world.ts';
import { type TestDependencies, testDependencies } from '../support/table.ts';

let deps: TestDependencies;
beforeAll(async () => {
  deps = await testDependencies();
});
const { host, create } = hostWorld(() => deps);

const service = {
  ...{ service_name: 'Breakfast', description: null, price: 50_000, is_required: false, is_active: true },
  price_unit: 'per_person' as const,
};

const scene = async (count: number) => {
  const ctx = await host();
  const ids: number[] = [];
  for (let made = 0; made < count; made++) ids.push((await create(ctx)).id);
  const { table, cost } = measuredTable(deps.table);
  const teamId = ctx.caller.memberships[0]!.team_id;
  let found: Awaited<ReturnType<typeof readTeamPriceParts>> = [];
  /** Reads some; returns the requests that were made, and of which listing each answer is. */
  const read = async (wanted: readonly number[]) => {
    const { trips } = await cost(async () => {
      found = await readTeamPriceParts(table, teamId, wanted);
    });
    return { trips, of: found.map((parts) => parts?.listing_id), found };
  };
  /** Stores what a version before this index has stored. */
  const putOld = (listing_id: number) =>
    deps.table.put(put(PricePartsEntity, { listing_id, version: 1, combos: [], services: [], rules: [] }));
  return { ctx, ids, read, putOld };
};

describe('the price parts of a team’s listings', () => {
  it('are one request from the creation of a listing on, in the order that is asked for', async () => {
    const { ids, read } = await scene(4);
    const newestFirst = ids.toReversed();
    expect(await read(newestFirst)).toMatchObject({ trips: 1, of: newestFirst });
    expect(await read([ids[1]!, ids[2]!])).toMatchObject({ trips: 1, of: [ids[1], ids[2]] });
    expect(await read([])).toMatchObject({ trips: 0, of: [] });
  });

  it('of a version before are read by their key, until the host changes them', async () => {
    const { ctx, ids, read, putOld } = await scene(3);
    await putOld(ids[0]!);
    expect(await read(ids)).toMatchObject({ trips: 2, of: ids });
    await addPricePart(ctx, 'services', ids[0]!, service);
    const { trips, found } = await read(ids);
    expect(trips).toBe(1);
    expect(found[0]?.services).toMatchObject([{ service_name: 'Breakfast' }]);
  });

  it('cost no more for many archived listings between them', async () => {
    const { ctx, ids, read } = await scene(6);
    for (const id of ids.slice(1, 5)) await archiveListing(ctx, id);
    const wanted = [ids[0]!, ids[5]!];
    // Four are read, of which the first is wanted; the other one is read by its key.
    expect(await read(wanted)).toMatchObject({ trips: 2, of: wanted });
  });
});
