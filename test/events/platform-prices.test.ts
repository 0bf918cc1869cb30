import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { moveBooking } from '../../shared/domain/booking/move-booking.ts';
import { changeBooking } from '../../shared/domain/checkout/index.ts';
import { syncFeed } from '../../shared/domain/ical/sync-feed.ts';
import { feedsOf } from '../../shared/domain/ical/ical.store.ts';
import { readStatement } from '../../shared/domain/statement/index.ts';
import { bookStay } from '../support/events.ts';
import { interruptedTable, writing } from '../support/interrupted.ts';
import { platformScene, sold } from '../support/platform-scene.ts';
import { testContext } from '../support/table.ts';

let s: Awaited<ReturnType<typeof platformScene>>;
beforeEach(async () => void (s = await platformScene()));
afterEach(async () => expect(await s.audited()).toEqual([]));

const march = sold('b', '2027-03-01', '2027-03-03', 'Blocked');
const adopted = async (from = '2027-02-04', to = '2027-02-07'): Promise<number> => {
  s.publish(sold('a', from, to), march);
  await s.followAs({ label: 'Airbnb', commission_rate: 0.15 });
  return s.adopt();
};
const set = (id: number, body: object) =>
  s.stayChanges.ok(s.host, 'changeBooking', { params: { booking_id: id }, body });
const refused = (id: number, body: object, who = s.host) =>
  s.stayChanges.refusal(who, 'changeBooking', { params: { booking_id: id }, body });
const folio = (id: number) => s.desk.ok(s.host, 'getFolio', { params: { booking_id: id } });

