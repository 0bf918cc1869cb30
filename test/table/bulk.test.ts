import { beforeAll, describe, expect, it } from 'vitest';
import { addPricePart, bulkBlocks, bulkPrices, undoBulk } from '../../shared/domain/pricing/index.ts';
import { BulkResultEntity } from '../../shared/domain/pricing/model.ts';
import { BulkBlocks, BulkPrices } from '../../shared/domain/pricing/bulk.schema.ts';
import { AvailabilityEntryEntity } from '../../shared/domain/calendar/model.ts';
import { blockTime } from '../../shared/domain/calendar/index.ts';
import { updateListing } from '../../shared/domain/listing/index.ts';
import { nightRates } from '../../shared/domain/pricing/night-rate.rules.ts';
import { rateCardOf, readPricing } from '../../shared/domain/pricing/price-parts.store.ts';
import type { UserCaller } from '../../shared/platform/auth.ts';
import type { Context } from '../../shared/platform/context.ts';
import { ServiceError } from '../../shared/platform/errors.ts';
import { change, Table, type Write } from '../../shared/platform/table/index.ts';
import { addDays } from '../../shared/platform/time/time.ts';
import { countingClient, countsUnits, measuredTable } from '../support/costs.ts';
import { interrupted, writing } from '../support/interrupted.ts';
import { testListing } from '../support/listings.ts';
import {
  testContext,
  type TestDependencies,
  testDependencies,
  testTableName,
  testTeam,
  testUser,
} from '../support/table.ts';

let deps: TestDependencies;
let team_id: number;
let caller: UserCaller;
beforeAll(async () => {
  deps = await testDependencies();
  ({ team_id } = await testTeam(deps));
  ({ caller } = await testUser(deps, { memberships: [{ team_id, role: 'OWNER' }] }));
});

const context = (given: Partial<TestDependencies> = {}): Context =>
  testContext({ ...deps, ...given }, caller);
const homes = async (count: number): Promise<number[]> => {
  const made: number[] = [];
  for (let at = 0; at < count; at++) made.push((await testListing(deps, { team_id, full_rate: 1000 })).id);
  return made;
};
const day = '2027-03-05';
const range = (from: string, to: string, weekdays: number[] | null = null) => ({
  ...{ date_from: from, date_to: to, weekdays },
});
const raise = (listing_ids: number[], given: object = {}): BulkPrices =>
  BulkPrices.parse({ listing_ids, date_ranges: [range(day, day)], change: { percent: 10 }, ...given });
const block = (listing_ids: number[], given: object = {}): BulkBlocks =>
  BulkBlocks.parse({ listing_ids, date_ranges: [range(day, day)], change: { state: 'BLOCKED' }, ...given });
const priceOf = async (id: number, date = day): Promise<number> => {
  const { listing, parts } = await readPricing(context(), id);
  return nightRates(rateCardOf(listing!, parts), 'OVERNIGHT')(date).price;
};
const pricesOf = (ids: number[]) => Promise.all(ids.map((id) => priceOf(id)));

/** A request under an Idempotency-Key: its attempts find what an earlier one has started. */
const repeatable = () => {
  let startedId: number | undefined;
  return (ctx: Context): Context => ({
    ...ctx,
    startedId: () => Promise.resolve(startedId),
    recordStart: async (writes, id) => {
      await ctx.table.transact(writes);
      startedId = id;
    },
  });
};

type Transact = (writes: readonly Write[], next: () => Promise<void>) => Promise<void>;
/** The context of a table whose transactions are in the test's hands. */
const transacting = (ctx: Context, transact: Transact): Context => {
  const table = new Proxy(ctx.table, {
    get: (target, name) => {
      if (name === 'transact')
        return (writes: readonly Write[]) => transact(writes, () => target.transact(writes));
      const value: unknown = Reflect.get(target, name, target);
      return typeof value === 'function' ? (value.bind(target) as unknown) : value;
    },
  });
  return { ...ctx, table };
};
const isOf = (writes: readonly Write[], id: number): boolean =>
  writes.some(({ entity, key }) => entity === 'BulkResult' && key.sk === `LISTING#${id}`);
const isResult = (writes: readonly Write[]): boolean => writes.some(({ entity }) => entity === 'BulkResult');

