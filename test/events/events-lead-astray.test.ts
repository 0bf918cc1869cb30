import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { confirmCheckout } from '../../shared/domain/checkout/confirm-checkout.ts';
import { type Listing, ListingEntity } from '../../shared/domain/listing/listing.entity.ts';
import { updateListing } from '../../shared/domain/listing/update-listing.ts';
import { put } from '../../shared/platform/table/index.ts';
import { event } from '../support/calendars.ts';
import { bookStay } from '../support/events.ts';
import { testListing } from '../support/listings.ts';
import { platformScene, sold } from '../support/platform-scene.ts';
import { testContext } from '../support/table.ts';

let s: Awaited<ReturnType<typeof platformScene>>;
beforeEach(async () => void (s = await platformScene()));
afterEach(async () => expect(await s.audited()).toEqual([]));

/** Keeps the calendar from being empty. */
const march = sold('b', '2027-03-01', '2027-03-03', 'Blocked');
const at = (from: string, to: string, uid = 'a', text = 'Reserved') =>
  sold(uid, `2027-02-${from}`, `2027-02-${to}`, text);
const soon = (from: string, to: string) => sold('a', `2027-01-${from}`, `2027-01-${to}`);
const hours = (from: string, to: string) =>
  event(
    'UID:a',
    `DTSTART;TZID=Asia/Ho_Chi_Minh:${from}`,
    `DTEND;TZID=Asia/Ho_Chi_Minh:${to}`,
    'SUMMARY:Reserved',
  );
const adopted = async (...events: string[][]): Promise<number> => {
  s.publish(...events, march);
  await s.followAs({ label: 'Airbnb' });
  return s.adopt();
};
const next = async (...events: string[][]) => {
  s.publish(...events, march);
  return s.next();
};
const conflicts = async () => (await s.list())[0]!.conflicts;
const set = (fields: Parameters<typeof updateListing>[2]) =>
  updateListing(testContext(s.deps, s.host), s.listing.id, fields);

describe('an adopted stay', () => {
  it('follows its event also after its listing has come into a house, and out of it', async () => {
    const id = await adopted(at('04', '07'));
    const house = await testListing(s.deps, { team_id: s.team_id });
    await set({ parent_listing_id: house.id });
    await next(at('05', '08'));
    expect((await s.booking(id)).check_in).toBe('2027-02-05');
    await set({ parent_listing_id: null });
    await next(at('06', '08'));
    expect((await s.booking(id)).check_in).toBe('2027-02-06');
    await next();
    await next();
    expect((await s.booking(id)).state).toBe('CANCELLED');
  });

  it('of hours over midnight takes the hours that its event has now, so that no other guest has them', async () => {
    s = await platformScene({ allow_hourly_booking: true, price_per_hour: 100_000, min_hours: 1 });
    await adopted(hours('20270204T220000', '20270205T020000'));
    await next(hours('20270204T190000', '20270205T010000'));
    const evening = {
      ...{ listing_id: s.listing.id, guest_number: 2 },
      ...{ check_in_date: '2027-02-04', check_out_date: '2027-02-04' },
      ...{ check_in_time: '19:00:00', check_out_time: '21:00:00' },
    };
    await expect(
      confirmCheckout(s.asGuest, { items: [evening], payment_method: 'CASH' }),
    ).rejects.toMatchObject({ code: 'LISTING_NOT_AVAILABLE' });
  });

  it('whose guest is in house keeps its nights when the event begins on another day', async () => {
    const id = await adopted(soon('15', '18'));
    await s.desk.ok(s.host, 'checkInBooking', { params: { booking_id: id } });
    await next(soon('20', '22'));
    expect(await s.booking(id)).toMatchObject({ state: 'CHECKED_IN', check_in: '2027-01-15' });
    expect(await conflicts()).toMatchObject([{ booking_id: id }]);
    const night = { listing_id: s.listing.id, check_in_date: '2027-01-16', check_out_date: '2027-01-17' };
    await expect(bookStay(s.asGuest, night)).rejects.toMatchObject({ code: 'LISTING_NOT_AVAILABLE' });
  });

  it('that has started does not get the nights between it and where its event has gone', async () => {
    const id = await adopted(soon('15', '18'));
    s.deps.clock.advance(24 * 3_600_000);
    await next(soon('25', '28'));
    expect((await s.booking(id)).nights).toBe(3);
  });

  it('is the same under new UIDs after new standard times of its listing', async () => {
    const id = await adopted(at('04', '07', 'u1'));
    const found = await s.deps.table.get(ListingEntity, { id: s.listing.id });
    const times = { standard_check_in_time: '15:00', standard_check_out_time: '11:00' };
    await s.deps.table.put(put(ListingEntity, { ...(found as Listing), ...times }));
    for (const uid of ['u2', 'u3', 'u4']) await next(at('04', '07', uid));
    expect((await s.booking(id)).state).toBe('CONFIRMED');
  });

  it('is cancelled when its nights become unavailable under another UID', async () => {
    const id = await adopted(at('04', '07'));
    const block = at('04', '07', 'n', 'Airbnb (Not available)');
    for (let read = 0; read < 3; read++) await next(block);
    expect((await s.booking(id)).state).toBe('CANCELLED');
    expect(await s.held()).toContain('IMPORTED 02-04T14 02-07T12');
  });

  it('is cancelled when another one moves onto exactly its nights, and that one has them', async () => {
    const moving = await adopted(at('04', '07'), at('10', '13', 'c'));
    const gone = await s.adopt();
    for (let read = 0; read < 4; read++) await next(at('10', '13'));
    expect((await s.booking(gone)).state).toBe('CANCELLED');
    expect((await s.booking(moving)).check_in).toBe('2027-02-10');
    expect(await conflicts()).toEqual([]);
  });

  it.each([
    ['in part', at('06', '09', 'x')],
    ['as a whole', at('04', '07', 'x', 'Reserved - Lan')],
  ])('over which its platform sells once more, %s, is a conflict', async (_, other) => {
    const id = await adopted(at('04', '07'));
    await next(at('04', '07'), other);
    expect(await conflicts()).toMatchObject([{ booking_id: id }]);
  });

  it('has its minibar paid in cash at the desk', async () => {
    const params = { booking_id: await adopted(at('04', '07')) };
    await s.desk.ok(s.host, 'addCharge', { params, body: { label: 'Minibar', amount: 60_000 } });
    await s.desk.ok(s.host, 'markBookingPaid', { params });
    const { postings } = await s.desk.ok(s.host, 'getFolio', { params });
    expect(postings.at(-1)).toMatchObject({
      kind: 'payment',
      amount: 60_000,
      method: 'CASH',
      collected_by: 'HOST',
    });
  });
});
