import { DynamoDBClient } from '@aws-sdk/client-dynamodb';
import { DeleteCommand, DynamoDBDocumentClient, GetCommand, PutCommand } from '@aws-sdk/lib-dynamodb';
import { beforeEach, describe, expect, test } from 'vitest';
import { paced } from '../../infra/operator/pace.ts';
import { CalendarMonthEntity, readFamily } from '../../shared/domain/calendar/calendar.store.ts';
import { familyMonths } from '../../shared/domain/calendar/month.rules.ts';
import { confirmCheckout } from '../../shared/domain/checkout/confirm-checkout.ts';
import { WebhookEntity } from '../../shared/domain/webhook/webhook.store.ts';
import { change, present } from '../../shared/platform/table/index.ts';
import { interruptedTable } from '../support/interrupted.ts';
import { answerOf, playOperator } from '../support/operator.ts';
import { paymentScene } from '../support/payment-scene.ts';
import { testTableName } from '../support/table.ts';
import { type WebhookScene, webhookScene } from '../support/webhook-scene.ts';

const client = DynamoDBDocumentClient.from(new DynamoDBClient({}));
type Item = Record<string, unknown>;

let s: WebhookScene;
beforeEach(async () => {
  s = await webhookScene();
  // Items of other tests.
  await playOperator(s.deps, ['table', 'migrate']);
});

const migrate = async (deps = s.deps) =>
  answerOf<{ migrated: Record<string, number>; left: number }>(
    await playOperator(deps, ['table', 'migrate', '--rate', '10000']),
  );
const counted = async () =>
  answerOf<{ would_migrate: object }>(await playOperator(s.deps, ['table', 'migrate', '--dry-run']));

/** Returns the key of a webhook that is stored as version 1. */
const oldWebhook = async (told_at: number) => {
  const ids = { key_id: s.caller.key_id, webhook_id: (await s.register()).id };
  const key = { ...WebhookEntity.key(ids) };
  const { sv: _, notified_at: _now, ...item } = await rawItem(key);
  await client.send(new PutCommand({ TableName: await testTableName(), Item: { ...item, told_at } }));
  return { ids, key };
};
const rawItem = async (Key: Item): Promise<Item> =>
  (await client.send(new GetCommand({ TableName: await testTableName(), Key }))).Item ?? {};

describe('a migration', () => {
  test('writes items of earlier versions in the current one, and finds none afterwards', async () => {
    const before = await Promise.all([1, 2, 3].map(oldWebhook));
    expect(await counted()).toEqual({ dry_run: true, would_migrate: { Webhook: { 1: 3 } } });
    expect(await migrate()).toEqual({ migrated: { Webhook: 3 }, left: 0 });
    const after = await Promise.all(before.map(({ key }) => rawItem(key)));
    expect(after.map(({ sv, notified_at }) => [sv, notified_at])).toEqual([
      [2, 1],
      [2, 2],
      [2, 3],
    ]);
    expect(after.filter((item) => 'told_at' in item)).toEqual([]);
    expect(await counted()).toEqual({ dry_run: true, would_migrate: {} });
    expect(await migrate()).toEqual({ migrated: {}, left: 0 });
  });

  test('leaves what another writer has changed at that moment, to the next run', async () => {
    const { ids, key } = await oldWebhook(1);
    const table = interruptedTable(s.deps.table, 'transact', () =>
      s.deps.table.transact([
        change(WebhookEntity, ids, { set: { problem: 'HTTP 500' } }, { when: present() }),
      ]),
    );
    expect(await migrate({ ...s.deps, table })).toEqual({ migrated: {}, left: 1 });
    expect(await migrate()).toEqual({ migrated: { Webhook: 1 }, left: 0 });
    expect(await rawItem(key)).toMatchObject({ sv: 2, notified_at: 1, problem: 'HTTP 500' });
  });

  test('gives each listing of an old month of a family its own, with the same hours', async () => {
    const scene = await paymentScene();
    await scene.clear();
    const { house, rooms } = await scene.house(2);
    const items = scene.items(rooms[0]!);
    await confirmCheckout(scene.guest, { items, payment_method: 'CASH' });
    const month = '2027-02';
    const months = () => readFamily(scene.deps.table, house.id, { first: month, last: month });
    const TableName = await testTableName();
    const taken = familyMonths(await months())[0]!.taken;
    for (const one of await months())
      await client.send(new DeleteCommand({ TableName, Key: { ...CalendarMonthEntity.key(one) } }));
    const ids = { calendar_id: house.id, month };
    const key = CalendarMonthEntity.key({ ...ids, listing_id: house.id });
    const Item = { ...key, entity: 'CalendarMonth', ...ids, version: 7, taken, claims: {} };
    await client.send(new PutCommand({ TableName, Item }));
    expect(await migrate()).toEqual({ migrated: { CalendarMonth: 1 }, left: 0 });
    expect((await months()).map(({ listing_id }) => listing_id).sort()).toEqual(
      [house.id, rooms[0]!.id].sort(),
    );
    expect(familyMonths(await months())[0]!.taken).toEqual(taken);
    expect(await migrate()).toEqual({ migrated: {}, left: 0 });
  });
});

test('writes are spread evenly over a second', async () => {
  let now = 0;
  const waits: number[] = [];
  const turn = paced(4, { now: () => now, pause: async (ms) => void (waits.push(ms), (now += ms)) });
  for (let at = 0; at < 5; at++) await turn();
  expect(waits).toEqual([250, 250, 250, 250]);
  now += 1000;
  await turn();
  expect(waits).toHaveLength(4);
});
