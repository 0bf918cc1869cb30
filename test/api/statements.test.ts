import { describe, expect, it } from 'vitest';
import type * as z from 'zod';
import type { bookingRoutes } from '../../functions/bookings/routes.ts';
import { ownerTeam, stayList } from '../../shared/domain/booking/booking-list.store.ts';
import type { Listing } from '../../shared/domain/listing/listing.entity.ts';
import { packList } from '../../shared/platform/lists/index.ts';
import {
  guest_info,
  nights,
  ok,
  type ReplyOf,
  refusal,
  stay,
  stopClock,
  useOrderScene,
  type Who,
} from '../support/order-scene.ts';
import { testTeam } from '../support/table.ts';

type Statement = z.output<(typeof bookingRoutes)['routes']['readStatement']['reply']>;

const s = useOrderScene();
const price = 2_200_000;

const statement = (month: string, who: Who, query: object = {}) =>
  s.get<Statement>(who, '/api/v1/statements', { month, ...query });
const rowsOf = async (month: string, who: Who) => ok(await statement(month, who)).rows;

/** A team of its own with its owner and one home. */
const ownTeam = async (given: Partial<Listing> = {}) => {
  const { team_id } = await testTeam(s.deps);
  const host = await s.person('OWNER', team_id);
  const home = await s.listing({ team_id, created_at: '2026-01-01T00:00:00.000Z', ...given });
  const post = (id: number, verb: string, body: object = {}): Promise<ReplyOf<unknown>> =>
    s.call('POST', `/api/v1/bookings/${id}/${verb}`, { ...host, body });
  const book = async (from: string, to: string): Promise<number> => {
    const items = [stay(home, nights(from, to))];
    return ok(await s.confirm(await s.person(), { items, payment_method: 'CASH' }), 201).reservations[0]!.id;
  };
  return { team_id, host, home, post, book };
};

