import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { nightRates } from '../../../shared/domain/pricing/night-rate.rules.ts';
import type { PricingRule } from '../../../shared/domain/pricing/price-part.schema.ts';
import { tryQuoteItem } from '../../../shared/domain/pricing/quote-item.rules.ts';
import { type CheckoutItem, ItemQuote } from '../../../shared/domain/pricing/quote.schema.ts';
import type { ListingRates, RateCard } from '../../../shared/domain/pricing/rate-card.rules.ts';
import { resolveStay } from '../../../shared/domain/pricing/resolve-stay.rules.ts';
import { fitsMinorUnit, minorDigits, money, sum, toNumber } from '../../../shared/platform/money.ts';
import { addDays, datesBetween } from '../../../shared/platform/time/time.ts';
import { combo, listing, rule, service } from './cards.ts';

const currencies = ['VND', 'USD', 'KWD'] as const;
type Currency = (typeof currencies)[number];
const currency = fc.constantFrom(...currencies);

/** Amounts in minor units up to 9,999,999 of them, zero among them. */
const amount = (code: Currency) =>
  fc
    .oneof(fc.constant(0), fc.integer({ min: 0, max: 9_999_999 }))
    .map((units) => toNumber(money(units).div(money(10).pow(minorDigits(code)))));

/** The same without zero. */
const stated = (code: Currency) => amount(code).filter((price) => price > 0);

const hour = fc.integer({ min: 0, max: 23 }).map((at) => `${String(at).padStart(2, '0')}:00:00`);
const percent = fc.oneof(fc.integer({ min: 0, max: 100 }), fc.constantFrom(12.5, 33.33, 66.667));
const dayOffset = fc.integer({ min: 0, max: 60 });
const firstDay = '2027-02-20';

const rates = (code: Currency): fc.Arbitrary<ListingRates> =>
  fc
    .record({
      // What has no price is not sold: a zero among four is enough.
      full_rate: fc.oneof({ arbitrary: amount(code), weight: 1 }, { arbitrary: stated(code), weight: 1 }),
      minimum_rate: amount(code),
      prices_by_week: fc.dictionary(fc.constantFrom('0', '1', '2', '3', '4', '5', '6'), amount(code)),
      extra_adult_rate: amount(code),
      extra_child_rate: amount(code),
      cleaning_fee: amount(code),
      early_check_in_fee: amount(code),
      late_check_out_fee: amount(code),
      security_deposit: amount(code),
      monthly_price: amount(code),
      commission_rate: fc.constantFrom(0, 0.1, 0.125, 0.15, 0.333, 1),
      last_minute_hour: fc.constantFrom(0, 24, 5000),
      last_minute_discount: percent,
      night_short_discount: fc.integer({ min: 0, max: 70 }),
      checkin_night_short_hour: fc.option(hour),
      checkout_night_short_hour: fc.option(hour),
      flexible_check_in_time: fc.constantFrom(null, '00:00:00', '00:00:00', '10:00:00'),
      flexible_check_out_time: fc.constantFrom(null, '16:00:00', '23:59:59', '23:59:59'),
      allow_hourly_booking: fc.boolean(),
      min_hours: fc.integer({ min: 1, max: 5 }),
      price_first_hours: amount(code),
      extra_hour_price: amount(code),
      price_per_hour: amount(code),
      price_rate_in_day: fc.constantFrom(0, 1, 1.5, 2, 3.333, 10),
      guest_included_in_rate: fc.integer({ min: 0, max: 4 }),
      timezone: fc.constantFrom('Asia/Ho_Chi_Minh', 'America/New_York', 'UTC'),
    })
    .map((fields) => listing({ ...fields, currency: code }));

const pricingRule = (code: Currency): fc.Arbitrary<PricingRule> =>
  fc
    .record({
      id: fc.integer({ min: 1, max: 1000 }),
      date_type: fc.constantFrom('ALWAYS', 'WEEKDAY', 'DATE_RANGE', 'SPECIFIC_DATE'),
      day_of_week: fc.integer({ min: 0, max: 6 }),
      from: dayOffset,
      length: dayOffset,
      charge_unit: fc.constantFrom(
        'PER_NIGHT',
        'PER_NIGHT',
        'PER_BOOKING',
        'PER_HOUR',
        'PACKAGE',
        'PER_MONTH',
      ),
      stay_type: fc.constantFrom('DAY', 'OVERNIGHT', 'ANY'),
      price: amount(code),
      priority: fc.integer({ min: -2, max: 2 }),
      is_active: fc.boolean(),
    })
    .map(({ from, length, ...fields }) =>
      rule({ ...fields, date_from: addDays(firstDay, from), date_to: addDays(firstDay, from + length) }),
    );

