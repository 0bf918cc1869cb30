import { describe, expect, test } from 'vitest';
import { hourRate, nightRates } from '../../../shared/domain/pricing/night-rate.rules.ts';
import type { PricingRule } from '../../../shared/domain/pricing/price-part.schema.ts';
import { card, issuesOf, listing, quote, rule } from './cards.ts';

const on = (date: string, rules: PricingRule[], stayType: 'DAY' | 'OVERNIGHT' = 'OVERNIGHT') =>
  nightRates(card({ rules }), stayType)(date);

describe('the price of a night (D34)', () => {
  test('is full_rate when nothing else is said', () => {
    expect(on('2027-03-01', [])).toEqual({ price: 1_000_000, source: 'full_rate', pricing_rule_id: null });
  });

  test.each([
    ['2027-03-05', 'Friday', 1_500_000, 'weekday'],
    ['2027-03-06', 'Saturday, whose price is 0', 1_000_000, 'full_rate'],
    ['2027-03-07', 'Sunday, key 0', 1_200_000, 'weekday'],
    ['2027-03-08', 'Monday, not listed', 1_000_000, 'full_rate'],
  ])('on %s (%s) is %d from %s', (date, _, price, source) => {
    const rateCard = card({ listing: { prices_by_week: { '0': 1_200_000, '5': 1_500_000, '6': 0 } } });
    expect(nightRates(rateCard, 'OVERNIGHT')(date)).toEqual({ price, source, pricing_rule_id: null });
  });

  describe('without a stated value', () => {
    const weekends = { full_rate: 0, prices_by_week: { '5': 1_500_000, '6': 1_500_000 } };
    const thursday = { check_in_date: '2027-03-04', check_out_date: '2027-03-07' };

    test('is not sold for nothing, nor beside nights that have one', () => {
      const refused = (given: object) => issuesOf(() => quote({ listing: weekends }, given));
      expect(refused({ check_in_date: '2027-03-04', check_out_date: '2027-03-05' })).toEqual([
        { path: 'listing_id', message: 'has no price for the night of 2027-03-04' },
      ]);
      expect(refused(thursday)).toEqual([
        { path: 'listing_id', message: 'has no price for the night of 2027-03-04' },
      ]);
      expect(refused({ check_in_date: '2027-03-01', check_out_date: '2027-03-05' })).toEqual([
        { path: 'listing_id', message: 'has no price for the night of 2027-03-01 and 3 more' },
      ]);
      expect(refused({ check_in_date: '2027-03-04', check_out_date: '2027-03-04' })).toEqual([
        { path: 'listing_id', message: 'has no price for the day of 2027-03-04' },
      ]);
    });

    test('is sold where a rule states it, be it 0, or prices the stay as a whole', () => {
      const total = (changes: Partial<PricingRule>) =>
        quote({ listing: weekends, rules: [rule(changes)] }, thursday).base_price;
      expect(total({ price: 0 })).toBe(0);
      expect(total({ charge_unit: 'PER_BOOKING', price: 2_000_000 })).toBe(2_000_000);
      expect(quote({ listing: weekends }, { ...thursday, check_in_date: '2027-03-05' }).base_price).toBe(
        3_000_000,
      );
    });

    test('is no reason against a discount to nothing', () => {
      const free = { last_minute_hour: 8760, last_minute_discount: 100 };
      expect(quote({ listing: free }, thursday).total).toBe(0);
    });
  });

  test('of a rule wins over the weekday price', () => {
    const always = rule({ id: 7, price: 300_000 });
    const rateCard = card({ listing: { prices_by_week: { '1': 1_500_000 } }, rules: [always] });
    expect(nightRates(rateCard, 'OVERNIGHT')('2027-03-01')).toEqual({
      price: 300_000,
      source: 'rule:7',
      pricing_rule_id: 7,
    });
  });

  test.each([
    ['2027-02-04', 'the day before', 1_000_000],
    ['2027-02-05', 'the first day', 700_000],
    ['2027-02-10', 'the last day', 700_000],
    ['2027-02-11', 'the day after', 1_000_000],
  ])('with a range 02-05 to 02-10, inclusive, on %s (%s) is %d', (date, _, price) => {
    const range = rule({ date_type: 'DATE_RANGE', date_from: '2027-02-05', date_to: '2027-02-10' });
    expect(on(date, [range]).price).toBe(price);
  });

  test('with a range on weekdays is that of these days alone', () => {
    const dates = { date_from: '2027-02-05', date_to: '2027-02-15' };
    const sundays = rule({ date_type: 'DATE_RANGE', ...dates, weekdays: [0] });
    const days = ['2027-02-06', '2027-02-07', '2027-02-14', '2027-02-21'];
    const prices = days.map((date) => on(date, [sundays]).price);
    expect(prices).toEqual([1_000_000, 700_000, 700_000, 1_000_000]);
  });

  test.each([
    ['a range over new year includes 2028-01-01', '2028-01-01', '2027-12-30', '2028-01-02', true],
    ['a range includes the leap day', '2028-02-29', '2028-02-28', '2028-03-01', true],
    ['a range of one day matches it', '2027-05-01', '2027-05-01', '2027-05-01', true],
  ])('%s', (_, date, date_from, date_to, matches) => {
    const range = rule({ date_type: 'DATE_RANGE', date_from, date_to });
    expect(on(date, [range]).price === 700_000).toBe(matches);
  });

  test('with SPECIFIC_DATE uses date_from alone', () => {
    const one = rule({ date_type: 'SPECIFIC_DATE', date_from: '2027-03-01' });
    expect([on('2027-03-01', [one]).price, on('2027-03-02', [one]).price]).toEqual([700_000, 1_000_000]);
  });

  test('with WEEKDAY 0 matches Sundays only', () => {
    const sunday = rule({ date_type: 'WEEKDAY', day_of_week: 0 });
    expect([on('2027-03-07', [sunday]).price, on('2027-03-08', [sunday]).price]).toEqual([
      700_000, 1_000_000,
    ]);
  });

  test.each([
    ['DAY', 'DAY', 700_000],
    ['DAY', 'OVERNIGHT', 1_000_000],
    ['OVERNIGHT', 'DAY', 1_000_000],
    ['OVERNIGHT', 'OVERNIGHT', 700_000],
    ['ANY', 'DAY', 700_000],
    ['ANY', 'OVERNIGHT', 700_000],
  ] as const)('a %s rule priced for a %s stay gives %d', (stay_type, asked, price) => {
    expect(on('2027-03-01', [rule({ stay_type })], asked).price).toBe(price);
  });

  test('an inactive rule and a rule with another charge unit do not count', () => {
    const others = (['PER_BOOKING', 'PER_HOUR', 'PACKAGE', 'PER_MONTH'] as const).map((charge_unit) =>
      rule({ charge_unit, priority: 9 }),
    );
    expect(on('2027-03-01', [rule({ is_active: false }), ...others]).source).toBe('full_rate');
  });
});

