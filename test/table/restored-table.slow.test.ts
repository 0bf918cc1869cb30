import { DynamoDBClient, PutItemCommand } from '@aws-sdk/client-dynamodb';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { createStoredItems } from '../../infra/operator/stored-items.ts';
import { auditBooking } from '../../shared/domain/audit/index.ts';
import { cancelBooking } from '../../shared/domain/booking/cancel-booking.ts';
import { findOrder } from '../../shared/domain/booking/booking.store.ts';
import { confirmCheckout } from '../../shared/domain/checkout/confirm-checkout.ts';
import { reconcilePayments } from '../../shared/domain/payment/reconcile-payments.ts';
import { blockUser } from '../../shared/domain/people/block-user.ts';
import { revokeKey, rotateKey } from '../../shared/domain/people/keys.ts';
import { removeMember } from '../../shared/domain/people/members.ts';
import { UserEntity } from '../../shared/domain/people/user.store.ts';
import { readEvents } from '../../shared/domain/webhook/read-events.ts';
import { inLanes } from '../../shared/platform/in-lanes.ts';
import { changeBooking } from '../../shared/domain/checkout/index.ts';
import { connectTable } from '../../shared/platform/table/client.ts';
import { change, present } from '../../shared/platform/table/index.ts';
import { type AuditScene, auditScene } from '../support/audit-scene.ts';
import { createTestTable, testTableName } from '../support/test-table.ts';
import { minute } from '../support/payment-scene.ts';
import { answerOf, playOperator, refusalOf } from '../support/operator.ts';
import { recoveryOf } from '../support/recovery.ts';
import { testContext, testKey, testUser } from '../support/table.ts';

const client = new DynamoDBClient({});

/** Returns the name of a copy of the table as it stands now, as a restore to this moment makes one. */
const restoredNow = async (): Promise<string> => {
  const name = await createTestTable();
  await createStoredItems(await testTableName()).scan({}, async ({ items }) => {
    await inLanes(items, (Item) => client.send(new PutItemCommand({ TableName: name, Item })));
  });
  return name;
};

let s: AuditScene;
/** The dependencies of a service that uses the restored table. */
let restored: AuditScene['deps'];
let cursor: string;
let tableName: string;
let pointMs: number;
beforeEach(async () => {
  s = await auditScene();
  const read = await readEvents(s.deps, { after: undefined, limit: 100, teams: [s.team_id] });
  cursor = read.next_cursor;
  tableName = await restoredNow();
  pointMs = s.clock.now();
  restored = { ...s.deps, table: connectTable(tableName) };
}, 60_000);
afterEach(() => s.clear());

const findingsOf = async (deps: AuditScene['deps']) =>
  (await Promise.all([...s.orders].map((id) => auditBooking(deps, id)))).flatMap(({ findings }) => findings);

describe('a table restored to a point in time', () => {
  test('holds records that agree: bookings, calendars, payments, refunds and events', async () => {
    expect(s.orders.size).toBeGreaterThan(10);
    expect(await findingsOf(restored)).toEqual(await findingsOf(s.deps));
    for (const id of s.orders) expect(await findOrder(restored.table, id)).toEqual(await s.order(id));
  });

  test('learns from the gateway of a payment that was made after the point', async () => {
    await s.decide(s.open, 'success');
    const paid = (deps: AuditScene['deps']) => findOrder(deps.table, s.open);
    expect((await paid(s.deps)).payment?.state).toBe('PAID');
    expect((await paid(restored)).payment?.state).toBe('OPEN');
    s.clock.advance(10 * minute);
    await reconcilePayments(restored);
    const { payment, reservations } = await paid(restored);
    expect(payment?.state).toBe('PAID');
    expect(reservations.map(({ payment_status }) => payment_status)).toEqual(['PAID']);
    expect((await auditBooking(restored, s.open)).findings).toEqual([]);
  });

  test('has the nights of a booking that was made after the point free again', async () => {
    const dates = { check_in_date: '2027-03-10', check_out_date: '2027-03-12' };
    const late = { listing_id: s.home.id, guest_number: 2, ...dates };
    const stays = { items: [late], payment_method: 'CASH' as const };
    const { reservations } = await confirmCheckout(s.guest, stays);
    const [lost = 0] = reservations.map(({ id }) => id);
    expect((await findOrder(restored.table, lost)).reservations).toEqual([]);
    const again = await confirmCheckout(testContext(restored, s.guest.caller as never), stays);
    expect(again.reservations).toHaveLength(1);
    expect((await auditBooking(restored, again.reservations[0]!.id)).findings).toEqual([]);
  });

  test('has another feed: a cursor of the lost one is refused', async () => {
    const asked = { after: cursor, limit: 100, teams: [s.team_id] };
    await expect(readEvents(s.deps, asked)).resolves.toBeDefined();
    s.clock.advance(6 * minute);
    await expect(readEvents(restored, asked)).rejects.toMatchObject({ code: 'CURSOR_OUT_OF_DATE' });
  });
});