const cardOf = (code: Currency): fc.Arbitrary<RateCard> =>
  fc.record({
    listing: rates(code),
    rules: fc.array(pricingRule(code), { maxLength: 5 }),
    services: fc.array(
      fc
        .record({
          id: fc.integer({ min: 1, max: 3 }),
          price: amount(code),
          price_unit: fc.constantFrom('per_use', 'per_night', 'per_person'),
          is_required: fc.boolean(),
        })
        .map(service),
      { maxLength: 3 },
    ),
    combos: fc
      .tuple(amount(code), amount(code), fc.constantFrom('overnight', 'other'))
      .map(([one, other, combo_type]) => [
        combo({ original_price: Math.max(one, other), discounted_price: Math.min(one, other), combo_type }),
      ]),
  });

const asked: fc.Arbitrary<CheckoutItem> = fc
  .record({
    from: dayOffset,
    nights: fc.oneof(fc.integer({ min: 0, max: 4 }), fc.integer({ min: 28, max: 40 })),
    guest_number: fc.integer({ min: 1, max: 6 }),
    children: fc.option(fc.integer({ min: 0, max: 6 })),
    // Times of an overnight stay are mostly outside of what its price covers.
    check_in_time: fc.option(hour, { freq: 2 }),
    check_out_time: fc.option(hour, { freq: 2 }),
    combo_id: fc.oneof(
      { weight: 4, arbitrary: fc.constant(null) },
      { weight: 1, arbitrary: fc.constant(50) },
    ),
    extra_service_ids: fc.uniqueArray(fc.integer({ min: 1, max: 3 }), { maxLength: 2 }),
  })
  .map(({ from, nights, children, guest_number, ...fields }) => ({
    ...fields,
    listing_id: 1,
    guest_number,
    check_in_date: addDays(firstDay, from),
    check_out_date: addDays(firstDay, from + nights),
    ...(children !== null && children <= guest_number
      ? { children_number: children, adult_number: guest_number - children }
      : {}),
  }));

const now = Date.parse('2027-02-20T01:00:00Z');
const request = currency.chain((code) =>
  fc.record({ rateCard: cardOf(code), item: asked, now: fc.constant(now) }),
);

const amountsOf = (quote: ItemQuote): number[] => [
  quote.base_price,
  quote.combo_price ?? 0,
  quote.hourly_price ?? 0,
  quote.daily_price ?? 0,
  quote.night_short_discount,
  quote.last_minute_discount,
  quote.monthly_discount,
  quote.total_discount,
  quote.extra_guest_fee,
  quote.extra_adult_fee,
  quote.extra_child_fee,
  quote.cleaning_fee,
  quote.early_check_in_fee,
  quote.late_check_out_fee,
  quote.extra_services_total,
  quote.earning ?? 0,
  quote.deposit,
  quote.total,
];

const runs = { numRuns: 1500 };

