import { expect, it } from 'vitest';
import type * as z from 'zod';
import type { bookingRoutes } from '../../functions/bookings/routes.ts';
import type { Listing } from '../../shared/domain/listing/listing.entity.ts';
import { moveDueBookings, reconcilePayments } from '../../shared/domain/payment/index.ts';
import {
  guest_info,
  nights,
  ok,
  type ReplyOf,
  stay,
  stopClock,
  useOrderScene,
  type Who,
} from '../support/order-scene.ts';
import { testTeam } from '../support/table.ts';

type Statement = z.output<(typeof bookingRoutes)['routes']['readStatement']['reply']>;
type Row = Statement['rows'][number];

const s = useOrderScene();

/** Ten days before check-in all of the price goes back, then half of it until the day before. */
const steps = [
  { until_hours_before: 240, refund_percent: 100, keep_nights: 0 },
  { until_hours_before: 24, refund_percent: 50, keep_nights: 0 },
];

/** What two nights cost. */
const price = 2_200_000;
const months = ['2027-01', '2027-02', '2027-03'] as const;
type Month = (typeof months)[number];
type Purse = 'cash' | 'bank' | 'partner' | 'gateway' | 'held';

/** Where the money is, as a host with a cash box, an account and a pencil writes it down. */
const books = () => {
  let month: Month = months[0];
  const of = new Map<string, number>();
  return {
    at: (instant: string): void => {
      stopClock(instant);
      month = instant.slice(0, 7) as Month;
    },
    add: (purse: Purse, amount: number): void =>
      void of.set(`${month} ${purse}`, (of.get(`${month} ${purse}`) ?? 0) + amount),
    of: (one: Month, purse: Purse): number => of.get(`${one} ${purse}`) ?? 0,
  };
};

const sum = (amounts: readonly number[]): number => amounts.reduce((all, one) => all + one, 0);
const rowsOf = async (month: Month, who: Who): Promise<Row[]> =>
  ok(await s.get<Statement>(who, '/api/v1/statements', { month })).rows;

/** What the rows of a month say of the money of a collector. */
const collectedBy = (rows: readonly Row[], collector: string): number =>
  sum(
    rows
      .flatMap(({ collected }) => collected)
      .filter((one) => one.collector === collector)
      .map(({ payments, refunds }) => payments - refunds),
  );

const report = async (reference: string | number): Promise<void> => {
  const { server } = s.deps.sandbox;
  server.decide(server.find(reference)!, 'success');
  const { path, headers, body } = s.deps.sandbox.notificationOf(server.find(reference)!);
  ok(await s.call('POST', path, { headers, body }));
};

const home = (team_id: number, given: Partial<Listing> = {}) =>
  s.listing({ team_id, created_at: '2026-01-01T00:00:00.000Z', ...given });

