import { beforeEach, describe, expect, it } from 'vitest';
import type { Today } from '../../shared/domain/front-desk/today.schema.ts';
import { openThreads } from '../../shared/domain/chat/threads.ts';
import type { Listing } from '../../shared/domain/listing/listing.entity.ts';
import { referenceOf } from '../../shared/domain/transfer/reference.rules.ts';
import { orderIdOf } from '../../shared/platform/ids.ts';
import { instantText } from '../../shared/platform/time/clock.ts';
import { nights, ok, refusal, stay, stopClock, type Who, useOrderScene } from '../support/order-scene.ts';
import { testTeam } from '../support/table.ts';

const s = useOrderScene();
let team_id: number;
let host: Who;
beforeEach(async () => {
  ({ team_id } = await testTeam(s.deps));
  host = await s.person('OWNER', team_id);
});

const readToday = (who: Who = host) => s.get<Today>(who, '/api/v1/today');
const listing = (given: Partial<Listing> = {}) => s.listing({ ...given, team_id });
const book = async (home: Listing, from: string, to: string, given: object = {}) => {
  const items = [stay(home, nights(from, to))];
  return ok(await s.confirm(s.guest, { items, payment_method: 'CASH', ...given }), 201).reservations[0]!.id;
};
const at = async (verb: string, id: number, who: Who = host) =>
  void ok(await s.call('POST', `/api/v1/bookings/${id}/${verb}`, { token: who.token! }));

type Lists = Pick<Today, 'arrivals' | 'departures' | 'in_house' | 'unpaid' | 'to_accept'>;
const idsIn = (day: Today): Record<keyof Lists, number[]> => {
  const { arrivals, departures, in_house, unpaid, to_accept } = day;
  const lists = { arrivals, departures, in_house, unpaid, to_accept };
  return Object.fromEntries(
    Object.entries(lists).map(([name, stays]) => [name, stays.map(({ id }) => id)]),
  ) as Record<keyof Lists, number[]>;
};
const none = { arrivals: [], departures: [], in_house: [], unpaid: [], to_accept: [] };