describe('a bulk change of prices', () => {
  it('that dies between two listings goes on under its Idempotency-Key and raises no price twice', async () => {
    const ids = await homes(12);
    const attempt = repeatable();
    let left = 5;
    const dying = transacting(attempt(context()), async (writes, next) => {
      if (isResult(writes) && left-- <= 0) throw new Error('the process ends');
      await next();
    });
    await expect(bulkPrices(attempt(dying), raise(ids))).rejects.toThrow('the process ends');
    expect((await pricesOf(ids)).filter((price) => price === 1100)).toHaveLength(5);
    const { undo_id, items } = await bulkPrices(attempt(context()), raise(ids));
    expect(await pricesOf(ids)).toEqual(ids.map(() => 1100));
    expect(items.map(({ ranges }) => ranges[0]?.before)).toEqual(ids.map(() => 1000));
    await undoBulk(context(), { undo_id: undo_id! });
    expect(await pricesOf(ids)).toEqual(ids.map(() => 1000));
  });

  it('whose attempts run at once raises each price once, and both answer the same', async () => {
    const ids = await homes(3);
    const attempt = repeatable();
    let other: unknown;
    const first = transacting(attempt(context()), async (writes, next) => {
      if (isOf(writes, ids[0]!)) other = await bulkPrices(attempt(context()), raise(ids));
      await next();
    });
    const answer = await bulkPrices(first, raise(ids));
    expect(other).toEqual(answer);
    expect(await pricesOf(ids)).toEqual([1100, 1100, 1100]);
  });

  it('leaves alone what another attempt has done before it came to that listing', async () => {
    const ids = await homes(20);
    const attempt = repeatable();
    let other: Promise<unknown> | undefined;
    const first = transacting(attempt(context()), async (writes, next) => {
      if (isResult(writes)) await (other ??= bulkPrices(attempt(context()), raise(ids)));
      await next();
    });
    const answer = await bulkPrices(first, raise(ids));
    expect(await other).toEqual(answer);
    expect(await pricesOf(ids)).toEqual(ids.map(() => 1100));
  });

  it('adds up with another one of the same moment', async () => {
    const ids = await homes(4);
    await Promise.all([bulkPrices(context(), raise(ids)), bulkPrices(context(), raise(ids))]);
    expect(await pricesOf(ids)).toEqual([1210, 1210, 1210, 1210]);
  });

  it('is of the prices of its moment: a change between reads and write is read again', async () => {
    const [id = 0] = await homes(1);
    const meanwhile = () => addPricePart(context(), 'rules', id, ruleOf(500));
    const ctx = interrupted(context(), meanwhile, writing('BulkResult'));
    const { items } = await bulkPrices(ctx, raise([id]));
    expect(items[0]?.ranges).toMatchObject([{ before: 500, after: 550 }]);
    const [other = 0] = await homes(1);
    const dollars = () => updateListing(context(), other, { currency: 'USD', full_rate: 10.05 });
    const inDollars = interrupted(context(), dollars, writing('BulkResult'));
    const { items: again } = await bulkPrices(inDollars, raise([other]));
    expect(again).toMatchObject([{ currency: 'USD', ranges: [{ before: 10.05, after: 11.06 }] }]);
  });

  it('does the listings that the table takes, and names the one that it throttles', async () => {
    const ids = await homes(3);
    const ctx = transacting(context(), async (writes, next) => {
      if (isOf(writes, ids[1]!)) throw new ServiceError('SERVICE_UNAVAILABLE');
      await next();
    });
    const { items, undo_id } = await bulkPrices(ctx, raise(ids));
    expect(items.map(({ error }) => error?.code)).toEqual([undefined, 'SERVICE_UNAVAILABLE', undefined]);
    expect(await pricesOf(ids)).toEqual([1100, 1000, 1100]);
    await undoBulk(context(), { undo_id: undo_id! });
    expect(await pricesOf(ids)).toEqual([1000, 1000, 1000]);
  });

  it('answers what is on record where the answer to a write was lost', async () => {
    const ids = await homes(2);
    const ctx = transacting(context(), async (writes, next) => {
      await next();
      if (isOf(writes, ids[1]!)) throw new ServiceError('SERVICE_UNAVAILABLE');
    });
    const { items } = await bulkPrices(ctx, raise(ids));
    expect(items).toMatchObject([{ error: null }, { error: null, ranges: [{ before: 1000, after: 1100 }] }]);
  });

  it('starts no listing after 8 seconds, so that it answers in time', async () => {
    const own = await testDependencies();
    const ids = await homes(20);
    const clock = { now: () => own.clock.now() };
    const slow = transacting(context({ clock: clock as typeof own.clock }), async (writes, next) => {
      await next();
      if (isResult(writes)) own.clock.advance(1500);
    });
    const { items } = await bulkPrices(slow, raise(ids));
    const reached = items.filter(({ error }) => error === null).length;
    expect(reached).toBeGreaterThanOrEqual(6);
    expect(reached).toBeLessThan(20);
    expect((await pricesOf(ids)).filter((price) => price === 1100)).toHaveLength(reached);
  });

  it('refuses what a listing has no room for', async () => {
    const [id = 0] = await homes(1);
    const rules = Array.from({ length: 200 }, (_, at) => ({ ...ruleOf(at), id: at + 1, listing_id: id }));
    const parts = { version: 1, combos: [], services: [], rules };
    const { id: full } = await testListing(deps, { team_id, parts });
    const { items } = await bulkPrices(context(), raise([full, id], { change: { price: 9 } }));
    expect(items.map(({ error }) => error?.code)).toEqual(['VALIDATION_ERROR', undefined]);
  });
});

