import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { notificationWorker } from '../../functions/workers/notification/index.ts';
import { readStatement } from '../../shared/domain/statement/index.ts';
import type { Mail } from '../../shared/platform/mail/mailer.ts';
import { orderIdOf } from '../../shared/platform/ids.ts';
import { systemContext } from '../../shared/platform/context.ts';
import { sendDueMails } from '../../shared/domain/notification/send-due-mails.ts';
import { countsUnits, measuredTable } from '../support/costs.ts';
import { bookStay, eventsOf, queueEvent } from '../support/events.ts';
import { adoption, platformScene, sold } from '../support/platform-scene.ts';
import { testContext, testTeam, testUser } from '../support/table.ts';

let s: Awaited<ReturnType<typeof platformScene>>;
beforeEach(async () => {
  s = await platformScene();
});
afterEach(async () => {
  expect(await s.audited()).toEqual([]);
});

const a = sold('a', '2027-02-04', '2027-02-07', 'Reserved - Maria');
const b = sold('b', '2027-03-01', '2027-03-03');

/** Follows a calendar with these events and adopts its first stay. */
const adopted = async (...events: string[][]): Promise<number> => {
  s.publish(...(events.length > 0 ? events : [a, b]));
  await s.followAs({ label: 'Airbnb', commission_rate: 0.15 });
  return s.adopt({ external_booking_id: 'HMABC', note: 'Late', guest_number: 2 });
};
const refusal = (body: object) => s.sales.refusal(s.host, 'bookForGuest', { body });
const stay = (from: string, to: string) =>
  bookStay(s.asGuest, { listing_id: s.listing.id, check_in_date: from, check_out_date: to });
const taken = { code: 'LISTING_NOT_AVAILABLE' };