it('the months of a host end with statements that equal the bank, the cash box, the partner and the gateway', async () => {
  const { team_id } = await testTeam(s.deps);
  const host = await s.person('OWNER', team_id);
  const post = <Body = { id: number }>(path: string, body?: object, status = 201): Promise<Body> =>
    s
      .call('POST', `/api/v1/bookings${path}`, { ...host, ...(body && { body }) })
      .then((reply) => ok(reply as ReplyOf<Body>, status));
  const { at, add, of } = books();
  at('2027-01-15T03:00:00.000Z');
  const terms = { refund_rule: 'By steps', cancellation_terms: [...steps] };
  const [villa, suite, plan, loft] = [
    await home(team_id, { security_deposit: 500_000, refund_rule: 'Full refund until check-in' }),
    await home(team_id, { full_rate: 1_500_000, refund_rule: 'Full refund until 5 days before check-in' }),
    await home(team_id, { deposit_percent: 30, ...terms }),
    await home(team_id, terms),
  ];
  const bookBy = async (who: Who, where: Listing, dates: object, how: object): Promise<number> =>
    ok(await s.confirm(who, { items: [stay(where, dates)], ...how }), 201).reservations[0]!.id;
  const cash = { payment_method: 'CASH' };

  // A regular guest haggles on the telephone, and pays a part at once.
  const haggled = (
    await post<{ reservations: { id: number }[] }>('', {
      ...{ items: [stay(villa, nights('2027-01-20', '2027-01-22'))], guest_info, ...cash },
      adjustments: [{ label: 'Regular guest', percent: -10, reason: 'DISCOUNT' }],
    })
  ).reservations[0]!.id;
  await post(`/${haggled}/payments`, { amount: 500_000, method: 'BANK_TRANSFER', reference: 'FT 2207' });
  add('bank', 500_000);

  // Another is moved to a better home at the price of before.
  const moved = await bookBy(s.guest, villa, nights('2027-01-25', '2027-01-27'), cash);
  await post(`/${moved}/payments`, { amount: price, method: 'BANK_TRANSFER' });
  add('bank', price);
  await post(`/${moved}/change`, { listing_id: suite.id, price: 'KEEP' }, 200);

  // One pays all before the stay, one a part and does not come.
  const cold = await bookBy(s.guest, villa, nights('2027-02-10', '2027-02-12'), cash);
  await post(`/${cold}/payments`, { amount: price, method: 'BANK_TRANSFER' });
  add('bank', price);
  const missed = await bookBy(s.other, suite, nights('2027-02-03', '2027-02-05'), cash);
  await post(`/${missed}/payments`, { amount: 1_000_000, method: 'CASH' });
  add('cash', 1_000_000);

  // A platform sells a stay and collects it.
  const collecting = await s.partner({ team_ids: [team_id], collects_payment: true });
  const { reservations: ofPartner = [] } = ok(
    await s.bookOut(collecting, {
      items: [stay(villa, nights('2027-02-14', '2027-02-16'))],
      guest_info,
      ...cash,
    }),
    201,
  );
  const sold = ofPartner[0]!.id;
  add('partner', price);

  // One pays a deposit online, one all, who cancels later.
  const online = { payment_method: 'ONLINE_GATEWAY' };
  const planned = await bookBy(s.guest, plan, nights('2027-02-20', '2027-02-22'), online);
  await report(planned - (planned % 16));
  add('gateway', 660_000);
  const token = { ...online, payment_gateway_token: 'tok_ok' };
  const given = await bookBy(s.other, loft, nights('2027-03-10', '2027-03-12'), token);
  add('gateway', price);

  at('2027-01-20T08:00:00.000Z');
  await post(`/${haggled}/check-in`, undefined, 200);
  await post(`/${haggled}/security-deposit`, { action: 'TAKE', amount: 500_000, method: 'CASH' });
  await post(`/${haggled}/payments`, { amount: 1_480_000, method: 'CASH' });
  add('cash', 500_000 + 1_480_000);
  add('held', 500_000);
  await post(`/${haggled}/charges`, { label: 'Minibar', amount: 30_000, quantity: 2 });
  at('2027-01-22T04:00:00.000Z');
  await post(`/${haggled}/mark-paid`, undefined, 200);
  add('cash', 60_000);
  // A lamp is broken.
  await post(`/${haggled}/security-deposit`, { action: 'KEEP', amount: 200_000, note: 'A broken lamp' });
  await post(`/${haggled}/security-deposit`, { action: 'RETURN', amount: 300_000, method: 'CASH' });
  add('cash', -300_000);
  add('held', -500_000);
  await post(`/${haggled}/check-out`, undefined, 200);

  at('2027-02-04T03:00:00.000Z');
  await post(`/${missed}/no-show`, undefined, 200);
  await post(`/${missed}/refunds`, {
    ...{ amount: 300_000, reason: 'Goodwill', method: 'BANK_TRANSFER', returned: true },
  });
  add('bank', -300_000);

  // The shower was cold; it is made good in cash.
  at('2027-02-12T05:00:00.000Z');
  await post(`/${cold}/adjustments`, { label: 'Cold shower', amount: -400_000, reason: 'GOODWILL' }, 200);
  await post(`/${cold}/refunds/3/returned`, { method: 'CASH' }, 200);
  add('cash', -400_000);

  at('2027-02-14T08:00:00.000Z');
  await post(`/${sold}/charges`, { label: 'Laundry', amount: 50_000 });
  await post(`/${sold}/payments`, { amount: 50_000, method: 'CASH' });
  add('cash', 50_000);

  // The balance falls due by itself and is paid on its page.
  at('2027-02-17T07:00:00.000Z');
  expect(await moveDueBookings(s.deps)).toMatchObject({ balance_due: 1, cancelled: 0, failed: 0 });
  const page = await post<{ payment_id: number; amount: number }>(`/${planned}/payment-page`);
  expect(page.amount).toBe(price - 660_000);
  await report(page.payment_id);
  add('gateway', price - 660_000);

  at('2027-03-05T03:00:00.000Z');
  expect(ok(await s.cancel(s.other, given)).refund).toEqual({ amount: price / 2, status: 'PENDING' });
  await reconcilePayments(s.deps);
  add('gateway', -price / 2);

  for (const month of months) {
    const rows = await rowsOf(month, host);
    expect(sum(rows.map(({ cash_on_hand }) => cash_on_hand)), `${month} cash`).toBe(of(month, 'cash'));
    expect(collectedBy(rows, 'HOST'), `${month} host`).toBe(
      of(month, 'cash') + of(month, 'bank') - of(month, 'held'),
    );
    expect(collectedBy(rows, 'PARTNER'), `${month} partner`).toBe(of(month, 'partner'));
    expect(collectedBy(rows, 'GATEWAY'), `${month} gateway`).toBe(of(month, 'gateway'));
    expect(sum(rows.map(({ to_return }) => to_return)), `${month} to return`).toBe(0);
  }
  const all = (await Promise.all(months.map((month) => rowsOf(month, host)))).flat();
  const payable = sum(all.map(({ gross, charges, fees }) => gross + charges + fees));
  const money = sum(
    months.flatMap((month) =>
      (['cash', 'bank', 'partner', 'gateway'] as const).map((purse) => of(month, purse)),
    ),
  );
  expect(payable).toBe(money);
  expect(sum(all.map(({ balance }) => balance))).toBe(0);
});
