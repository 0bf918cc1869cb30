import { beforeAll, beforeEach, expect, it } from 'vitest';
import { chatWorker } from '../../functions/workers/chat/index.ts';
import { icalWorker } from '../../functions/workers/ical/index.ts';
import { notificationWorker } from '../../functions/workers/notification/index.ts';
import { ListingViewsEntity } from '../../shared/domain/listing/listing-views.store.ts';
import { JoinedReads, put, Table } from '../../shared/platform/table/index.ts';
import { addDays } from '../../shared/platform/time/time.ts';
import { bookStay, eventScene, queueEvent } from '../support/events.ts';
import { measuredTable } from '../support/costs.ts';
import { freshId, testDependencies } from '../support/table.ts';
import { senderOf } from '../support/sender.ts';

let measured: ReturnType<typeof measuredTable>;
let plain: Table;
let joined: Table;
beforeAll(async () => ({ table: plain } = await testDependencies()));
beforeEach(() => {
  measured = measuredTable(plain);
  joined = measured.table.joiningReads(JoinedReads);
});

const viewed = async (count: number): Promise<number[]> => {
  const ids = Array.from({ length: count }, () => freshId());
  await Promise.all(
    ids.map((listing_id, at) => plain.put(put(ListingViewsEntity, { listing_id, views: at }))),
  );
  return ids;
};
const viewsOf = (table: Table, listing_id: number) => table.get(ListingViewsEntity, { listing_id });

it('reads the items that are asked for in one turn with one request, and each of them once', async () => {
  const [one, other] = await viewed(2);
  const asked = [one!, other!, freshId(), one!];
  const found: unknown[] = [];
  const { trips, rcu } = await measured.cost(async () => {
    found.push(...(await Promise.all(asked.map((id) => viewsOf(joined, id)))));
  });
  expect(found).toEqual([
    { listing_id: one, views: 0 },
    { listing_id: other, views: 1 },
    undefined,
    { listing_id: one, views: 0 },
  ]);
  expect(trips).toBe(1);
  expect(rcu).toBeLessThanOrEqual(3);
});

it('reads as consistently as each asks, and a hundred items with a request', async () => {
  const ids = await viewed(120);
  const found: unknown[] = [];
  const { trips } = await measured.cost(async () => {
    const stale = joined.get(ListingViewsEntity, { listing_id: ids[0]! }, { consistent: false });
    found.push(...(await Promise.all(ids.map((id) => viewsOf(joined, id)))), await stale);
  });
  expect(found).toMatchObject([...ids, ids[0]].map((listing_id) => ({ listing_id })));
  expect(trips).toBe(3);
});

it('reads again what is asked for later', async () => {
  const [listing_id] = await viewed(1);
  await viewsOf(joined, listing_id!);
  const pk = `LISTING#${listing_id}`;
  expect((await joined.queryAllMixed({ pk })).entries).toHaveLength(1);
  await plain.put(put(ListingViewsEntity, { listing_id: listing_id!, views: 7 }));
  expect(await viewsOf(joined, listing_id!)).toEqual({ listing_id, views: 7 });
  const { entries } = await joined.queryAllMixed({ pk });
  expect(entries.map(({ as }) => as(ListingViewsEntity))).toEqual([{ listing_id, views: 7 }]);
});

it('sends a query once that is asked twice in one turn, and others beside it', async () => {
  const [one, other] = await viewed(2);
  const ask = (id?: number) => joined.queryAllMixed({ pk: `LISTING#${id}` });
  const { trips } = await measured.cost(async () => {
    const found = await Promise.all([ask(one), ask(other), ask(one)]);
    expect(found.map(({ entries }) => entries.map(({ as }) => as(ListingViewsEntity).views))).toEqual([
      [0],
      [1],
      [0],
    ]);
  });
  expect(trips).toBe(2);
});

it('fails those alone whose key remains unprocessed', async () => {
  const tableName = 'refusing';
  const keyOf = (listing_id: number) => ListingViewsEntity.key({ listing_id });
  let answers = 0;
  const send = async () => ({
    Responses: {
      [tableName]: answers++ === 0 ? [{ ...keyOf(1), listing_id: 1, views: 3, entity: 'x' }] : [],
    },
    UnprocessedKeys: { [tableName]: { Keys: [keyOf(2)] } },
  });
  const table = new Table({ client: senderOf(send), tableName }).joiningReads(JoinedReads);
  const [read, refused] = await Promise.allSettled([viewsOf(table, 1), viewsOf(table, 2)]);
  expect(read).toMatchObject({ value: { listing_id: 1, views: 3 } });
  expect(refused).toMatchObject({ status: 'rejected', reason: { code: 'SERVICE_UNAVAILABLE' } });
});

it('fails all whose request fails', async () => {
  const send = () => Promise.reject(new Error('down'));
  const table = new Table({ client: { send }, tableName: 'down' }).joiningReads(JoinedReads);
  const read = await Promise.allSettled([viewsOf(table, 1), viewsOf(table, 2)]);
  expect(read.map(({ status }) => status)).toEqual(['rejected', 'rejected']);
});

it('is the same for every batch of a process, which share what they append to a feed', async () => {
  const table = new Table({ client: { send: () => Promise.reject(new Error('unused')) }, tableName: 'any' });
  expect(table.joiningReads(JoinedReads)).toBe(table.joiningReads(JoinedReads));
});

it('lets a batch of new bookings take few requests of each worker', async () => {
  const s = await eventScene();
  const stays = 8;
  const events: Awaited<ReturnType<typeof bookStay>>['created'][] = [];
  for (let at = 0; at < stays; at++) {
    const dates = {
      check_in_date: addDays('2027-03-01', 2 * at),
      check_out_date: addDays('2027-03-02', 2 * at),
    };
    events.push((await bookStay(s.asGuest, { listing_id: s.listing.id, ...dates })).created);
  }
  const { table, cost } = measuredTable(s.deps.table);
  let sent = 0;
  const deps = { ...s.deps, table, mailer: { send: async () => void (sent += 1) } };
  const trips = async (
    worker: (own: () => typeof deps) => (event: ReturnType<typeof queueEvent>) => unknown,
  ) => (await cost(async () => worker(() => deps)(queueEvent(...events)))).trips;
  // Stays; a write for each thread, which costs half of what it would in a transaction.
  expect(await trips(chatWorker)).toBe(1 + stays);
  // Stays and listing; a write for each, and the feeds after it.
  expect(await trips(icalWorker)).toBeLessThanOrEqual(2 + 2 * stays);
  // Stays, listing, team and its owners, members, hosts and guest; a reminder for each, claim and mark of each mail.
  expect(await trips(notificationWorker)).toBe(7 + stays + 2 * sent);
  expect(sent).toBe(2 * stays);
});