describe('an imported stay that is adopted', () => {
  it('is a booking that the platform has collected, and its block is that stay', async () => {
    s.publish(a, b);
    await s.followAs({ label: 'Airbnb', commission_rate: 0.15 });
    const { availability_id } = (await s.imported()).items[0]!;
    const body = {
      ...adoption,
      availability_id,
      external_booking_id: 'HMABC',
      note: 'Late',
      guest_number: 2,
    };
    const answer = await s.sales.ok(s.host, 'bookForGuest', { body });
    expect(answer).toMatchObject({ payment_status: 'PAID', estimated_total: 3_000_000, currency: 'VND' });
    const id = answer.reservations[0]!.id;
    expect(await s.booking(id)).toMatchObject({
      ...{ state: 'CONFIRMED', payment_method: 'PLATFORM', payment_status: 'PAID', secured: true },
      ...{ check_in: '2027-02-04', check_out: '2027-02-07', nights: 3, guests: 2, note: 'Late' },
      ...{ total_price: 3_000_000, amount_due: 0, amount_paid: 3_000_000 },
      ...{ external_system: 'Airbnb', external_booking_id: 'HMABC', cancellation_terms: [] },
      guest_info: { full_name: 'Maria Schmidt', phone: '', email: '' },
      price: [{ earning: 2_550_000, commission_rate: 0.15, lines: [{ label: 'Price of Airbnb' }] }],
    });
    const { items } = await s.desk.ok(s.host, 'readTeamCalendar', {
      query: { from: '2027-02-01', to: '2027-02-28' },
    });
    expect(items[0]!.entries).toMatchObject([
      { kind: 'STAY', availability_id, booking_id: id, source: 'Airbnb', guest_name: 'Maria Schmidt' },
    ]);
    expect((await s.imported()).items.map(({ check_in_date: date }) => date)).toEqual(['2027-03-01']);
    expect(await s.historyOf(id)).toEqual(['booking.created by host']);
    await expect(stay('2027-02-06', '2027-02-08')).rejects.toMatchObject(taken);
  });

  it('is adopted once, by its id alone', async () => {
    s.publish(a, b);
    await s.follow();
    const { availability_id } = (await s.imported()).items[0]!;
    await s.adopt();
    expect(await refusal({ ...adoption, availability_id })).toMatchObject({
      code: 'INVALID_STATE_TRANSITION',
    });
    expect(await refusal({ ...adoption, availability_id: 1 })).toMatchObject({ code: 'NOT_FOUND' });
    const block = await s.calendars.ok(s.host, 'blockTime', {
      params: { listing_id: s.listing.id },
      body: { block_date: '2027-02-20' },
    });
    expect(await refusal({ ...adoption, availability_id: block.id })).toMatchObject({ code: 'NOT_FOUND' });
  });

  it('is of the acting team, and of owners and managers', async () => {
    s.publish(a);
    await s.follow();
    const { availability_id } = (await s.imported()).items[0]!;
    const { team_id } = await testTeam(s.deps);
    const other = await testUser(s.deps, { memberships: [{ team_id, role: 'OWNER' }] });
    const staff = await testUser(s.deps, { memberships: [{ team_id: s.team_id, role: 'STAFF' }] });
    const body = { ...adoption, availability_id };
    const asked = (who: typeof staff) => s.sales.refusal(who.caller, 'bookForGuest', { body });
    expect(await asked(other)).toMatchObject({ code: 'NOT_FOUND' });
    expect(await asked(staff)).toMatchObject({ code: 'FORBIDDEN' });
    expect(
      await s.desk.refusal(s.asGuest.caller, 'listImportedStays', {
        query: { from: '2027-02-01', to: '2027-02-02' },
      }),
    ).toMatchObject({ code: 'FORBIDDEN' });
  });

  it('has a price in whole minor units, guests, and no field of another booking', async () => {
    s.publish(a);
    await s.follow();
    const { availability_id } = (await s.imported()).items[0]!;
    const paths = async (given: object) => (await refusal({ ...adoption, availability_id, ...given })).paths;
    expect(await paths({ total_price: 1.5 })).toEqual(['total_price']);
    expect(await paths({ total_price: 9e15 })).toEqual(['total_price']);
    expect(await paths({ guest_number: 0 })).toEqual(['guest_number']);
    expect(await paths({ payment_method: 'CASH' })).toEqual(['payment_method']);
    expect(await paths({ guest_info: {} })).toEqual(['guest_info.full_name']);
    await s.adopt({ total_price: 0 });
  });

  it('is no method that a guest pays by', async () => {
    const items = [
      {
        listing_id: s.listing.id,
        check_in_date: '2027-02-04',
        check_out_date: '2027-02-05',
        guest_number: 1,
      },
    ];
    const guest_info = { full_name: 'A B', phone: '+84912345678', email: 'a@example.com' };
    expect((await refusal({ items, guest_info, payment_method: 'PLATFORM' })).paths).toEqual([
      'payment_method',
    ]);
  });

  it('leaves nothing for the next fetches to write but the time of the fetch', async () => {
    await adopted();
    const { table, cost } = measuredTable(s.deps.table);
    s.deps.table = table;
    const before = await s.held();
    for (const minutes of [10, 24 * 60]) {
      if (countsUnits) expect((await cost(() => s.next(minutes))).wcu).toBeLessThanOrEqual(6);
      expect(await s.held()).toEqual(before);
    }
    s.remote.text += ' ';
    expect(await s.next()).toMatchObject({ imported: 2, conflicts: [], status: 'ACTIVE' });
  });

  it('is in the exports of all but its own calendar', async () => {
    const shownBy = async (address: string) => (await s.fetched(await s.exportUrl(address))).body;
    const other = 'https://other.example.com/x.ics';
    s.remote.texts[other] = 'BEGIN:VCALENDAR\r\nEND:VCALENDAR\r\n';
    const address = 'https://calendars.example.com/x.ics';
    s.publish(a);
    await s.follow(other);
    await adopted(a);
    expect(await shownBy(other)).toMatch(/DTSTART;VALUE=DATE:20270204\r\n.*\r\nSUMMARY:Reserved/);
    expect(await shownBy(other)).not.toMatch(/Maria|Airbnb/);
    expect(await shownBy(address)).not.toMatch(/20270204/);
    // What the other shows of it is an echo.
    s.remote.texts[other] = s.remote.text.replace('UID:a', 'UID:echo');
    await s.next();
    const [, followed] = await s.list();
    const feed = [followed!, (await s.list())[0]!].find(({ url }) => url === other)!;
    expect(feed).toMatchObject({ echoes: 1, conflicts: [] });
  });

  it('is led by the platform: change, cancellation and adjustments are made there', async () => {
    const id = await adopted();
    const params = { booking_id: id };
    const managed = { code: 'MANAGED_BY_CHANNEL', status: 409, details: { external_system: 'Airbnb' } };
    const change = { check_out_date: '2027-02-08' };
    for (const verb of ['changeBooking', 'previewChange'] as const)
      expect(await s.stayChanges.refusal(s.host, verb, { params, body: change })).toMatchObject(managed);
    const adjustment = { label: 'Cold shower', amount: -100, reason: 'GOODWILL' };
    expect(await s.stayChanges.refusal(s.host, 'addAdjustment', { params, body: adjustment })).toMatchObject(
      managed,
    );
    expect(
      await s.stayChanges.refusal(s.host, 'removeAdjustment', { params: { ...params, adjustment_id: 1 } }),
    ).toMatchObject(managed);
    expect(await s.desk.refusal(s.host, 'cancelBooking', { params })).toMatchObject(managed);
    expect(await s.desk.ok(s.host, 'getCancellation', { params })).toMatchObject({
      can_cancel: false,
      refusal: { code: 'MANAGED_BY_CHANNEL' },
    });
    expect(await s.historyOf(id)).toEqual(['booking.created by host']);
  });

  it('is the host’s own once the calendar is followed no more', async () => {
    const id = await adopted();
    const { id: feedId } = (await s.list())[0]!;
    await s.unfollow(feedId);
    await s.next();
    expect(await s.held()).toEqual(['STAY 02-04T14 02-07T12']);
    // The calendar is followed again: its event lies over a stay of the host.
    expect(await s.follow()).toMatchObject({ conflicts: [{ booking_id: id }] });
    s.publish(b);
    await s.next();
    await s.next();
    expect((await s.booking(id)).state).toBe('CONFIRMED');
    const params = { booking_id: id };
    const { change } = await s.stayChanges.ok(s.host, 'changeBooking', {
      params,
      body: { check_out_date: '2027-02-08' },
    });
    expect(change.amount_due).toBe(0);
    expect((await s.desk.ok(s.host, 'cancelBooking', { params })).refund).toMatchObject({
      status: 'REFUNDED',
    });
    expect(await s.held()).toEqual(['IMPORTED 03-01T14 03-03T12']);
    const { postings } = await s.desk.ok(s.host, 'getFolio', { params });
    expect(new Set(postings.flatMap(({ collected_by: by }) => by ?? []))).toEqual(new Set(['PLATFORM']));
  });

  it('arrives, pays its minibar, leaves early, and the rest stays closed, before the calendar is read anew too', async () => {
    const id = await adopted(sold('a', '2027-01-15', '2027-01-18'));
    expect((await s.today()).arrivals).toMatchObject([{ id, payment_method: 'PLATFORM' }]);
    expect((await s.today()).imported_arrivals).toEqual([]);
    const params = { booking_id: id };
    await s.desk.ok(s.host, 'checkInBooking', { params });
    await s.desk.ok(s.host, 'addCharge', { params, body: { label: 'Minibar', amount: 60_000 } });
    expect(await s.booking(id)).toMatchObject({ payment_status: 'PENDING', amount_due: 60_000 });
    await s.desk.ok(s.host, 'takePayment', { params, body: { amount: 60_000, method: 'CASH' } });
    s.deps.clock.advance(24 * 3_600_000);
    await s.desk.ok(s.host, 'checkOutBooking', { params });
    // The guest came at 10:00 (D148).
    const left = ['STAY 01-15T10 01-16T10', 'IMPORTED 01-16T10 01-18T12'];
    expect(await s.held()).toEqual(left);
    expect(await s.sync()).toMatchObject({ conflicts: [] });
    expect(await s.held()).toEqual(left);
    s.publish(sold('a', '2027-01-15', '2027-01-18'), b);
    expect(await s.next()).toMatchObject({ conflicts: [] });
    expect((await s.held())[1]).toBe('IMPORTED 01-16T10 01-18T12');
    expect((await s.imported()).items).toHaveLength(1);
    expect((await s.booking(id)).state).toBe('CHECKED_OUT');
    const { rows } = await readStatement(testContext(s.deps, s.host), '2027-01');
    expect(rows).toMatchObject([
      {
        ...{ gross: 3_000_000, charges: 60_000, commission: 450_000, balance: 0, cash_on_hand: 60_000 },
        collected: [
          { collector: 'HOST', payments: 60_000, refunds: 0 },
          { collector: 'PARTNER', payments: 0, refunds: 0 },
          { collector: 'GATEWAY', payments: 0, refunds: 0 },
          { collector: 'PLATFORM', payments: 3_000_000, refunds: 0 },
        ],
      },
    ]);
  });

  it('is a no-show that is refunded nothing here', async () => {
    const id = await adopted(sold('a', '2027-01-15', '2027-01-18'));
    s.deps.clock.advance(20 * 3_600_000);
    const { refund, state } = await s.desk.ok(s.host, 'markNoShow', { params: { booking_id: id } });
    expect([state, refund]).toEqual(['NO_SHOW', { amount: 0, status: 'NONE' }]);
    const held = await s.held();
    expect(held.at(-1)).toMatch(/^IMPORTED 01-1\dT\d\d 01-18T12$/);
    expect(await s.sync()).toMatchObject({ conflicts: [] });
    expect(await s.held()).toEqual(held);
  });

  it('mails its host alone, whatever happens to it', async () => {
    const sent: Mail[] = [];
    const mailer = { send: async (mail: Mail) => void sent.push(mail) };
    s.publish(a);
    await s.follow();
    const guest_info = { full_name: 'Maria', email: 'maria@example.com' };
    const id = await s.adopt({ guest_info });
    s.publish(sold('a', '2027-02-05', '2027-02-07'));
    await s.next();
    s.deps.clock.advance(20 * 24 * 3_600_000);
    await s.sync();
    const messages = await eventsOf(s.deps.table, `ORDER#${orderIdOf(id)}`);
    for (const message of messages)
      await notificationWorker(() => ({ ...s.deps, mailer }))(queueEvent(message));
    await sendDueMails(systemContext({ ...s.deps, mailer } as never, 'mails') as never);
    expect(sent.length).toBeGreaterThanOrEqual(2);
    expect(new Set(sent.map(({ to }) => to))).toEqual(new Set([s.owner.user.email]));
  });
});
