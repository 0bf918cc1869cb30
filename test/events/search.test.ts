import { afterAll, beforeAll, beforeEach, describe, expect, it, vi } from 'vitest';
import type { CommandContext } from '../../infra/operator/command.ts';
import { operate } from '../../infra/operator/operate.ts';
import { searchIndexWorker } from '../../functions/workers/search-index/index.ts';
import { listingPartition } from '../../shared/domain/listing/listing.store.ts';
import { unpackDocument } from '../../shared/domain/search/search-document.ts';
import { SearchCellEntity, SearchEntryEntity } from '../../shared/domain/search/search.entity.ts';
import { orderIdOf } from '../../shared/platform/ids.ts';
import type { Table } from '../../shared/platform/table/index.ts';
import { queueEvent } from '../support/events.ts';
import { writeMany } from '../support/many-stays.ts';
import { ok, stay, stopClock } from '../support/order-scene.ts';
import { at, freshSpot, idsOf, type SearchScene, searchScene } from '../support/search-scene.ts';

let s: SearchScene;
let spot: ReturnType<typeof freshSpot>;
beforeAll(async () => {
  s = await searchScene();
});
beforeEach(async () => {
  stopClock();
  await s.renew();
  spot = freshSpot();
});
afterAll(() => void vi.useRealTimers());

const dates = { check_in: '2027-02-10', check_out: '2027-02-12' };
const here = async (query: object = {}) => s.found({ location: at(spot), ...dates, ...query });
const eventsAbout = (id: number) => s.eventsOf(s.deps.table, listingPartition(id));
const eventsOfBooking = (id: number) => s.eventsOf(s.deps.table, `ORDER#${orderIdOf(id)}`);
const patch = async (id: number, body: object) =>
  void ok(await s.call('PATCH', `/api/v1/listings/${id}`, { token: s.host.token, body }));
const post = (path: string, body: object) =>
  s.call('POST', path, { token: s.host.token, body }).then((reply) => ok(reply, 201) as { id: number });
const book = async (listing: { id: number }, given: object = {}) =>
  ok(await s.confirm(s.other, { items: [stay(listing, given)], payment_method: 'CASH' }), 201)
    .master_reservation_id;

const entryOf = (listing_id: number) => s.deps.table.get(SearchEntryEntity, { listing_id });
const cellOf = async (listing_id: number) => {
  const entry = await entryOf(listing_id);
  return entry?.place ? s.deps.table.get(SearchCellEntity, { cell: entry.place.cell }) : undefined;
};
/** What search itself knows of a listing, before it looks into the calendar. */
const known = async (id: number) => {
  const packed = (await entryOf(id))?.packed;
  return packed ? unpackDocument(packed) : undefined;
};
const shuffled = <Item>(items: readonly Item[], seed: number): Item[] =>
  items
    .map((item, position) => ({ item, rank: Math.sin(seed * 1000 + position * 7919) }))
    .sort((one, other) => one.rank - other.rank)
    .map(({ item }) => item);

