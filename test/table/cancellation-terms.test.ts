import fc from 'fast-check';
import { beforeAll, expect, it } from 'vitest';
import { auditBooking } from '../../shared/domain/audit/index.ts';
import { cancelBooking, getCancellation, getFolio, takePayment } from '../../shared/domain/booking/index.ts';
import type { Cancellation } from '../../shared/domain/booking/booking.schema.ts';
import { instantText } from '../../shared/platform/time/clock.ts';
import { confirmCheckout } from '../../shared/domain/checkout/confirm-checkout.ts';
import { type PaymentScene, paymentScene } from '../support/payment-scene.ts';
import { randomTerms } from '../support/random-terms.ts';
import { testStart } from '../support/table.ts';

const hour = 3_600_000;
const checkIn = Date.parse('2027-02-04T14:00:00+07:00');

let s: PaymentScene;
beforeAll(async () => {
  s = await paymentScene();
});

const booked = fc.record({
  homes: fc.array(fc.record({ terms: randomTerms, full_rate: fc.integer({ min: 1, max: 999_999 }) }), {
    minLength: 1,
    maxLength: 2,
  }),
  isOnline: fc.boolean(),
  /** Taken at the desk, in thousandths of what one stay costs, for the stay at that place. */
  parts: fc.array(fc.record({ of: fc.nat(1), share: fc.integer({ min: 1, max: 700 }) }), { maxLength: 3 }),
  /** When it is cancelled: before or after a step of the first home, or at any time. */
  moment: fc.oneof(
    fc.record({ place: fc.nat(4), shift: fc.constantFrom(-1, 0, 1) }),
    fc.integer({ min: -480 * hour, max: -1 }),
  ),
});

/** One mixture for each of: everything refunded, a part, nothing. */
const certain = [100, 50, 0].map((refund_percent) => ({
  homes: [{ terms: [{ until_hours_before: 0, refund_percent, keep_nights: 0 }], full_rate: 500_000 }],
  isOnline: true,
  parts: [],
  moment: -24 * hour,
}));

const saidOf = ({ schedule }: Cancellation, moment: number): number | undefined =>
  schedule.find(({ until }) => until === null || moment <= Date.parse(until))?.refund;

const isSorted = (numbers: readonly number[]) =>
  numbers.every((number, at) => at === 0 || number <= numbers[at - 1]!);

/** Nothing publishes the events of this test. */
const findings = async (id: number) =>
  (await auditBooking(s.deps, id)).findings.filter(({ rule }) => rule !== 'event-not-in-feed');

it('refunds what was answered before, for every mixture of terms, payments and instants', async () => {
  const seen = new Set<string>();
  await fc.assert(
    fc.asyncProperty(booked, async ({ homes, isOnline, parts, moment }) => {
      s.clock.set(testStart);
      const listings = await Promise.all(
        homes.map(({ terms, full_rate }) => s.listing({ cancellation_terms: terms, full_rate })),
      );
      const { master_reservation_id: id, reservations } = isOnline
        ? await s.confirm(listings, 'tok_ok')
        : await confirmCheckout(s.guest, { items: s.items(...listings), payment_method: 'CASH' });
      for (const { of, share } of parts) {
        const stay = reservations[of] ?? reservations[0]!;
        const amount = Math.ceil((stay.total_price * share) / 1000);
        await takePayment(s.owner, stay.id, { amount, method: 'CASH', overpaid: true });
      }
      const before = await getCancellation(s.guest, id);
      const refunds = before.schedule.map(({ refund }) => refund);
      expect(isSorted(refunds)).toBe(true);
      expect(refunds[0]).toBeLessThanOrEqual(before.paid);
      expect(refunds.at(-1)).toBeGreaterThanOrEqual(0);
      const [{ terms }] = homes as [(typeof homes)[number]];
      const until = typeof moment === 'number' ? 0 : terms[moment.place % terms.length]!.until_hours_before;
      const shift = typeof moment === 'number' ? moment : moment.shift;
      const now = Math.max(Date.parse(testStart), checkIn - until * hour + shift);
      s.clock.set(instantText(now));
      const quoted = await getCancellation(s.guest, id);
      const { refund, amount_due } = await cancelBooking(s.guest, id);
      expect(refund).toEqual(quoted.refund_now);
      expect([saidOf(before, now), saidOf(quoted, now)]).toEqual([refund.amount, refund.amount]);
      expect(amount_due).toBe(0);
      for (const stay of reservations) expect((await getFolio(s.owner, stay.id)).balance).toBe(0);
      seen.add(refund.amount === 0 ? 'nothing' : refund.amount === before.paid ? 'all' : 'a part');
      await s.reconcile();
      expect(await findings(id)).toEqual([]);
    }),
    { numRuns: 150, examples: certain.map((mixture): [typeof mixture] => [mixture]) },
  );
  expect(seen).toEqual(new Set(['nothing', 'all', 'a part']));
}, 120_000);

it('sends a part of a charge back through the gateway, once', async () => {
  s.clock.set(testStart);
  const home = await s.listing({
    cancellation_terms: [{ until_hours_before: 0, refund_percent: 50, keep_nights: 1 }],
  });
  const { master_reservation_id: id } = await s.confirm([home], 'tok_ok');
  const { charged } = s.money(id);
  const { refund } = await s.cancel(id);
  expect(refund).toEqual({ amount: (charged - 1_000_000) / 2, status: 'PENDING' });
  for (let again = 0; again < 3; again++) await s.reconcile();
  expect(s.money(id).back).toBe(refund.amount);
  expect(await s.booking(id)).toMatchObject({ payment_status: 'PAID', amount_refunded: refund.amount });
  expect(await findings(id)).toEqual([]);
});
