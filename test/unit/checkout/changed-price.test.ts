import fc from 'fast-check';
import { isDeepStrictEqual } from 'node:util';
import { describe, expect, it } from 'vitest';
import type { Reservation } from '../../../shared/domain/booking/reservation.entity.ts';
import { changeOf, moneyOf } from '../../../shared/domain/checkout/change-money.ts';
import { changedRequest, keptTimes } from '../../../shared/domain/checkout/change.rules.ts';
import type { PlannedChange } from '../../../shared/domain/checkout/planned-change.ts';
import { soldAt } from '../../../shared/domain/pricing/kept-price.rules.ts';
import { quoteItem } from '../../../shared/domain/pricing/quote-item.rules.ts';
import type { CheckoutItem, ItemQuote } from '../../../shared/domain/pricing/quote.schema.ts';
import type { RateCard } from '../../../shared/domain/pricing/rate-card.rules.ts';
import type { Context } from '../../../shared/platform/context.ts';
import { money, sum, toNumber } from '../../../shared/platform/money.ts';
import { addDays } from '../../../shared/platform/time/time.ts';
import { listing, rule, service } from '../pricing/cards.ts';

const first = '2027-03-01';
const bookedAt = Date.UTC(2027, 1, 1);
const changedAt = Date.UTC(2027, 1, 27);

const card = fc.record({
  rate: fc.integer({ min: 1, max: 3000 }).map((thousands) => thousands * 1000),
  weekend: fc.integer({ min: 0, max: 3000 }).map((thousands) => thousands * 1000),
  special: fc.option(fc.integer({ min: 0, max: 40 })),
  cleaning: fc.constantFrom(0, 200_000, 333_333),
  early: fc.constantFrom(0, 150_000),
  late: fc.constantFrom(0, 250_000),
  checkIn: fc.constantFrom('14:00:00', '15:00:00'),
  adult: fc.constantFrom(0, 100_000),
  monthly: fc.constantFrom(0, 0, 9_999_999),
  lastMinute: fc.constantFrom(0, 10, 33.33),
  flat: fc.constantFrom(false, false, false, true),
  breakfast: fc.boolean(),
});
type Card = typeof card extends fc.Arbitrary<infer Value> ? Value : never;

const rateCard = (given: Card): RateCard => ({
  listing: listing({
    full_rate: given.rate,
    prices_by_week: { '5': given.weekend, '6': given.weekend },
    cleaning_fee: given.cleaning,
    early_check_in_fee: given.early,
    late_check_out_fee: given.late,
    standard_check_in_time: given.checkIn,
    flexible_check_in_time: '09:00:00',
    flexible_check_out_time: '18:00:00',
    extra_adult_rate: given.adult,
    guest_included_in_rate: 2,
    maximum_guest: 9,
    monthly_price: given.monthly,
    last_minute_hour: 96,
    last_minute_discount: given.lastMinute,
    commission_rate: 0.15,
    currency: 'VND',
  }),
  rules: [
    ...(given.special === null
      ? []
      : [
          rule({
            id: 7,
            date_type: 'SPECIFIC_DATE',
            date_from: addDays(first, given.special),
            price: 7_000_000,
          }),
        ]),
    ...(given.flat
      ? [rule({ id: 8, date_type: 'ALWAYS', charge_unit: 'PER_BOOKING', price: 4_321_000, priority: 9 })]
      : []),
  ],
  combos: [],
  services: given.breakfast
    ? [service({ id: 81, price: 50_000, price_unit: 'per_night', is_required: true })]
    : [],
});

const dates = fc.record({
  from: fc.integer({ min: 0, max: 9 }),
  nights: fc.oneof(
    { arbitrary: fc.integer({ min: 1, max: 7 }), weight: 9 },
    fc.integer({ min: 28, max: 33 }),
  ),
});
const itemOf = ({ from, nights }: { from: number; nights: number }, guests: number): CheckoutItem => ({
  listing_id: listing().id,
  check_in_date: addDays(first, from),
  check_out_date: addDays(first, from + nights),
  guest_number: guests,
});

const cases = fc.record({
  before: card,
  after: card,
  booked: dates,
  asked: dates,
  guests: fc.integer({ min: 1, max: 6 }),
  guestsAfter: fc.integer({ min: 1, max: 6 }),
  from: fc.constantFrom(null, '09:00:00', '15:00:00'),
  to: fc.constantFrom(null, '12:00:00', '18:00:00'),
  paid: fc.constantFrom('PENDING', 'PART', 'PAID', 'ONLINE', 'PARTNER'),
});

type Drawn = typeof cases extends fc.Arbitrary<infer Value> ? Value : never;

/** A booked stay and its change, priced. */
const changeOfCase = ({ before, after, booked, asked, guests, guestsAfter, from, to }: Drawn) => {
  const request = { ...itemOf(booked, guests), check_in_time: from, check_out_time: to };
  const sold = quoteItem({ rateCard: rateCard(before), item: request, now: bookedAt });
  const { check_in_date, check_out_date, guest_number } = itemOf(asked, guestsAfter);
  const body = { check_in_date, check_out_date, guest_number };
  const soldStay = { request, quote: sold };
  const next = changedRequest(soldStay, body);
  const kept = keptTimes(soldStay, next, body);
  const present = { rateCard: rateCard(after), item: next, now: changedAt, kept };
  return { sold, quote: quoteItem({ ...present, keepPrice: soldAt(sold) }), anew: quoteItem(present) };
};