describe('the search index', () => {
  it('follows every event that changes an answer', async () => {
    const { id } = await s.create({ ...spot, cleaning_fee: 0 });
    const seen = async () => {
      await s.deliver((await eventsAbout(id)).at(-1)!);
      return (await here()).items[0];
    };
    expect(await seen()).toMatchObject({ id, total_price: 2_000_000 });
    await patch(id, { full_rate: 1_500_000, name: 'Nhà mới' });
    expect(await seen()).toMatchObject({ name: 'Nhà mới', total_price: 3_000_000 });
    const always = {
      date_type: 'ALWAYS',
      charge_unit: 'PER_NIGHT',
      stay_type: 'ANY',
      priority: 1,
      is_active: true,
    };
    const rule = await post(`/api/v1/listing-pricing-rules/listings/${id}`, { ...always, price: 700_000 });
    expect(await seen()).toMatchObject({ total_price: 1_400_000 });
    await s.call('DELETE', `/api/v1/listing-pricing-rules/${rule.id}`, { token: s.host.token });
    expect(await seen()).toMatchObject({ total_price: 3_000_000 });
    await post(`/api/v1/listings/${id}/extra-services`, {
      ...{
        service_name: 'Breakfast',
        price: 10_000,
        price_unit: 'per_use',
        is_required: true,
        is_active: true,
      },
    });
    expect(await seen()).toMatchObject({ total_price: 3_010_000 });
    const weekly = { base_price_by_weekday: { 3: 2_000_000 } };
    ok(await s.call('PATCH', `/api/v1/listings/${id}/pricing/weekly`, { token: s.host.token, body: weekly }));
    expect(await seen()).toMatchObject({ total_price: 3_510_000 });
    const block = ok(await s.block(s.host, { id }, { block_date: '2027-02-11' }), 201);
    expect(await seen()).toBeUndefined();
    ok(await s.unblock(s.host, { id }, block.id));
    expect(await seen()).toBeDefined();
    await patch(id, { state: 'INACTIVE' });
    expect(await seen()).toBeUndefined();
    await patch(id, { state: 'ACTIVE' });
    expect(await seen()).toBeDefined();
    ok(await s.call('DELETE', `/api/v1/listings/${id}`, { token: s.host.token }));
    expect(await seen()).toBeUndefined();
    expect(await known(id)).toBeUndefined();
  });

  it('follows bookings and cancellations, a parent and its children at once', async () => {
    const house = await s.create(spot);
    const room = await s.create({ ...spot, parent_listing_id: house.id });
    const sibling = await s.create({ ...spot, parent_listing_id: house.id });
    await s.index(house);
    const booking = await book(room);
    const [created] = await eventsOfBooking(booking);
    await s.deliver(created!);
    const takenBy = async ({ id }: { id: number }) => (await known(id))?.taken.length;
    expect(await Promise.all([house, room, sibling].map(takenBy))).toEqual([1, 1, 0]);
    ok(await s.cancel(s.other, booking));
    const cancelled = (await eventsOfBooking(booking)).find(
      ({ event_type }) => event_type === 'booking.cancelled',
    );
    await s.deliver(cancelled!);
    expect(await Promise.all([house, room, sibling].map(takenBy))).toEqual([0, 0, 0]);
    expect((await here()).total).toBe(3);
  });

  it('comes out the same whatever the order of events, and however often they come', async () => {
    const { id } = await s.create(spot);
    await patch(id, { full_rate: 1_100_000 });
    const first = await book({ id });
    await patch(id, { full_rate: 1_200_000, ...freshSpot() });
    await patch(id, { full_rate: 1_300_000, ...spot });
    const second = await book({ id }, { check_in_date: '2027-03-30', check_out_date: '2027-04-02' });
    ok(await s.cancel(s.other, first));
    const events = [
      ...(await eventsAbout(id)),
      ...(await eventsOfBooking(first)),
      ...(await eventsOfBooking(second)),
    ].filter(({ event_type }) => !event_type.startsWith('payment.'));
    for (let seed = 1; seed <= 6; seed++) {
      await s.deliver(...shuffled([...events, ...events], seed));
      expect((await here()).items).toMatchObject([{ id, full_rate: 1_300_000 }]);
      expect((await known(id))?.taken).toHaveLength(1);
    }
  });

  it('writes nothing when nothing has changed', async () => {
    const { id } = await s.home(spot);
    const before = [await entryOf(id), await cellOf(id)];
    await s.index({ id }, { id });
    expect([await entryOf(id), await cellOf(id)]).toEqual(before);
  });

  it('loses no listing when many workers write one cell at once', async () => {
    const homes = await Promise.all(Array.from({ length: 12 }, () => s.listing(spot)));
    const workers = homes.map(() => searchIndexWorker(() => s.deps));
    const answers = await Promise.all(
      workers.map((worker, position) => worker(queueEvent(s.emitted(homes[position]!.id)))),
    );
    const failed = homes.filter((_, position) => answers[position]!.batchItemFailures.length > 0);
    await s.index(...failed);
    const ids = homes.map(({ id }) => id).sort();
    expect(idsOf(await here()).sort()).toEqual(ids);
  });

  it('lets poison fail alone', async () => {
    const listing = await s.listing(spot);
    const strange = { ...s.emitted(listing.id, 'booking.created'), data: { id: 17 } };
    const answer = await s.worker(queueEvent('{', s.emitted(5), strange, s.emitted(listing.id)));
    expect(answer.batchItemFailures.map(({ itemIdentifier }) => itemIdentifier)).toEqual([
      'message-0',
      'message-1',
      'message-2',
    ]);
    expect(idsOf(await here())).toEqual([listing.id]);
  });
});