describe('between rules (D34)', () => {
  const day = '2027-03-01';
  const candidates = {
    specific: rule({ id: 1, date_type: 'SPECIFIC_DATE', date_from: day }),
    range: rule({ id: 2, date_type: 'DATE_RANGE', date_from: day, date_to: day }),
    weekday: rule({ id: 3, date_type: 'WEEKDAY', day_of_week: 1 }),
    always: rule({ id: 4 }),
  };
  const winner = (...rules: PricingRule[]) => on(day, rules).pricing_rule_id;

  test('the highest priority wins over the narrower date type', () => {
    expect(winner(candidates.specific, { ...candidates.always, priority: 1 })).toBe(4);
  });

  test('a negative priority loses against 0', () => {
    expect(winner({ ...candidates.specific, priority: -1 }, candidates.always)).toBe(4);
  });

  test('a tie goes to SPECIFIC_DATE, DATE_RANGE, WEEKDAY, ALWAYS in that order', () => {
    const { specific, range, weekday, always } = candidates;
    expect(winner(always, weekday, range, specific)).toBe(1);
    expect(winner(always, weekday, range)).toBe(2);
    expect(winner(always, weekday)).toBe(3);
  });

  test('a tie of the same type goes to the newer rule, whichever comes first', () => {
    expect(winner(rule({ id: 8 }), rule({ id: 9 }))).toBe(9);
    expect(winner(rule({ id: 9 }), rule({ id: 8 }))).toBe(9);
  });
});

describe('an hour', () => {
  const hours = { allow_hourly_booking: true, min_hours: 3 };

  test('has no price where the listing takes no hourly stay', () => {
    expect(hourRate(card({ listing: { price_per_hour: 80_000 } }), '2027-03-01')).toBeNull();
  });

  test.each([
    ['price_first_hours 200,000 / 3 = 66,666.67, half-up 66,667', { price_first_hours: 200_000 }, 66_667],
    ['price_per_hour without price_first_hours', { price_per_hour: 80_000, extra_hour_price: 1 }, 80_000],
    ['extra_hour_price alone', { extra_hour_price: 40_000 }, 40_000],
  ])('costs %s', (_, prices, expected) => {
    expect(hourRate(card({ listing: { ...hours, ...prices } }), '2027-03-01')?.price).toBe(expected);
  });

  test('has no price where none is set, or each is 0', () => {
    const zeros = { price_first_hours: 0, price_per_hour: 0, extra_hour_price: 0 };
    for (const prices of [{}, zeros])
      expect(hourRate(card({ listing: { ...hours, ...prices } }), '2027-03-01')).toBeNull();
  });

  test('costs what the PER_HOUR rule says', () => {
    const perHour = rule({ id: 5, charge_unit: 'PER_HOUR', price: 90_000, stay_type: 'DAY' });
    const rateCard = card({ listing: { ...hours, price_first_hours: 1 }, rules: [perHour] });
    expect(hourRate(rateCard, '2027-03-01')).toEqual({ price: 90_000, source: 'rule:5', pricing_rule_id: 5 });
  });
});

test('a stay has one line a night, with date and source', () => {
  const always = rule({ id: 11, date_type: 'SPECIFIC_DATE', date_from: '2027-03-05', price: 2_000_000 });
  const { lines } = quote(
    { listing: { prices_by_week: { '4': 1_100_000 } }, rules: [always] },
    { check_in_date: '2027-03-03', check_out_date: '2027-03-06' },
  );
  expect(lines.map(({ kind, date, source, amount }) => [kind, date, source, amount])).toEqual([
    ['night', '2027-03-03', 'full_rate', 1_000_000],
    ['night', '2027-03-04', 'weekday', 1_100_000],
    ['night', '2027-03-05', 'rule:11', 2_000_000],
  ]);
});

test('many dates are priced from one reading of the rules', () => {
  const rateOn = nightRates({ ...card(), listing: listing({ full_rate: 5 }) }, 'DAY');
  expect([rateOn('2027-03-01').price, rateOn('2027-03-02').price]).toEqual([5, 5]);
});