/** The restored table as AWS describes it, made from the one of this test. */
const summaryOf = async () => ({
  SourceTableArn: `arn:aws:dynamodb:ap-southeast-1:111122223333:table/${await testTableName()}`,
  RestoreDateTime: new Date(pointMs),
  RestoreInProgress: false,
});

const operator = async (line: string, { deps = restored, isOldKept = true } = {}) => {
  const summary = isOldKept ? await summaryOf() : undefined;
  const recovery = recoveryOf({ tableName, summary, sandbox: s.deps.sandbox });
  return playOperator(deps, line.split(' '), { recovery, tableName });
};

interface Report {
  records: Record<string, { change: string; before: object; restored: object | null }[]> | null;
  repeat: string[] | null;
  gateway: {
    unknown: { kind: string; payment_id: number; in_table: string | null; refund_id: string | null }[];
  };
}

const compare = async (line = 'restore compare', given: Parameters<typeof operator>[1] = {}) =>
  answerOf<Report>(await operator(line, given));

describe('restore compare', () => {
  test('finds nothing where nothing has happened since', async () => {
    expect(await compare()).toMatchObject({
      restored_from: await testTableName(),
      at: new Date(pointMs).toISOString(),
      records: {},
      repeat: [],
      gateway: { provider: 'sandbox', lists: true, unknown: [] },
    });
  });

  test('names bookings, payments and refunds that were made after the point, and what the table has of each', async () => {
    const late = (await s.confirm([await s.listing()], 'tok_ok')).master_reservation_id;
    await s.decide(s.open, 'success');
    await s.cancel(s.page);
    await s.reconcile();
    const { records, gateway } = await compare();
    const stayOf = async (id: number) => (await s.order(id)).reservations[0]?.reservation_id;
    const changes = (records?.['Reservation'] ?? []).map(({ change, before, restored: copy }) => ({
      ...{ change, before: stateIn(before), restored: copy && stateIn(copy) },
      id: (before as { reservation_id: number }).reservation_id,
    }));
    expect(changes).toHaveLength(4);
    expect(changes).toEqual(
      expect.arrayContaining([
        { change: 'lost', id: await stayOf(late), before: 'CONFIRMED PAID', restored: null },
        {
          ...{ change: 'changed', id: await stayOf(s.open) },
          ...{ before: 'CONFIRMED PAID', restored: 'CONFIRMED PENDING' },
        },
        {
          ...{ change: 'changed', id: await stayOf(s.page) },
          ...{ before: 'CANCELLED REFUNDED', restored: 'CONFIRMED PAID' },
        },
        // Its refund was due at the point, and made after it.
        {
          ...{ change: 'changed', id: await stayOf(s.due) },
          ...{ before: 'CANCELLED REFUNDED', restored: 'CANCELLED PAID' },
        },
      ]),
    );
    const short = gateway.unknown.map(({ kind, payment_id, in_table }) => ({ kind, payment_id, in_table }));
    expect(short).toHaveLength(4);
    expect(short).toEqual(
      expect.arrayContaining([
        { kind: 'charge', payment_id: late, in_table: null },
        { kind: 'charge', payment_id: s.open, in_table: 'OPEN' },
        { kind: 'refund', payment_id: s.page, in_table: null },
        { kind: 'refund', payment_id: s.due, in_table: 'DUE' },
      ]),
    );
    // What the schedule finds by itself is no longer named.
    s.clock.advance(10 * minute);
    await reconcilePayments(restored);
    const left = (await compare()).gateway.unknown;
    expect(left.map(({ payment_id }) => payment_id).sort()).toEqual([late, s.page].sort());
    // To cancel again does not refund again.
    const { back } = s.money(s.page);
    await cancelBooking(testContext(restored, s.guest.caller as never), s.page);
    await reconcilePayments(restored);
    expect(s.money(s.page).back).toBe(back);
    expect((await compare()).gateway.unknown.map(({ payment_id }) => payment_id)).toEqual([late]);
  });

  test('names a stay that was moved since: home, time, preparation, party and price', async () => {
    const { master_reservation_id: orderId } = await confirmCheckout(s.guest, {
      items: s.items(await s.listing()),
      payment_method: 'CASH',
    });
    const stay = async () => (await s.order(orderId)).reservations[0]!;
    const before = await stay();
    tableName = await restoredNow();
    restored = { ...s.deps, table: connectTable(tableName) };
    const better = await s.listing({ full_rate: before.total * 2, preparation_hours: 3 });
    await changeBooking(s.owner, before.reservation_id, { listing_id: better.id, guest_number: 1 });
    const { total } = await stay();
    expect(total).toBeGreaterThan(before.total);
    const { records } = await compare();
    expect(records?.['Reservation']).toMatchObject([
      {
        change: 'changed',
        before: { listing_id: better.id, preparation_hours: 3, guest_number: 1, total },
        restored: {
          ...{ listing_id: before.listing_id, preparation_hours: null },
          ...{ guest_number: before.guest_number, total: before.total },
        },
      },
    ]);
    expect(records?.['AvailabilityEntry']).toContainEqual(
      expect.objectContaining({
        change: 'lost',
        before: expect.objectContaining({ listing_id: better.id, preparation_hours: 3 }) as unknown,
      }),
    );
  });

  test('says what must be done again: keys, accounts and members whose access has ended since', async () => {
    const { deps, team_id } = s;
    const { key } = await testKey(deps, { team_ids: [team_id] });
    const rotated = await testKey(deps, { team_ids: [team_id] });
    const { user: blocked } = await testUser(deps);
    const { user: erased } = await testUser(deps);
    const { user: member } = await testUser(deps, { memberships: [{ team_id, role: 'STAFF' }] });
    tableName = await restoredNow();
    restored = { ...s.deps, table: connectTable(tableName) };
    await revokeKey(deps, key);
    await rotateKey(deps, 'local', { key_id: rotated.key.key_id, overlapHours: 1 });
    await blockUser(deps, { user_id: blocked.user_id });
    await deps.table.transact([
      change(UserEntity, erased, { set: { status: 'DELETED' } }, { when: present() }),
    ]);
    await removeMember(deps, { team_id, email: member.email });
    s.clock.advance(61 * minute);
    const { repeat, records } = await compare();
    expect(repeat).toEqual(
      [
        `key revoke --key ${key.key_id}`,
        `key revoke --key ${rotated.key.key_id}`,
        `user block --user ${blocked.user_id}`,
        `person erase --user ${erased.user_id}`,
        `member remove --team ${team_id} --email <address of user ${member.user_id}>`,
      ].sort(),
    );
    expect(records?.['Membership']).toMatchObject([{ change: 'back', before: { user_id: member.user_id } }]);
    for (const line of repeat?.filter((one) => /^(key|user)/.test(one)) ?? []) answerOf(await operator(line));
    expect((await compare()).repeat?.some((one) => /^(key|user)/.test(one))).toBe(false);
  });

  test('prints ids and states, and nothing personal', async () => {
    const { user } = await testUser(s.deps);
    const guest = testContext(s.deps, (await testUser(s.deps)).caller);
    const items = s.items(await s.listing());
    await confirmCheckout(guest, { items, payment_method: 'CASH', note: 'Grandmother is ill.' });
    const text = JSON.stringify(await compare());
    expect(text).toContain('"lost"');
    for (const value of [user.email, user.full_name, user.phone, 'Grandmother'])
      expect(text).not.toContain(value);
  });

  test('asks the gateway alone when the table before is gone', async () => {
    const late = (await s.confirm([await s.listing()], 'tok_ok')).master_reservation_id;
    const line = `restore compare --at ${new Date(pointMs).toISOString()}`;
    const { records, gateway } = await compare(line, { isOldKept: false });
    expect(records).toBeNull();
    expect(gateway.unknown).toMatchObject([{ kind: 'charge', payment_id: late, in_table: null }]);
    expect(refusalOf(await operator('restore compare', { isOldKept: false })).message).toContain('give --at');
  });
});

const stateIn = (facts: object): string => {
  const { state, payment_status } = facts as Record<string, string>;
  return `${state} ${payment_status}`;
};