/** A table that does something before one of its requests. */
const tableWith = (before: (request: number, name: string) => Promise<void>): Table => {
  let request = 0;
  return new Proxy(s.deps.table, {
    get: (table, name: keyof Table) => {
      const method = Reflect.get(table, name) as (...given: unknown[]) => Promise<unknown>;
      return async (...given: unknown[]) => {
        await before(++request, name);
        return method.apply(table, given);
      };
    },
  });
};
const workerOver = (table: Table) => searchIndexWorker(() => ({ ...s.deps, table }));

describe('a worker', () => {
  it('that is overtaken before any of its requests writes nothing old over something newer', async () => {
    const { id } = await s.create(spot);
    const beside = await s.create(spot);
    await s.index({ id }, beside);
    const interrupted: number[] = [];
    let isOver = false;
    for (let overtaken = 1; !isOver; overtaken++) {
      await patch(id, { full_rate: 1_000_000 + overtaken });
      const emitted = (await eventsAbout(id)).at(-1)!;
      const table = tableWith(async (request) => {
        if (request !== overtaken) return;
        interrupted.push(overtaken);
        await patch(id, { full_rate: 2_000_000 + overtaken });
        await patch(beside.id, { full_rate: 3_000_000 + overtaken });
        await s.index({ id }, beside);
      });
      expect(await workerOver(table)(queueEvent(emitted))).toEqual({ batchItemFailures: [] });
      isOver = !interrupted.includes(overtaken);
      const rates = [await known(id), await known(beside.id)].map((document) => document?.summary.full_rate);
      const last = isOver
        ? [1_000_000 + overtaken, 3_000_000 + overtaken - 1]
        : [2_000_000 + overtaken, 3_000_000 + overtaken];
      expect(rates, `overtaken at ${overtaken}`).toEqual(last);
      expect(overtaken).toBeLessThan(50);
    }
  });

  it('may die at any request: the next delivery makes it whole', async () => {
    let isDone = false;
    for (let dying = 1; !isDone; dying++) {
      spot = freshSpot();
      const house = await s.create({ ...spot, name: `Nhà ${dying}` });
      const other = await s.create({ ...spot, name: 'Nhà khác' });
      const room = await s.create({ ...spot, parent_listing_id: house.id });
      await s.index(house, other);
      await book(room);
      await s.index(house);
      const name = `Phòng ${'abcdefghijklmnopqrstuvwxyz'.charAt(dying)}xqk`;
      await patch(room.id, { parent_listing_id: other.id, latitude: spot.latitude + 0.3, name });
      const emitted = (await eventsAbout(room.id)).at(-1)!;
      const table = tableWith(async (request) => {
        if (request === dying) throw new Error('the process died');
      });
      const { batchItemFailures } = await workerOver(table)(queueEvent(emitted));
      isDone = batchItemFailures.length === 0;
      if (!isDone) await s.deliver(emitted);
      const takenBy = async ({ id }: { id: number }) => (await known(id))?.taken.length;
      expect(await Promise.all([house, other, room].map(takenBy)), `died at ${dying}`).toEqual([0, 1, 1]);
      expect(idsOf(await here())).toEqual([house.id]);
      expect(idsOf(await s.found({ location: name }))).toEqual([room.id]);
    }
  }, 30_000);
});