const ruleOf = (price: number) => ({
  ...{ date_type: 'ALWAYS' as const, charge_unit: 'PER_NIGHT' as const, stay_type: 'ANY' as const, price },
  ...{ day_of_week: null, date_from: null, date_to: null, weekdays: null, priority: 0, is_active: true },
});

describe('a bulk change of blocks', () => {
  it('is refused for a listing that is taken between its reads and its write', async () => {
    const [id = 0, other = 0] = await homes(2);
    const meanwhile = () => blockTime(context(), id, { block_date: day });
    const ctx = interrupted(context(), meanwhile, (writes) => isOf(writes, id));
    const given = { date_ranges: [range('2027-03-04', '2027-03-06')] };
    const { items } = await bulkBlocks(ctx, block([id, other], given));
    expect(items).toMatchObject([{ error: { code: 'LISTING_NOT_AVAILABLE' } }, { error: null }]);
    const { items: again } = await bulkBlocks(context(), block([id], given));
    expect(again[0]?.ranges.map(({ before }) => before)).toEqual(['AVAILABLE', 'BLOCKED']);
  });

  it('is planned again for a listing that gets a parent between its reads and its write', async () => {
    const [id = 0, parent = 0] = await homes(2);
    const meanwhile = () => updateListing(context(), id, { parent_listing_id: parent });
    const ctx = interrupted(context(), meanwhile, (writes) => isOf(writes, id));
    const far = { date_ranges: [range('2031-03-04', '2031-03-06')] };
    expect((await bulkBlocks(ctx, block([id], far))).items).toMatchObject([{ error: null }]);
    const entries = await deps.table.queryAll(AvailabilityEntryEntity, {
      pk: `CALENDAR#${parent}`,
      prefix: 'ENTRY#',
    });
    expect(entries).toMatchObject([{ listing_id: id, start_at: '2031-03-04T14:00:00' }]);
  });

  it('takes no hour of the parent’s or a child’s', async () => {
    const house = await testListing(deps, { team_id });
    const room = await testListing(deps, { team_id, parent_listing_id: house.id });
    await blockTime(context(), room.id, { block_date: day });
    const { items } = await bulkBlocks(context(), block([house.id, room.id]));
    expect(items).toMatchObject([
      { error: { code: 'LISTING_NOT_AVAILABLE' } },
      { error: null, ranges: [{ before: 'BLOCKED' }] },
    ]);
  });
});

