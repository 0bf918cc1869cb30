import { DynamoDBClient, PutItemCommand } from '@aws-sdk/client-dynamodb';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { createStoredItems } from '../../infra/operator/stored-items.ts';
import { auditBooking } from '../../shared/domain/audit/index.ts';
import { findOrder } from '../../shared/domain/booking/booking.store.ts';
import { confirmCheckout } from '../../shared/domain/checkout/confirm-checkout.ts';
import { reconcilePayments } from '../../shared/domain/payment/reconcile-payments.ts';
import { readEvents } from '../../shared/domain/webhook/read-events.ts';
import { inLanes } from '../../shared/platform/in-lanes.ts';
import { connectTable } from '../../shared/platform/table/client.ts';
import type { Table } from '../../shared/platform/table/index.ts';
import { type AuditScene, auditScene } from '../support/audit-scene.ts';
import { createTestTable, testTableName } from '../support/test-table.ts';
import { minute } from '../support/payment-scene.ts';
import { testContext } from '../support/table.ts';

const client = new DynamoDBClient({});

/** Returns a copy of the table as it stands now, as a restore to this moment makes one. */
const restoredNow = async (): Promise<Table> => {
  const name = await createTestTable();
  await createStoredItems(await testTableName()).scan({}, async ({ items }) => {
    await inLanes(items, (Item) => client.send(new PutItemCommand({ TableName: name, Item })));
  });
  return connectTable(name);
};

let s: AuditScene;
/** The dependencies of a service that uses the restored table. */
let restored: AuditScene['deps'];
let cursor: string;
beforeEach(async () => {
  s = await auditScene();
  const read = await readEvents(s.deps, { after: undefined, limit: 100, teams: [s.team_id] });
  cursor = read.next_cursor;
  restored = { ...s.deps, table: await restoredNow() };
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