describe('a listing that moves', () => {
  it('under a parent it never had shares its hours from then on, and the worker continues', async () => {
    const house = await s.create(spot);
    const room = await s.create(spot);
    await s.index(house, room);
    await patch(room.id, { parent_listing_id: house.id });
    await s.index(room);
    expect((await known(room.id))?.calendar_id).toBe(house.id);
    await patch(room.id, { parent_listing_id: null });
    await s.index(room);
    expect((await known(room.id))?.calendar_id).toBe(room.id);
  });

  it('is found where it is now, and nowhere else', async () => {
    const { id } = await s.create({ ...spot, name: 'Nhà xe lưu động', province_code: 'PY' });
    const there = freshSpot();
    const where = async () => {
      await s.deliver((await eventsAbout(id)).at(-1)!);
      const places = [at(spot), at(there), 'PY'];
      return Promise.all(places.map(async (location) => idsOf(await s.found({ location })).includes(id)));
    };
    expect(await where()).toEqual([true, false, true]);
    await patch(id, there);
    expect(await where()).toEqual([false, true, true]);
    await patch(id, { latitude: null });
    expect(await where()).toEqual([false, false, true]);
    await patch(id, { ...spot, province_code: 'LD' });
    expect(await where()).toEqual([true, false, false]);
  });

  it('frees the house it leaves, also when it is not shown itself', async () => {
    for (const state of ['ACTIVE', 'INACTIVE']) {
      spot = freshSpot();
      const [house, other] = [await s.create(spot), await s.create(spot)];
      const room = await s.create({ ...spot, parent_listing_id: house.id });
      await s.index(house, other);
      await book(room);
      await s.index(room);
      await patch(room.id, { state });
      await s.index(room);
      expect(idsOf(await here())).toEqual([other.id]);
      await patch(room.id, { parent_listing_id: other.id });
      await s.deliver((await eventsAbout(room.id)).at(-1)!);
      expect(idsOf(await here())).toEqual([house.id]);
    }
  });

  it('and another that takes its place do not wait for each other', async () => {
    const [house, other] = [await s.create(spot), await s.create(spot)];
    const one = await s.create({ ...spot, parent_listing_id: house.id });
    const two = await s.create({ ...spot, parent_listing_id: other.id });
    await s.index(house, other);
    await patch(one.id, { parent_listing_id: other.id });
    await patch(two.id, { parent_listing_id: house.id });
    await s.index(one);
    await s.index(two);
    expect((await here()).total).toBe(4);
    expect((await known(one.id))?.calendar_id).toBe(other.id);
    expect((await known(two.id))?.calendar_id).toBe(house.id);
  });
});

describe('operator search reindex', () => {
  const reindex = async (...flags: string[]) => {
    const place = { deps: s.deps, operator: async () => 'test' } as unknown as CommandContext;
    const { stdout, stderr } = await operate(['search', 'reindex', ...flags], () => place);
    expect(stderr).toBe('');
    return JSON.parse(stdout) as Record<string, number>;
  };

  it('brings back listings whose entry is of the version before, and writes nothing where all is right', async () => {
    const [one, other] = [await s.home(spot), await s.home(spot)];
    await writeMany(
      [one, other].map(({ id }) => ({
        ...{ ...SearchEntryEntity.key({ listing_id: id }), entity: 'SearchEntry', version: 5 },
        ...{ listing_id: id, calendar_id: id, place: { cell: 'a', chunk: 0 } },
      })),
    );
    expect(await entryOf(one.id)).toMatchObject({ version: 5, place: null, packed: null });
    expect((await reindex('--dry-run'))['would_index']).toBeGreaterThanOrEqual(2);
    expect((await here()).total).toBe(0);
    expect((await reindex())['indexed']).toBeGreaterThanOrEqual(2);
    expect(await entryOf(one.id)).toMatchObject({ version: 6 });
    expect(idsOf(await here()).sort()).toEqual([one.id, other.id].sort());
    const before = await cellOf(one.id);
    await reindex();
    expect(await cellOf(one.id)).toEqual(before);
  });
});
