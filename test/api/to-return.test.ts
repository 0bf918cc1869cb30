import { beforeEach, describe, expect, it } from 'vitest';
import type * as z from 'zod';
import type { bookingRoutes } from '../../functions/bookings/routes.ts';
import { manyStays, storeStays } from '../support/many-stays.ts';
import { folioCalls, stayPrice as price } from '../support/folio-calls.ts';
import {
  advanceMinutes,
  ok,
  refusal,
  type ReplyOf,
  stay,
  stopClock,
  useOrderScene,
  type Who,
} from '../support/order-scene.ts';
import { testTeam } from '../support/table.ts';

type Routes = (typeof bookingRoutes)['routes'];
type Row = z.output<Routes['listTeamBookings']['reply']>['items'][number];
type Detail = z.output<Routes['getBooking']['reply']>;
type Today = z.output<Routes['readToday']['reply']>;

const s = useOrderScene();
const { folio, requireSound } = folioCalls(s);
const deposit = 500_000;
let team: number;
let host: Who & { token: string };
beforeEach(async () => {
  ({ team_id: team } = await testTeam(s.deps));
  host = await s.person('OWNER', team);
});

/** The check-in of `stay` has come, some hours ago. */
const arrive = async (hours = 0): Promise<void> => {
  stopClock('2027-02-10T08:00:00.000Z');
  advanceMinutes(60 * hours);
  host = await s.person('OWNER', team);
};

const home = () => s.listing({ team_id: team, security_deposit: deposit });
const bookAll = async (count: number): Promise<{ id: number; reservations: { id: number }[] }> => {
  const items = await Promise.all(Array.from({ length: count }, async () => stay(await home())));
  const booked = ok(await s.confirm(s.guest, { items, payment_method: 'CASH' }), 201);
  return { id: booked.master_reservation_id, reservations: booked.reservations };
};
const book = async (): Promise<number> => (await bookAll(1)).reservations[0]!.id;
const post = async (id: number, path: string, body: object = {}, who: Who = host): Promise<void> => {
  const { status } = await s.call('POST', `/api/v1/bookings/${id}/${path}`, { ...who, body });
  expect([200, 201], path).toContain(status);
};
const pay = (id: number) => post(id, 'payments', { amount: price, method: 'CASH' });
const deposits = (id: number, action: string, amount = deposit) =>
  post(id, 'security-deposit', {
    ...{ action, amount },
    ...(action === 'KEEP' ? { note: 'A lamp' } : { method: 'CASH' }),
  });
/** Without a body, which is optional. */
const returned = async (id: number, posting = 3, who: Who = host): Promise<void> =>
  void ok(await s.call('POST', `/api/v1/bookings/${id}/refunds/${posting}/returned`, who));

const rows = async (query: Record<string, string> = {}, who: Who = host): Promise<Row[]> =>
  ok(await s.get<{ items: Row[] }>(who, '/api/v1/bookings', query)).items;
const listed = async (isWanted = true): Promise<number[]> =>
  (await rows({ to_return: String(isWanted) })).map(({ id }) => id);
const detail = async (id: number, who: Who = host): Promise<Detail> =>
  ok(await s.get<Detail>(who, `/api/v1/bookings/${id}`));
const today = async (who: Who = host): Promise<Today['to_return']> =>
  ok(await s.get<Today>(who, '/api/v1/today')).to_return;

/** What the detail, the row and the day say. */
const shown = async (id: number) => {
  const { amount_to_return, deposit_to_return, allowed_actions } = await detail(id);
  const row = (await rows()).find((one) => one.id === id);
  expect(row).toMatchObject({ amount_to_return, deposit_to_return });
  const isOwed = amount_to_return! + deposit_to_return! > 0;
  expect(await listed()).toEqual(isOwed ? [id] : []);
  expect(await listed(false)).toEqual(isOwed ? [] : [id]);
  expect((await today()).map((one) => [one.id, one.amount_to_return, one.deposit_to_return])).toEqual(
    isOwed ? [[id, amount_to_return, deposit_to_return]] : [],
  );
  expect((await folio(id, host)).amount_to_return).toBe(amount_to_return);
  expect(allowed_actions.includes('RETURN_REFUND')).toBe(amount_to_return! > 0);
  return [amount_to_return, deposit_to_return];
};

