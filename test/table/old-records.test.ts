import { DynamoDBClient } from '@aws-sdk/client-dynamodb';
import { DynamoDBDocumentClient, GetCommand, PutCommand } from '@aws-sdk/lib-dynamodb';
import { describe, expect, it } from 'vitest';
import { knownShapes } from '../../infra/docs/pages.ts';
import { ReservationEntity } from '../../shared/domain/booking/reservation.entity.ts';
import { changeBooking } from '../../shared/domain/checkout/index.ts';
import { balanceOf, chargesOf, paidFor } from '../../shared/domain/folio/model.ts';
import { feedsOf, FollowedFeedEntity } from '../../shared/domain/ical/ical.store.ts';
import { PaymentRefundEntity } from '../../shared/domain/payment/payment.entity.ts';
import { WebhookEntity } from '../../shared/domain/webhook/webhook.store.ts';
import { entities } from '../../shared/entities.ts';
import { orderIdOf } from '../../shared/platform/ids.ts';
import { create, type TableKey } from '../../shared/platform/table/index.ts';
import { versionOf } from '../../shared/platform/table/stored-item.ts';
import { eventsOf } from '../support/events.ts';
import { importScene } from '../support/import-scene.ts';
import { paymentScene } from '../support/payment-scene.ts';
import { testTableName } from '../support/table.ts';
import { webhookScene } from '../support/webhook-scene.ts';

type Item = Record<string, unknown>;

const hour = 3_600_000;
const client = DynamoDBDocumentClient.from(new DynamoDBClient({}));
const shapes = knownShapes();

const rawItem = async (Key: TableKey): Promise<Item> => {
  const { Item } = await client.send(new GetCommand({ TableName: await testTableName(), Key }));
  return Item ?? {};
};