describe('GET /today', () => {
  it('has each stay from the day before its arrival to the day after its departure in its lists', async () => {
    const id = await book(await listing(), '2027-02-10', '2027-02-12');
    const lists = async (instant: string) => {
      stopClock(instant);
      await s.renew();
      return idsIn(ok(await readToday()));
    };
    expect(await lists('2027-02-09T16:59:59.000Z')).toEqual(none);
    const arriving = { ...none, arrivals: [id], unpaid: [id] };
    expect(await lists('2027-02-09T17:00:00.000Z')).toEqual(arriving);
    stopClock('2027-02-10T08:00:00.000Z');
    await at('check-in', id);
    expect(await lists('2027-02-10T08:00:00.000Z')).toEqual({ ...arriving, in_house: [id] });
    expect(await lists('2027-02-11T05:00:00.000Z')).toEqual({ ...none, in_house: [id], unpaid: [id] });
    await at('mark-paid', id);
    expect(await lists('2027-02-11T16:59:59.000Z')).toEqual({ ...none, in_house: [id] });
    expect(await lists('2027-02-11T17:00:00.000Z')).toEqual({ ...none, in_house: [id], departures: [id] });
    await at('check-out', id);
    expect(await lists('2027-02-12T16:59:59.000Z')).toEqual({ ...none, departures: [id] });
    expect(await lists('2027-02-12T17:00:00.000Z')).toEqual(none);
  });

  it('is the date of each listing’s own time zone', async () => {
    const zones = ['Asia/Ho_Chi_Minh', 'Pacific/Kiritimati', 'America/Los_Angeles', 'Pacific/Pago_Pago'];
    const ids = [];
    for (const timezone of zones)
      ids.push(await book(await listing({ timezone }), '2027-02-10', '2027-02-14'));
    const [hanoi, kiritimati, losAngeles, pagoPago] = ids;
    const arrivals = async (instant: string) => {
      stopClock(instant);
      await s.renew();
      return new Set(idsIn(ok(await readToday())).arrivals);
    };
    expect(await arrivals('2027-02-09T10:30:00.000Z')).toEqual(new Set([kiritimati]));
    expect(await arrivals('2027-02-10T09:30:00.000Z')).toEqual(new Set([kiritimati, hanoi, losAngeles]));
    expect(await arrivals('2027-02-10T12:00:00.000Z')).toEqual(new Set(ids));
    expect(await arrivals('2027-02-10T22:00:00.000Z')).toEqual(new Set([hanoi, losAngeles, pagoPago]));
    expect(await arrivals('2027-02-11T10:30:00.000Z')).toEqual(new Set([losAngeles, pagoPago]));
    expect(await arrivals('2027-02-11T22:59:59.000Z')).toEqual(new Set([pagoPago]));
    expect(await arrivals('2027-02-11T23:00:00.000Z')).toEqual(new Set());
  });

  it('has a guest who is late among the arrivals until the check-in, the no-show or noon', async () => {
    const [late, short, missed, early] = [
      await book(await listing(), '2027-02-10', '2027-02-13', { arrival_time: '01:00' }),
      await book(await listing(), '2027-02-10', '2027-02-11'),
      await book(await listing(), '2027-02-10', '2027-02-14'),
      await book(await listing(), '2027-02-10', '2027-02-12'),
    ];
    const hanoi = async (time: string) => {
      stopClock(`2027-02-${time}:00.000+07:00`);
      await s.renew();
    };
    const lists = async () => idsIn(ok(await readToday()));
    const arriving = (...arrivals: number[]) => ({ ...none, arrivals, unpaid: arrivals });
    await hanoi('10T20:00');
    await at('check-in', early);
    await at('mark-paid', early);
    await hanoi('11T01:00');
    const awaited = arriving(late, short, missed);
    expect(await lists()).toEqual({ ...awaited, in_house: [early], departures: [short] });
    expect(ok(await readToday()).arrivals.map(({ check_in }) => check_in)).toEqual([
      ...['2027-02-10', '2027-02-10', '2027-02-10'],
    ]);
    await at('no-show', missed);
    await at('check-in', short);
    await hanoi('11T02:00');
    const inHouse = { in_house: [short, early], unpaid: [late, short] };
    expect(await lists()).toEqual({ ...arriving(late), ...inHouse, departures: [short] });
    await hanoi('11T11:59');
    expect((await lists()).arrivals).toEqual([late]);
    await hanoi('11T12:00');
    expect((await lists()).arrivals).toEqual([]);
    await hanoi('13T01:00');
    expect(await lists()).toMatchObject({ arrivals: [], departures: [late] });
  });

  it('has a guest whose check-in was not noted among the departures of the last date, and in no list afterwards', async () => {
    const id = await book(await listing(), '2027-02-10', '2027-02-12');
    const lists = async (instant: string) => {
      stopClock(instant);
      await s.renew();
      return idsIn(ok(await readToday()));
    };
    expect(await lists('2027-02-12T23:59:59.000+07:00')).toEqual({ ...none, departures: [id] });
    expect(await lists('2027-02-13T00:00:00.000+07:00')).toEqual(none);
  });

  it('has stays by the hour, one of them over midnight', async () => {
    const home = await listing({ allow_hourly_booking: true, price_per_hour: 90_000 });
    const hours = async (from: string, to: string, check_out_date = '2027-02-10') => {
      const times = { check_in_time: from, check_out_time: to, check_out_date };
      const items = [stay(home, { ...times, check_in_date: '2027-02-10' })];
      return ok(await s.confirm(s.guest, { items, payment_method: 'CASH' }), 201).reservations[0]!.id;
    };
    const [noon, night] = [await hours('11:00', '14:00'), await hours('22:00', '02:00', '2027-02-11')];
    const lists = async (instant: string) => {
      stopClock(`${instant}+07:00`);
      await s.renew();
      return idsIn(ok(await readToday()));
    };
    const both = { ...none, arrivals: [noon, night], unpaid: [noon, night], departures: [noon] };
    expect(await lists('2027-02-10T11:00:00.000')).toEqual(both);
    await at('check-in', noon);
    expect(await lists('2027-02-10T11:10:00.000')).toEqual({ ...both, departures: [noon], in_house: [noon] });
    await at('check-out', noon);
    const awaited = { ...none, arrivals: [night], unpaid: [night], departures: [night] };
    await hours('16:00', '18:00');
    expect(await lists('2027-02-11T01:00:00.000')).toEqual(awaited);
  });

  it('shows who left early today, and neither cancelled nor missed stays', async () => {
    const [early, cancelled, missed] = [
      await book(await listing(), '2027-02-10', '2027-02-20'),
      await book(await listing(), '2027-02-10', '2027-02-12'),
      await book(await listing(), '2027-02-10', '2027-02-12'),
    ];
    ok(await s.cancel(s.guest, cancelled));
    stopClock('2027-02-10T08:00:00.000Z');
    await at('check-in', early);
    stopClock('2027-02-11T03:00:00.000Z');
    await at('check-out', early);
    await at('no-show', missed);
    await s.renew();
    expect(idsIn(ok(await readToday()))).toEqual({ ...none, departures: [early] });
    stopClock('2027-02-20T03:00:00.000Z');
    await s.renew();
    expect(idsIn(ok(await readToday()))).toEqual(none);
  });

  it('has what waits for the host, of any date, until it is accepted', async () => {
    const id = await book(await listing({ instant_book_enabled: false }), '2027-09-10', '2027-09-12');
    const ofToday = await book(await listing({ instant_book_enabled: false }), '2027-01-15', '2027-01-17');
    expect(idsIn(ok(await readToday()))).toEqual({ ...none, to_accept: [ofToday, id] });
    await at('confirm', id);
    expect(idsIn(ok(await readToday()))).toEqual({ ...none, to_accept: [ofToday] });
  });

  it('has the bookings of any date that wait for a transfer, those that end first at first', async () => {
    const given = { payment_method: 'BANK_TRANSFER' };
    const [later, sooner] = [
      await book(await listing({ transfer_window_hours: 168 }), '2027-09-10', '2027-09-12', given),
      await book(await listing({ transfer_window_hours: 24 }), '2027-10-10', '2027-10-12', given),
    ];
    const asked = await book(
      await listing({ instant_book_enabled: false }),
      '2027-09-10',
      '2027-09-12',
      given,
    );
    await book(await listing(), '2027-09-10', '2027-09-12');
    const deposit = await book(await listing({ deposit_percent: 30 }), '2027-09-10', '2027-09-12', given);
    const due = async (who: Who = host) =>
      ok(await readToday(who)).transfers_due.map(({ id, expires_today }) => [id, expires_today]);
    expect(await due()).toEqual([
      [sooner, false],
      [deposit, false],
      [later, false],
    ]);
    const [first, second] = ok(await readToday()).transfers_due;
    expect(first).toMatchObject({
      ...{ payment_expires_at: '2027-01-16T03:00:00.000Z', reference: referenceOf(orderIdOf(sooner)) },
      amount_due: first?.total_price,
    });
    expect(second?.amount_due).toBeLessThan(second!.total_price);
    await at('confirm', asked);
    await at('mark-paid', sooner);
    await at('mark-paid', deposit);
    ok(await s.cancel(s.guest, later));
    expect(await due()).toEqual([[asked, false]]);
    // In Viet Nam it is the 17th from 17:00 UTC on; the time ends at 10:00 of the 18th.
    stopClock('2027-01-17T16:59:59.000Z');
    await s.renew();
    expect(await due()).toEqual([[asked, false]]);
    stopClock('2027-01-17T17:00:00.000Z');
    await s.renew();
    expect(await due()).toEqual([[asked, true]]);
    expect(await due(s.otherHost)).toEqual([]);
  });

  it('has what is due by transfer without a limit last, also of guests in house', async () => {
    const given = { payment_method: 'BANK_TRANSFER' };
    const id = await book(await listing(), '2027-01-15', '2027-01-20', given);
    await at('mark-paid', id);
    const other = await book(await listing(), '2027-09-10', '2027-09-12', given);
    stopClock('2027-01-15T08:00:00.000Z');
    await at('check-in', id);
    const charge = { token: host.token!, body: { label: 'Minibar', amount: 60_000 } };
    ok(await s.call('POST', `/api/v1/bookings/${id}/charges`, charge), 201);
    expect(ok(await readToday()).transfers_due).toMatchObject([
      { id: other },
      { id, amount_due: 60_000, payment_expires_at: null, expires_today: false },
    ]);
  });

  it('says what is due, when the guest comes and what the guest has written', async () => {
    const home = await listing();
    const id = await book(home, '2027-01-15', '2027-01-17', { note: 'Two dogs', arrival_time: '17:30' });
    const [shown] = ok(await readToday()).arrivals;
    expect(shown).toMatchObject({
      ...{ id, listing_id: home.id, listing_name: home.name, check_in: '2027-01-15', guests: 2 },
      ...{ payment_status: 'PENDING', arrival_time: '17:30:00', note: 'Two dogs' },
      amount_due: shown?.total_price,
    });
    expect(shown?.total_price).toBeGreaterThan(0);
    expect(shown?.guest_info.phone).toBeTruthy();
    await at('mark-paid', id);
    expect(ok(await readToday()).arrivals[0]).toMatchObject({ payment_status: 'PAID', amount_due: 0 });
  });

  it('has the threads that end with a message of the guest, until the caller has read it', async () => {
    const id = await book(await listing(), '2027-02-10', '2027-02-12');
    await openThreads(s.deps, [
      {
        id: `evt_${id}`,
        event_type: 'booking.created',
        occurred_at: instantText(s.deps.clock.now()),
        team_id,
        actor: 'system:test',
        data: { id },
      } as never,
    ]);
    const unread = async (who: Who = host) => ok(await readToday(who)).unread.map((thread) => thread.id);
    const path = `/api/v1/chats/${id}/messages`;
    const write = async (who: Who, text: string) =>
      void ok(await s.call('POST', path, { token: who.token!, body: { text } }), 201);
    expect(await unread()).toEqual([]);
    await write(s.guest, 'Xin chào');
    expect(await unread()).toEqual([id]);
    ok(await s.get(host, path));
    expect(await unread()).toEqual([]);
    const staff = await s.person('STAFF', team_id);
    expect(await unread(staff)).toEqual([id]);
    await write(s.guest, 'Still there?');
    expect(await unread()).toEqual([id]);
    await write(staff, 'Welcome');
    expect([await unread(), await unread(staff)]).toEqual([[], []]);
  });

  it('is of the acting team alone: staff read it, others are FORBIDDEN', async () => {
    const id = await book(await listing(), '2027-01-15', '2027-01-17');
    expect(idsIn(ok(await readToday(await s.person('STAFF', team_id)))).arrivals).toEqual([id]);
    expect(idsIn(ok(await readToday(s.otherHost))).arrivals).not.toContain(id);
    for (const who of [s.guest, await s.person('CUSTOMER', team_id)])
      expect(refusal(await readToday(who)).code).toBe('FORBIDDEN');
    const asked = { token: s.otherHost.token, team: team_id };
    expect(refusal(await s.call('GET', '/api/v1/today', asked)).code).toBe('FORBIDDEN');
  });
});