describe('the price of a stay that a platform has sold', () => {
  it('is raised by its host while the platform leads it: the platform has collected that too', async () => {
    const id = await adopted();
    const { params } = { params: { booking_id: id } };
    expect(
      await s.stayChanges.ok(s.host, 'previewChange', { params, body: { total_price: 3_500_000 } }),
    ).toMatchObject({ difference: 500_000, amount_due: 0, now: { total: 3_500_000, earning: 2_975_000 } });
    const changed = await set(id, { total_price: 3_500_000, expected_difference: 500_000 });
    expect(changed).toMatchObject({
      ...{ total_price: 3_500_000, payment_status: 'PAID', amount_paid: 3_500_000, amount_due: 0 },
      price: [{ earning: 2_975_000, lines: [{ label: 'Price of Airbnb', amount: 3_500_000 }] }],
      change: { difference: 500_000, refund: { amount: 0, status: 'NONE' } },
    });
    expect((await folio(id)).postings).toMatchObject([
      { kind: 'stay', amount: 3_000_000 },
      { kind: 'payment', amount: 3_000_000, collected_by: 'PLATFORM' },
      { kind: 'change', amount: 500_000 },
      { kind: 'payment', amount: 500_000, collected_by: 'PLATFORM' },
    ]);
    expect(await s.historyOf(id)).toEqual(['booking.created by host', 'booking.changed by host']);
    const { rows } = await readStatement(testContext(s.deps, s.host), '2027-01');
    expect(rows[0]).toMatchObject({ gross: 3_500_000, commission: 525_000, balance: 0 });
    expect(rows[0]!.collected).toContainEqual({ collector: 'PLATFORM', payments: 3_500_000, refunds: 0 });
  });

  it('is lowered: what it is lower by, the platform refunds', async () => {
    const id = await adopted();
    expect(await set(id, { total_price: 2_400_000 })).toMatchObject({
      ...{ total_price: 2_400_000, payment_status: 'PAID', amount_refunded: 600_000 },
      change: { difference: -600_000, refund: { amount: 600_000, status: 'REFUNDED' } },
    });
    // The same again changes nothing.
    await set(id, { total_price: 2_400_000 });
    const { postings, amount_to_return } = await folio(id);
    expect([postings.length, amount_to_return]).toEqual([4, 0]);
  });

  it('stays what the host has said when its event moves, and is said again after the stay', async () => {
    const id = await adopted('2027-01-15', '2027-01-17');
    await set(id, { total_price: 2_400_000 });
    s.publish(sold('a', '2027-01-15', '2027-01-18'), march);
    await s.next();
    expect(await s.booking(id)).toMatchObject({ nights: 3, total_price: 2_400_000 });
    for (const move of ['check_in', 'check_out'] as const) {
      await moveBooking(testContext(s.deps, s.host), id, move);
      s.deps.clock.advance(24 * 3_600_000);
    }
    expect(await set(id, { total_price: 3_600_000 })).toMatchObject({
      ...{ state: 'CHECKED_OUT', total_price: 3_600_000, amount_paid: 3_600_000 + 600_000 },
    });
  });

  it('leaves what the host has charged beside it to be paid', async () => {
    const id = await adopted();
    const params = { booking_id: id };
    await s.desk.ok(s.host, 'addCharge', { params, body: { label: 'Minibar', amount: 60_000 } });
    expect(await set(id, { total_price: 3_500_000 })).toMatchObject({
      ...{ payment_status: 'PENDING', amount_due: 60_000, amount_paid: 3_500_000 },
    });
  });

  it('is the host’s to say also once the calendar is followed no more', async () => {
    const id = await adopted();
    await s.unfollow((await s.list())[0]!.id);
    await s.next();
    expect(await set(id, { total_price: 1_000_000 })).toMatchObject({ total_price: 1_000_000 });
  });

  it('comes alone, is an amount of its currency, and of no other booking', async () => {
    const id = await adopted();
    const other = await bookStay(s.asGuest, {
      ...{ listing_id: s.listing.id, check_in_date: '2027-02-20', check_out_date: '2027-02-21' },
    });
    const total_price = 3_500_000;
    for (const [of, body] of [
      [id, { total_price: 0.5 }],
      [id, { total_price: 1e15 + 0.5 }],
      [id, { total_price, check_out_date: '2027-02-08' }],
      [id, { total_price, adjustments: [] }],
      [id, { total_price, price: 'KEEP' }],
      [other.booking_id, { total_price }],
    ] as const)
      expect(await refused(of, body), JSON.stringify(body)).toMatchObject({ code: 'VALIDATION_ERROR' });
    expect(await refused(id, { check_out_date: '2027-02-08' })).toMatchObject({
      code: 'MANAGED_BY_CHANNEL',
    });
    expect(await refused(id, { total_price, expected_difference: 1 })).toMatchObject({
      code: 'PRICE_CHANGED',
    });
    s.publish(march);
    for (let fetch = 0; fetch < 2; fetch++) await s.next();
    expect(await refused(id, { total_price })).toMatchObject({ code: 'INVALID_STATE_TRANSITION' });
  });

  it('and its time keep both changes when they come at once, whichever is first', async () => {
    const id = await adopted();
    const sync = async (table = s.deps.table) => {
      s.deps.clock.advance(10 * 60_000);
      const [feed] = await feedsOf(s.deps.table, s.listing.id);
      await syncFeed({ ...s.deps, table, fetchCalendar: s.fetchCalendar }, feed!);
    };
    const asHost = (table = s.deps.table) => testContext({ ...s.deps, table }, s.host);
    s.publish(sold('a', '2027-02-05', '2027-02-07'), march);
    const saying = interruptedTable(s.deps.table, writing('Order'), () => sync());
    await changeBooking(asHost(saying), id, { total_price: 2_000_000 });
    expect(await s.booking(id)).toMatchObject({ check_in: '2027-02-05', total_price: 2_000_000 });
    s.publish(sold('a', '2027-02-04', '2027-02-07'), march);
    const moving = interruptedTable(s.deps.table, writing('Order'), () =>
      changeBooking(asHost(), id, { total_price: 2_500_000 }),
    );
    await sync(moving);
    expect(await s.booking(id)).toMatchObject({ check_in: '2027-02-04', total_price: 2_500_000 });
  });
});