describe('an undo', () => {
  it('of which two run at once is answered once', async () => {
    const [id = 0] = await homes(1);
    const { undo_id } = await bulkPrices(context(), raise([id]));
    const meanwhile = () => undoBulk(context(), { undo_id: undo_id! });
    const late = undoBulk(interrupted(context(), meanwhile, writing('BulkChange')), { undo_id: undo_id! });
    await expect(late).rejects.toMatchObject({ code: 'INVALID_STATE_TRANSITION' });
  });

  it('answers of a listing what another one has done to it', async () => {
    const [id = 0] = await homes(1);
    const { undo_id } = await bulkPrices(context(), raise([id]));
    const ids = { bulk_id: undo_id!, listing_id: id };
    const kept = [range('2027-03-05', '2027-03-05')];
    const meanwhile = () =>
      deps.table.transact([change(BulkResultEntity, ids, { set: { undone: { kept } } })]);
    const ctx = interrupted(context(), meanwhile, writing('BulkResult'));
    expect((await undoBulk(ctx, { undo_id: undo_id! })).items).toMatchObject([{ prices: [], kept }]);
    expect(await priceOf(id)).toBe(1100);
  });

  it('leaves what a host has changed between its reads and its write', async () => {
    const [id = 0] = await homes(1);
    const { undo_id } = await bulkPrices(context(), raise([id]));
    const meanwhile = () => bulkPrices(context(), raise([id]));
    const ctx = interrupted(context(), meanwhile, writing('BulkResult'));
    expect((await undoBulk(ctx, { undo_id: undo_id! })).items).toMatchObject([{ prices: [], kept: [{}] }]);
    expect(await priceOf(id)).toBe(1210);
  });

  it('that did not reach every listing goes on when it is asked for again, and restores nothing twice', async () => {
    const ids = await homes(3);
    const { undo_id } = await bulkPrices(context(), raise(ids));
    const ctx = transacting(context(), async (writes, next) => {
      if (isOf(writes, ids[1]!)) throw new ServiceError('SERVICE_UNAVAILABLE');
      await next();
    });
    expect((await undoBulk(ctx, { undo_id: undo_id! })).is_done).toBe(false);
    expect(await pricesOf(ids)).toEqual([1000, 1100, 1000]);
    await bulkPrices(context(), raise([ids[0]!]));
    expect(await undoBulk(context(), { undo_id: undo_id! })).toMatchObject({ is_done: true });
    expect(await pricesOf(ids)).toEqual([1100, 1000, 1000]);
    await expect(undoBulk(context(), { undo_id: undo_id! })).rejects.toMatchObject({
      code: 'INVALID_STATE_TRANSITION',
    });
  });
});

/** Round trips that wait for one another, of the whole request; units of each listing. */
describe.runIf(countsUnits).each([
  [40, 31, { prices: { trips: 12, rcu: 3, wcu: 16 }, blocks: { trips: 22, rcu: 5, wcu: 17 } }],
  [100, 400, { prices: { trips: 28, rcu: 3, wcu: 16 }, blocks: { trips: 54, rcu: 5, wcu: 43 } }],
])('%i listings × %i days', (count, length, most) => {
  const given = { date_ranges: [range(day, addDays(day, length - 1))] };
  const cost = async (work: (ctx: Context, ids: number[]) => Promise<unknown>) => {
    const ids = await homes(count);
    const { table, cost: costOf } = measuredTable(deps.table);
    const { rcu, wcu } = await costOf(() => work(context({ table }), ids));
    const others = await homes(count);
    const { client, rounds } = countingClient();
    const counted = new Table({ client, tableName: await testTableName() });
    const before = rounds.made;
    await work(context({ table: counted }), others);
    return { trips: rounds.made - before, rcu: Math.ceil(rcu / count), wcu: Math.ceil(wcu / count) };
  };

  const isWhole = ({ items }: { items: { error: object | null }[] }): void =>
    expect(items.filter(({ error }) => error)).toEqual([]);

  it('cost no more than this', { timeout: 60_000 }, async () => {
    const prices = await cost(async (ctx, ids) => isWhole(await bulkPrices(ctx, raise(ids, given))));
    const blocks = await cost(async (ctx, ids) => isWhole(await bulkBlocks(ctx, block(ids, given))));
    for (const [name, figures] of Object.entries({ prices, blocks }))
      for (const [unit, figure] of Object.entries(figures))
        expect(figure, `${name} ${unit}`).toBeLessThanOrEqual(most[name as 'prices'][unit as 'trips']);
  });
});