describe('GET /statements', () => {
  it('sums what the month has posted: prices with their commission, charges, money and refunds', async () => {
    const { host, home, post, book } = await ownTeam();
    const [kept, gone] = [await book('2027-02-10', '2027-02-12'), await book('2027-01-30', '2027-02-02')];
    ok(await post(kept, 'payments', { amount: price, method: 'CASH' }), 201);
    ok(await post(kept, 'charges', { label: 'Minibar', amount: 60_000 }), 201);
    ok(await post(gone, 'payments', { amount: 500_000, method: 'CASH' }), 201);
    const [january] = await rowsOf('2027-01', host);
    const gross = january!.gross;
    expect(january).toMatchObject({
      ...{ listing_id: home.id, currency: 'VND', nights_sold: 2, nights_available: 31, occupancy: 0.0645 },
      ...{ charges: 60_000, fees: 0, commission: gross * 0.15, net: gross * 0.85 + 60_000 },
      ...{ balance: gross + 60_000 - price - 500_000, cash_on_hand: price + 500_000, to_return: 0 },
    });
    expect(january!.collected[0]).toEqual({ collector: 'HOST', payments: price + 500_000, refunds: 0 });
    stopClock('2027-02-01T03:00:00.000Z');
    ok(await post(gone, 'no-show'));
    ok(await post(gone, 'refunds', { amount: 200_000, reason: 'Goodwill' }), 201);
    const [february] = await rowsOf('2027-02', host);
    expect(february).toMatchObject({
      ...{ nights_sold: 2, nights_available: 28, room_revenue: price, adr: price / 2 },
      ...{ gross: price - gross, charges: 0, fees: 300_000, commission: (price - gross) * 0.15 },
      ...{ cash_on_hand: 0, to_return: 200_000 },
    });
    expect(february!.collected[0]).toEqual({ collector: 'HOST', payments: 0, refunds: 200_000 });
    // What was sold of January and did not take place is no night any more.
    expect((await rowsOf('2027-01', host))[0]).toMatchObject({ nights_sold: 0, gross });
    ok(await post(gone, 'refunds/4/returned'));
    expect((await rowsOf('2027-02', host))[0]).toMatchObject({ cash_on_hand: -200_000, to_return: 0 });
  });

  it('has what a partner has collected, and what a gateway did', async () => {
    const { team_id, host, home } = await ownTeam({ commission_rate: 0 });
    const collecting = await s.partner({ team_ids: [team_id], collects_payment: true });
    const asked = { guest_info, payment_method: 'CASH', items: [stay(home)] };
    ok(await s.bookOut(collecting, asked), 201);
    const items = [stay(home, nights('2027-02-20', '2027-02-22'))];
    const token = { payment_method: 'ONLINE_GATEWAY', payment_gateway_token: 'tok_ok' };
    ok(await s.confirm(s.guest, { items, ...token }), 201);
    const [row] = await rowsOf('2027-01', host);
    expect(row).toMatchObject({ gross: 2 * price, commission: 0, net: 2 * price, balance: 0 });
    expect(row).toMatchObject({ cash_on_hand: 0, nights_sold: 0, adr: null, revpar: 0 });
    expect(row!.collected).toEqual([
      { collector: 'HOST', payments: 0, refunds: 0 },
      { collector: 'PARTNER', payments: price, refunds: 0 },
      { collector: 'GATEWAY', payments: price, refunds: 0 },
      { collector: 'PLATFORM', payments: 0, refunds: 0 },
    ]);
  });

  it('is the same from packed lists, also of a month that has ended, without what was booked later', async () => {
    const { team_id, host, post, book } = await ownTeam();
    const first = await book('2027-02-10', '2027-02-12');
    stopClock('2027-02-03T03:00:00.000Z');
    const second = await book('2027-02-20', '2027-02-22');
    ok(await post(second, 'payments', { amount: price, method: 'CASH' }), 201);
    stopClock('2027-03-05T03:00:00.000Z');
    ok(await post(first, 'payments', { amount: 100_000, method: 'CASH' }), 201);
    await book('2027-03-20', '2027-03-22');
    const months = ['2027-01', '2027-02', '2027-03', '2027-04'];
    const read = () => Promise.all(months.map((month) => rowsOf(month, host)));
    const plain = await read();
    expect(plain.map(([row]) => [row!.gross, row!.nights_sold, row!.cash_on_hand])).toEqual([
      [price, 0, 0],
      [price, 4, price],
      [price, 2, 100_000],
      [0, 0, 0],
    ]);
    await packList(s.deps, { ...stayList, packedFrom: 1 }, ownerTeam(team_id), []);
    expect(await read()).toEqual(plain);
    await book('2027-03-24', '2027-03-26');
    expect((await rowsOf('2027-03', host))[0]).toMatchObject({ gross: 2 * price, nights_sold: 4 });
  });

  it('is of the acting team alone, and for its owners', async () => {
    const { team_id, host, home, book } = await ownTeam();
    await book('2027-02-10', '2027-02-12');
    const other = await ownTeam();
    expect((await rowsOf('2027-01', other.host)).map(({ listing_id }) => listing_id)).toEqual([
      other.home.id,
    ]);
    expect((await rowsOf('2027-01', host)).map(({ listing_id }) => listing_id)).toEqual([home.id]);
    for (const role of ['MANAGER', 'STAFF', 'CUSTOMER'] as const)
      expect(refusal(await statement('2027-01', await s.person(role, team_id))).code).toBe('FORBIDDEN');
  });

  it('of a month without bookings has the active listings, of a team without listings nothing', async () => {
    const { host, home } = await ownTeam();
    expect(await rowsOf('2026-03', host)).toMatchObject([
      { listing_id: home.id, nights_sold: 0, nights_available: 31, occupancy: 0, gross: 0, balance: 0 },
    ]);
    const { team_id } = await testTeam(s.deps);
    expect(await rowsOf('2026-03', await s.person('OWNER', team_id))).toEqual([]);
  });

  it('refuses what is no month, and months in which nothing can be booked yet', async () => {
    const { host } = await ownTeam();
    for (const month of ['2027-13', '2027-1', '2027-02-01', '1999-12', '2029-02', 'x'])
      expect(refusal(await statement(month, host))).toMatchObject({
        ...{ code: 'VALIDATION_ERROR', paths: ['month'] },
      });
    expect(await rowsOf('2029-01', host)).toHaveLength(1);
    expect(refusal(await s.get(host, '/api/v1/statements')).paths).toEqual(['month']);
    expect(refusal(await statement('2027-01', host, { format: 'xml' })).paths).toEqual(['format']);
  });

  it('is CSV with format=csv', async () => {
    const { host, home, book } = await ownTeam({ name: 'Nhà "Gió", Đà Lạt' });
    await book('2027-01-20', '2027-01-22');
    const reply = await statement('2027-01', host, { format: 'csv' });
    expect(reply.status).toBe(200);
    expect(reply.headers).toMatchObject({
      'content-type': 'text/csv; charset=utf-8',
      'content-disposition': 'attachment; filename="statement-2027-01.csv"',
      'cache-control': 'no-store',
    });
    const [header, row, end] = reply.text.split('\r\n');
    expect(header).toMatch(/^\uFEFFmonth,listing_id,listing_name,currency,nights_sold,/);
    expect(row).toContain(`2027-01,${home.id},"Nhà ""Gió"", Đà Lạt",VND,2,31,0.0645,`);
    expect(end).toBe('');
  });
});