/** Replaces an item by one of version 1, as the table held it; its attributes must be those of that version. */
const replaceByOld = async (name: string, key: TableKey, old: (item: Item) => Item): Promise<void> => {
  const { sv: _, ...item } = old(await rawItem(key));
  const shape = shapes[name]?.['1'] ?? {};
  const own = Object.keys(item).filter((field) => !/^(pk|sk|entity|expires_at|\w+_[ps]k)$/.test(field));
  const top = Object.keys(shape).filter((path) => !/[.[{]/.test(path));
  expect(own.filter((field) => !top.includes(field) && !top.includes(`${field}?`))).toEqual([]);
  expect(top.filter((path) => !path.endsWith('?') && !own.includes(path))).toEqual([]);
  await client.send(new PutCommand({ TableName: await testTableName(), Item: item }));
};

describe('a Webhook of version 1', () => {
  it.each([
    ['an hour ago, which is not repeated within a day', 1, 0],
    ['25 hours ago, which is repeated', 25, 1],
  ])('says by `told_at` when its owners were notified: %s', async (_, hours, notifications) => {
    const s = await webhookScene();
    const { id } = await s.register();
    s.endpoint.answer = () => ({ status: 500 });
    await s.deliver(s.event());
    await s.work();
    for (let at = 0; at < 8; at++) {
      s.deps.clock.advance(24 * hour);
      await s.tick();
    }
    s.deps.clock.advance(24 * hour);
    const ids = { key_id: s.caller.key_id, webhook_id: id };
    const told_at = s.deps.clock.now() - hours * hour;
    await replaceByOld('Webhook', WebhookEntity.key(ids), ({ notified_at: _now, ...item }) => ({
      ...item,
      told_at,
    }));
    await s.tick();
    const events = await eventsOf(s.deps.table, `WEBHOOK#${id}`);
    expect(events.filter(({ event_type }) => event_type === 'webhook.failing')).toHaveLength(notifications);
    expect(await s.webhook(id)).toMatchObject({ state: 'FAILING', problem: 'answers with status 500' });
    // The change of its state has left it in version 1, with `notified_at` if it was set.
    const key = WebhookEntity.key(ids);
    expect(await rawItem(key)).toMatchObject({ state: 'FAILING', told_at });
    expect(await s.deps.table.get(WebhookEntity, ids)).toMatchObject({
      notified_at: notifications === 0 ? told_at : s.deps.clock.now(),
    });
  });
});

describe('a FollowedFeed of version 1', () => {
  it.each([
    ['true: not again', { stale_told: true }, 0],
    ['false: once', { stale_told: false }, 1],
    ['absent: once', {}, 1],
  ])('says by `stale_told` whether its owners were notified: %s', async (_, given, notifications) => {
    const s = await importScene();
    await s.follow();
    s.remote.silent = true;
    const [feed] = await feedsOf(s.deps.table, s.listing.id);
    const key = FollowedFeedEntity.key(feed!);
    await replaceByOld(
      'FollowedFeed',
      key,
      ({
        stale_notified: _now,
        fingerprint: _f,
        read: _r,
        problems: _p,
        explained: _e,
        texts: _t,
        ...item
      }) => ({
        ...item,
        ...given,
      }),
    );
    for (let hours = 0; hours < 5; hours++) await s.next(60);
    const events = await eventsOf(s.deps.table, `FEED#${s.listing.id}`);
    expect(events.filter(({ event_type }) => event_type === 'calendar.stale')).toHaveLength(notifications);
    const now = await rawItem(key);
    expect(now).toMatchObject({ sv: 2, stale_notified: true });
    expect(now).not.toHaveProperty('stale_told');
  });
});

describe('a Reservation of version 1', () => {
  const start = async () => {
    const s = await paymentScene();
    const { id } = (await s.confirm([await s.listing()], 'tok_ok')).reservations[0]!;
    const key = { order_id: orderIdOf(id), reservation_id: id };
    const stay = async () => (await s.deps.table.get(ReservationEntity, key))!;
    const [charge] = chargesOf(await stay());
    const { reference, amount } = charge!;
    const old = (fields: Item) =>
      replaceByOld(
        'Reservation',
        ReservationEntity.key(key),
        ({ postings: _, folio_version: __, ...item }) => ({
          ...item,
          payment_transaction_id: reference,
          ...fields,
        }),
      );
    return { s, id, stay, old, amount, reference };
  };

  it('opens its folio by what it says of its payment; a read writes nothing, the first posting does', async () => {
    const { s, id, stay, old, amount, reference } = await start();
    await old({});
    const opening = { at: s.clock.now(), is_opening: true };
    const opened = [{ kind: 'payment', amount, ...opening, reference, payment_id: orderIdOf(id) }];
    expect((await stay()).postings).toEqual(opened);
    const key = ReservationEntity.key({ order_id: orderIdOf(id), reservation_id: id });
    expect(await rawItem(key)).not.toHaveProperty('postings');
    expect(await s.cancel(id)).toMatchObject({ refund: { amount, status: 'PENDING' } });
    expect(await rawItem(key)).toMatchObject({ payment_transaction_id: reference, folio_version: 1 });
    await s.reconcile();
    expect(await stay()).toMatchObject({
      payment_status: 'REFUNDED',
      folio_version: 2,
      postings: [...opened, { kind: 'fee', amount: 0 }, { kind: 'refund', amount, of: 1 }],
    });
    expect(s.money(orderIdOf(id))).toMatchObject({ back: amount });
  });

  it('and a PaymentRefund of version 1 that was due: its stay keeps nothing once it is made', async () => {
    const { s, id, stay, old, amount } = await start();
    await s.cancel(id);
    await old({ state: 'CANCELLED', payment_status: 'PAID' });
    expect((await stay()).postings).toMatchObject([{ amount }, { kind: 'fee', amount }]);
    const [due] = (await s.order(orderIdOf(id))).refunds;
    const { payment } = await s.order(orderIdOf(id));
    await replaceByOld('PaymentRefund', PaymentRefundEntity.key(due!), (item) => ({
      ...item,
      reference: payment!.reference,
      paid: payment!.amount,
      ends_stay: true,
    }));
    await s.reconcile();
    const after = await stay();
    expect(after).toMatchObject({ payment_status: 'REFUNDED' });
    expect([balanceOf(after), paidFor(after)]).toEqual([0, 0]);
    expect(s.money(orderIdOf(id))).toMatchObject({ back: amount });
  });

  it('that was changed may be changed again: refunds of before have other ids', async () => {
    const { s, id, stay, old, amount } = await start();
    const { payment } = await s.order(orderIdOf(id));
    await s.deps.table.put(
      create(PaymentRefundEntity, {
        payment_id: orderIdOf(id),
        refund_id: `change-${id}-3`,
        state: 'DONE',
        transaction_id: payment!.transaction_id!,
        amount: 1,
        currency: 'VND',
        reservation_ids: [id],
        reason: null,
        created_at: payment!.created_at,
        updated_at: payment!.created_at,
      }),
    );
    await old({});
    await changeBooking(s.guest, id, { check_out_date: '2027-02-05' });
    const { total, postings } = await stay();
    expect(postings!.at(-1)).toMatchObject({ kind: 'refund', amount: amount - total, is_due: true });
  });

  it('whose change had a refund due keeps its fee when that is made after it fell through', async () => {
    const { s, id, stay, old } = await start();
    await changeBooking(s.guest, id, { check_out_date: '2027-02-05' });
    const { total } = await stay();
    const [refund] = (await s.order(orderIdOf(id))).refunds;
    await old({ state: 'CANCELLED' });
    await s.reconcile();
    const after = await stay();
    expect([balanceOf(after), paidFor(after), after.payment_status]).toEqual([0, total, 'PAID']);
    const { refunds } = await s.order(orderIdOf(id));
    expect(refunds).toMatchObject([{ refund_id: refund!.refund_id, state: 'DONE' }]);
  });

  it('paid to the host and online, whose refund was due: both have gone back once it is made', async () => {
    const { s, id, stay, old, amount, reference } = await start();
    const { payment } = await s.order(orderIdOf(id));
    const { payment_id, reference: page, opened_at } = payment!;
    await s.cancel(id);
    const charge = {
      payment_id,
      reference: page,
      opened_at,
      transaction_id: reference,
      paid: amount,
      amount,
    };
    await old({ state: 'CANCELLED', payment_status: 'PAID', total: amount + 100, charges: [charge] });
    const opened = await stay();
    expect(opened.postings!.map((one) => one.amount)).toEqual([100, amount, amount + 100]);
    await s.reconcile();
    const after = await stay();
    expect([after.payment_status, balanceOf(after), paidFor(after)]).toEqual(['REFUNDED', 0, 0]);
  });
});

it('every version before the current one has a test: above, of months in old-months, or where search reads its own', () => {
  const old = entities.flatMap((entity) =>
    Array.from({ length: versionOf(entity) - 1 }, (_, at) => `${entity.name} ${at + 1}`),
  );
  expect(old.sort()).toEqual([
    ...['CalendarMonth 1', 'FollowedFeed 1', 'PaymentRefund 1', 'Reservation 1'],
    ...['SearchEntry 1', 'SearchEntry 2', 'Webhook 1'],
  ]);
});