describe('a refund that the host has to hand over', () => {
  it('is in detail, list and day until it is recorded as returned', async () => {
    const id = await book();
    await pay(id);
    expect(await shown(id)).toEqual([0, 0]);
    await post(id, 'cancel');
    expect(await shown(id)).toEqual([price, 0]);
    advanceMinutes(60 * 24 * 120);
    host = await s.person('OWNER', team);
    expect(await shown(id)).toEqual([price, 0]);
    await returned(id, 3, await s.person('STAFF', team));
    expect(await shown(id)).toEqual([0, 0]);
    await requireSound(id);
  });

  it('of a stay that stands is so too', async () => {
    const id = await book();
    await pay(id);
    await post(id, 'adjustments', { label: 'Cold shower', amount: -200_000, reason: 'GOODWILL' });
    expect(await shown(id)).toEqual([200_000, 0]);
    await post(id, 'refunds/3/returned', { method: 'CASH' });
    expect(await shown(id)).toEqual([0, 0]);
  });

  it('of a master id is the sum of its stays', async () => {
    const { id, reservations } = await bookAll(2);
    for (const one of reservations) await pay(one.id);
    await post(id, 'cancel');
    expect(await detail(id)).toMatchObject({ amount_to_return: 2 * price, deposit_to_return: 0 });
    await returned(reservations[0]!.id);
    expect(await detail(id)).toMatchObject({ amount_to_return: price });
    expect(await listed()).toEqual([reservations[1]!.id]);
  });

  it('is not what a partner refunds', async () => {
    const key = await s.partner({ team_ids: [team], collects_payment: true });
    const one = stay(await home());
    const guest_info = { full_name: 'An', phone: '+84901234567', email: 'an@example.com' };
    const body = { ...one, nights: 2, guest_info, payment_method: 'CASH' };
    const made: ReplyOf<{ id: number }> = await s.call('POST', '/api/v1/external/bookings', { ...key, body });
    const { id } = ok(made, 201);
    await post(id, 'cancel');
    expect(await shown(id)).toEqual([0, 0]);
  });
});

describe('a security deposit that the host holds', () => {
  it('is to be returned or kept once the guest has left', async () => {
    const id = await book();
    await pay(id);
    await deposits(id, 'TAKE');
    await arrive();
    await post(id, 'check-in');
    expect(await shown(id)).toEqual([0, 0]);
    await post(id, 'check-out');
    expect(await shown(id)).toEqual([0, deposit]);
    await deposits(id, 'KEEP', 200_000);
    expect(await shown(id)).toEqual([0, 300_000]);
    await deposits(id, 'RETURN', 300_000);
    expect(await shown(id)).toEqual([0, 0]);
    await requireSound(id);
  });

  it.each(['complete', 'cancel', 'no-show'])('also after %s, beside a refund', async (end) => {
    const id = await book();
    await pay(id);
    await deposits(id, 'TAKE');
    if (end !== 'cancel') await arrive(end === 'no-show' ? 24 : 0);
    if (end === 'complete') {
      await post(id, 'check-in');
      await post(id, 'check-out');
    }
    await post(id, end, end === 'no-show' ? { refund_amount: price } : {});
    expect(await shown(id)).toEqual([end === 'complete' ? 0 : price, deposit]);
  });
});

describe('what is to be handed over', () => {
  const owed = async (): Promise<number> => {
    const id = await book();
    await pay(id);
    await post(id, 'cancel');
    return id;
  };

  it('is known to who reads the folio, and to no one else', async () => {
    const id = await owed();
    const staff = await s.person('STAFF', team);
    expect(await rows({ to_return: 'true' }, staff)).toMatchObject([{ id, amount_to_return: price }]);
    expect(await detail(id, staff)).toMatchObject({ amount_to_return: price });
    expect(await today(staff)).toMatchObject([{ id, amount_to_return: price }]);
    expect(await rows({ to_return: 'true' }, s.otherHost)).toEqual([]);
    const read = await detail(id, s.guest);
    expect([read.amount_to_return, read.deposit_to_return]).toEqual([undefined, undefined]);
    const key = await s.partner({ team_ids: [team] });
    for (const [who, path] of [
      [s.guest, '/api/v1/bookings/my'],
      [key, '/api/v1/external/bookings'],
    ] as const) {
      const all = ok(await s.get<object>(who, path));
      expect(JSON.stringify(all)).toContain(String(id));
      expect(JSON.stringify(all)).not.toContain('to_return');
      expect(refusal(await s.get(who, path, { to_return: 'true' })).code).toBe('VALIDATION_ERROR');
    }
    expect(JSON.stringify(ok(await s.get<object>(key, `/api/v1/external/bookings/${id}`)))).not.toContain(
      'to_return',
    );
  });

  it('is on the day for the last 100 bookings, and in the list for all', async () => {
    const until = s.deps.clock.now() - 24 * 60 * 60_000;
    const stays = manyStays({ team_id: team, count: 130, until, seed: 3 });
    for (const one of stays) one.postings = [{ kind: 'refund', amount: 1000, at: 0, to_return: true }];
    await storeStays(stays);
    const last = stays
      .toSorted(
        (one, other) =>
          one.start_at.localeCompare(other.start_at) || one.reservation_id - other.reservation_id,
      )
      .slice(-100);
    expect((await today()).map(({ id }) => id)).toEqual(last.map((one) => one.reservation_id));
    expect((await rows({ to_return: 'true', limit: '100' })).length).toBe(100);
    expect(ok(await s.get<{ total: number }>(host, '/api/v1/bookings', { to_return: 'true' })).total).toBe(
      130,
    );
  });
});