describe('for any listing, rules and request in VND, USD and KWD', () => {
  test('most requests are priced, so that the other properties say something', () => {
    const priced = fc
      .sample(request, { numRuns: 500, seed: 2027 })
      .filter((one) => tryQuoteItem(one).quote !== null);
    expect(priced.length).toBeGreaterThan(150);
  });

  test('the lines add up to the total, and each is quantity × unit_price', () => {
    fc.assert(
      fc.property(request, (one) => {
        const { quote } = tryQuoteItem(one);
        if (!quote) return;
        expect(toNumber(sum(quote.lines.map((line) => money(line.amount))))).toBe(quote.total);
        for (const line of quote.lines)
          expect(toNumber(money(line.unit_price).times(line.quantity))).toBe(line.amount);
      }),
      runs,
    );
  });

  test('no amount is negative or finer than the minor unit, and the quote is what its schema says', () => {
    fc.assert(
      fc.property(request, (one) => {
        const { quote } = tryQuoteItem(one);
        if (!quote) return;
        expect(
          amountsOf(quote).filter((value) => !(value >= 0) || !fitsMinorUnit(value, quote.currency)),
        ).toEqual([]);
        expect(ItemQuote.parse(quote)).toEqual(quote);
      }),
      runs,
    );
  });

  test('the formula of D41 holds between the fields', () => {
    fc.assert(
      fc.property(request, (one) => {
        const { quote } = tryQuoteItem(one);
        if (!quote) return;
        const total = money(quote.base_price)
          .minus(quote.total_discount)
          .plus(quote.extra_guest_fee)
          .plus(quote.cleaning_fee)
          .plus(quote.early_check_in_fee)
          .plus(quote.late_check_out_fee)
          .plus(quote.extra_services_total);
        expect(toNumber(total)).toBe(quote.total);
      }),
      runs,
    );
  });

  test('raising a rate that is set never lowers the total', () => {
    const raisable = [
      'full_rate',
      'extra_adult_rate',
      'extra_child_rate',
      'cleaning_fee',
      'early_check_in_fee',
      'late_check_out_fee',
      'minimum_rate',
      'price_first_hours',
      'extra_hour_price',
      'price_per_hour',
      'monthly_price',
    ] as const;
    fc.assert(
      fc.property(
        request,
        fc.constantFrom(...raisable),
        fc.integer({ min: 1, max: 500_000 }),
        (one, field, units) => {
          const { rateCard } = one;
          const was = rateCard.listing[field] ?? 0;
          const before = tryQuoteItem(one).quote;
          if (!before || was === 0) return;
          const raise = money(units).div(money(10).pow(minorDigits(before.currency)));
          const raised = { ...rateCard.listing, [field]: toNumber(money(was).plus(raise)) };
          const after = tryQuoteItem({ ...one, rateCard: { ...rateCard, listing: raised } }).quote;
          expect(after?.total).toBeGreaterThanOrEqual(before.total);
        },
      ),
      runs,
    );
  });

  test('nights without a stay-level rule cost the sum of their nights, each as the availability shows it', () => {
    fc.assert(
      fc.property(request, (one) => {
        const rules = one.rateCard.rules.filter(({ charge_unit }) => charge_unit === 'PER_NIGHT');
        const rateCard = { ...one.rateCard, rules };
        const { quote } = tryQuoteItem({ ...one, rateCard });
        if (quote?.pricing_type !== 'nightly' && quote?.pricing_type !== 'night_short') return;
        const nights = datesBetween(quote.check_in_date, quote.check_out_date);
        const prices = nights.map((date) => money(nightRates(rateCard, 'OVERNIGHT')(date).price));
        expect(quote.base_price).toBe(toNumber(sum(prices)));
      }),
      runs,
    );
  });

  test('splitting a stay in two keeps the base price', () => {
    fc.assert(
      fc.property(request, fc.integer({ min: 1, max: 10 }), (one, first) => {
        const rateCard = {
          ...one.rateCard,
          rules: one.rateCard.rules.filter((r) => r.charge_unit === 'PER_NIGHT'),
        };
        const plain = { ...one.item, check_in_time: null, check_out_time: null, combo_id: null };
        const base = (from: string, to: string) =>
          tryQuoteItem({ rateCard, now, item: { ...plain, check_in_date: from, check_out_date: to } }).quote
            ?.base_price;
        const { check_in_date: from, check_out_date: to } = plain;
        const middle = addDays(from, first);
        const [whole, left, right] = [base(from, to), base(from, middle), base(middle, to)];
        if (middle >= to || whole === undefined || left === undefined || right === undefined) return;
        expect(toNumber(money(left).plus(right))).toBe(whole);
      }),
      runs,
    );
  });

  test('the same input gives the same quote, and changes nothing of what it was given', () => {
    fc.assert(
      fc.property(request, (one) => {
        const copy = structuredClone(one);
        expect(tryQuoteItem(one)).toEqual(tryQuoteItem(copy));
        expect(one).toEqual(copy);
      }),
      { numRuns: 300 },
    );
  });

  test('nights take no hour before their earliest check-in, none after their latest check-out', () => {
    fc.assert(
      fc.property(request, (one) => {
        const { quote } = tryQuoteItem(one);
        if (quote?.pricing_type !== 'nightly') return;
        const { flexible_check_in_time: from, flexible_check_out_time: to } = one.rateCard.listing;
        const first = [from ?? '14:00:00', '14:00:00'].sort()[0] ?? '';
        const last = [to ?? '12:00:00', '12:00:00'].sort()[1] ?? '';
        expect(quote.start_at.slice(11) >= first).toBe(true);
        expect(quote.end_at.slice(11) <= last).toBe(true);
      }),
      runs,
    );
  });

  test('only nights that take hours before 14:00 or after 12:00 have the fee of it', () => {
    fc.assert(
      fc.property(request, (one) => {
        const { quote } = tryQuoteItem(one);
        // A late night includes the check-out that is set for it.
        if (!quote || quote.pricing_type === 'night_short') return;
        const { early_check_in_fee = 0, late_check_out_fee = 0 } = one.rateCard.listing;
        const isNightly = quote.pricing_type === 'nightly';
        expect([quote.early_check_in_fee, quote.late_check_out_fee]).toEqual([
          isNightly && quote.start_at.slice(11) < '14:00:00' ? early_check_in_fee : 0,
          isNightly && quote.end_at.slice(11) > '12:00:00' ? late_check_out_fee : 0,
        ]);
      }),
      runs,
    );
  });

  test('a stay that is priced ends after it begins', () => {
    fc.assert(
      fc.property(request, (one) => {
        const { stay } = resolveStay(one);
        if (stay) expect(stay.end > stay.start).toBe(true);
      }),
      runs,
    );
  });
});