const nightsOf = (quote: ItemQuote) => quote.lines.filter(({ kind }) => kind === 'night');
const isFlat = (quote: ItemQuote) => quote.lines.some(({ kind }) => kind === 'package');
const ctx = {
  caller: { kind: 'system', name: 'test' },
  clock: { now: () => changedAt },
} as unknown as Context;

const plannedOf = (sold: ItemQuote, quote: ItemQuote, paid: string): PlannedChange => {
  const part = Math.floor(sold.total / 2);
  const byGateway = { payment_id: 16, reference: 't' } as const;
  const payments: Record<string, object> = {
    PART: { ...byGateway, amount: part },
    ONLINE: { ...byGateway, amount: sold.total },
    PAID: { collected_by: 'HOST', amount: sold.total },
    PARTNER: { collected_by: 'PARTNER', amount: sold.total },
  };
  const before = {
    ...{ reservation_id: 17, order_id: 16, team_id: 1, total: sold.total, currency: 'VND' },
    ...{ payment_method: 'CASH', payment_status: paid === 'PENDING' || paid === 'PART' ? 'PENDING' : 'PAID' },
    ...(payments[paid] ? { postings: [{ kind: 'payment', at: 0, ...payments[paid] }] } : {}),
  } as unknown as Reservation;
  const difference = toNumber(money(quote.total).minus(sold.total));
  return {
    ...{ before, sold, quote, difference },
    ...{ item: { request: {} }, request: {} },
  } as unknown as PlannedChange;
};

const sumOf = (amounts: readonly number[]): number => toNumber(sum(amounts.map((amount) => money(amount))));
const feesOf = ({ cleaning_fee, extra_guest_fee, extra_services_total }: ItemQuote): number[] => [
  cleaning_fee,
  extra_guest_fee,
  extra_services_total,
];
const timeFeesOf = ({ early_check_in_fee, late_check_out_fee }: ItemQuote): number[] => [
  early_check_in_fee,
  late_check_out_fee,
];

/** The lines of a stay of which each night costs what it was sold at, or what it costs now. */
const expectedNights = (sold: ItemQuote, anew: ItemQuote) => {
  const before = new Map(nightsOf(sold).map((line) => [line.date, line]));
  return nightsOf(anew).map((line) => before.get(line.date) ?? line);
};

/** Returns the rules that a random change breaks. */
const brokenBy = (drawn: Drawn, { sold, quote, anew }: ReturnType<typeof changeOfCase>): string[] => {
  const isSame = sold.check_in_date === quote.check_in_date && sold.check_out_date === quote.check_out_date;
  const isPriced = isSame
    ? quote.base_price === sold.base_price && quote.total_discount === sold.total_discount
    : isDeepStrictEqual(
        nightsOf(quote),
        isFlat(anew) || isFlat(sold) ? nightsOf(anew) : expectedNights(sold, anew),
      );
  const planned = plannedOf(sold, quote, drawn.paid);
  const changed = moneyOf(ctx, planned);
  const { difference, refund, amount_due: due } = changeOf(planned, changed);
  const { before } = planned;
  const collected = sumOf(
    changed.payment.postings.filter(({ kind }) => kind === 'payment').map(({ amount }) => amount),
  );
  const paid = sumOf((before.postings ?? []).map(({ amount }) => amount));
  const rules = {
    'the lines add up': sumOf(quote.lines.map(({ amount }) => amount)) === quote.total,
    'no amount is negative': Math.min(quote.total, quote.base_price, quote.total_discount) >= 0,
    'nights that stay cost what they were sold at': isPriced,
    'fees are of now': isDeepStrictEqual(feesOf(quote), feesOf(anew)),
    'named times beyond the standard ones cost what they cost now': isDeepStrictEqual(timeFeesOf(quote), [
      drawn.from === '09:00:00' ? drawn.after.early : 0,
      drawn.to === '18:00:00' ? drawn.after.late : 0,
    ]),
    'the difference is that of the prices': difference === quote.total - sold.total,
    'what was paid, less what goes back, and what is due are the price':
      paid + collected - refund.amount + due === quote.total,
    'nothing is posted where the price stays': difference !== 0 || changed.payment.postings.length === 0,
    'a paid stay has nothing due, an unpaid one gets nothing back':
      (changed.payment.payment_status === 'PAID' ? due : refund.amount) === 0,
  };
  return Object.entries(rules).flatMap(([rule, holds]) => (holds ? [] : [rule]));
};

describe('10,000 random changes', () => {
  it('keep the price of nights that stay, and refund or ask for exactly the difference', () => {
    let [kept, cheaper, dearer] = [0, 0, 0];
    fc.assert(
      fc.property(cases, (drawn) => {
        const found = changeOfCase(drawn);
        const broken = brokenBy(drawn, found);
        if (broken.length > 0) throw new Error(broken.join('; '));
        const { sold, quote } = found;
        if (sold.check_in_date < quote.check_out_date && quote.check_in_date < sold.check_out_date) kept++;
        if (quote.total < sold.total) cheaper++;
        if (quote.total > sold.total) dearer++;
      }),
      { numRuns: 10_000, seed: 84 },
    );
    expect(Math.min(kept, cheaper, dearer)).toBeGreaterThan(2000);
  }, 60_000);
});
