import { describe, expect, test } from 'vitest';
import { quote, rule } from './cards.ts';

const nights = (count: number) => ({
  check_in_date: '2027-03-01',
  check_out_date: new Date(Date.UTC(2027, 2, 1 + count)).toISOString().slice(0, 10),
});
/** Check-in is 2027-03-01 14:00 in Ho Chi Minh City. */
const hoursBefore = (hours: number) => Date.parse('2027-03-01T07:00:00Z') - hours * 3_600_000;

describe('night short (D38)', () => {
  const late = { ...nights(1), check_in_time: '23:00:00' };
  const listing = (night_short_discount: number, full_rate = 1_000_000) => ({
    full_rate,
    checkin_night_short_hour: '22:00:00',
    night_short_discount,
  });
  test.each([
    ['0 %', 0, 1_000_000, 0],
    ['30 % of 1,000,000', 30, 1_000_000, 300_000],
    ['70 % of 1,000,000', 70, 1_000_000, 700_000],
    ['33 % of 999,999 = 329,999.67, so 330,000', 33, 999_999, 330_000],
    ['50 % of 999,999 = 499,999.5, half-up 500,000', 50, 999_999, 500_000],
  ])('%s', (_, percent, rate, discount) => {
    const quoted = quote({ listing: listing(percent, rate) }, late);
    expect([quoted.night_short_discount, quoted.total_discount, quoted.total]).toEqual([
      discount,
      discount,
      rate - discount,
    ]);
  });

  test('does not touch an ordinary night', () => {
    expect(quote({ listing: listing(70) }, nights(1)).night_short_discount).toBe(0);
  });
});

describe('monthly (D38)', () => {
  const listing = { full_rate: 500_000, monthly_price: 9_000_000 };
  test.each([
    ['29 nights: none', 29, 0],
    ['30 nights: 15,000,000 − 9,000,000', 30, 6_000_000],
    ['31 nights: 15,500,000 − 9,000,000 × 31 / 30 = 15,500,000 − 9,300,000', 31, 6_200_000],
    ['365 nights: 182,500,000 − 9,000,000 × 365 / 30 = 182,500,000 − 109,500,000', 365, 73_000_000],
  ])('%s', (_, count, discount) => {
    expect(quote({ listing }, nights(count)).monthly_discount).toBe(discount);
  });

  test('is never below 0 when the nights are cheaper', () => {
    const quoted = quote({ listing: { ...listing, monthly_price: 20_000_000 } }, nights(30));
    expect([quoted.monthly_discount, quoted.total]).toEqual([0, 15_000_000]);
  });

  test('is rounded half-up once: 31 × 100 − 2,915 × 31 / 30 = 3,100 − 3,012.1666… = 87.83…, so 88', () => {
    expect(quote({ listing: { full_rate: 100, monthly_price: 2_915 } }, nights(31)).monthly_discount).toBe(
      88,
    );
  });

  test('with USD keeps cents: 31 × 100 − 1,000 × 31 / 30 = 3,100 − 1,033.333… = 2,066.67', () => {
    const usd = { currency: 'USD', full_rate: 100, monthly_price: 1_000 };
    const { monthly_discount, total } = quote({ listing: usd }, nights(31));
    expect([monthly_discount, total]).toEqual([2_066.67, 1_033.33]);
  });

  test('a PER_MONTH rule replaces monthly_price: 15,000,000 − 6,000,000, and says so', () => {
    const rules = [rule({ id: 81, charge_unit: 'PER_MONTH', price: 6_000_000 })];
    const quoted = quote({ listing, rules }, nights(30));
    expect([quoted.monthly_discount, quoted.lines.at(-1)?.source]).toEqual([9_000_000, 'rule:81']);
  });

  test('a PER_MONTH rule of 0 switches the monthly price off', () => {
    const rules = [rule({ charge_unit: 'PER_MONTH', price: 0 })];
    expect(quote({ listing, rules }, nights(30)).total).toBe(15_000_000);
  });

  test('a PER_MONTH rule changes nothing below 30 nights', () => {
    const rules = [rule({ charge_unit: 'PER_MONTH', price: 1, priority: 9 })];
    expect(quote({ listing, rules }, nights(29)).total).toBe(14_500_000);
  });
});

describe('last minute (D38)', () => {
  const listing = { last_minute_hour: 24, last_minute_discount: 10 };
  test.each([
    ['24 h before, to the millisecond', 24, 200_000],
    ['just over 24 h before', 24 + 1 / 3_600_000, 0],
    ['1 h before', 1, 200_000],
    ['at check-in', 0, 200_000],
    ['5 h after check-in, still the same evening', -5, 200_000],
  ])('%s: 10 %% of 2,000,000 is %s', (_, hours, discount) => {
    expect(quote({ listing }, {}, hoursBefore(hours)).last_minute_discount).toBe(discount);
  });

  test.each([
    ['no hours', { last_minute_hour: 0 }],
    ['no percent', { last_minute_discount: 0 }],
  ])('needs both fields: %s', (_, change) => {
    for (const hours of [1, 0, -5])
      expect(quote({ listing: { ...listing, ...change } }, {}, hoursBefore(hours)).total_discount).toBe(0);
  });

  test.each([
    ['950,000: the average night may fall by 50,000, 2 × 50,000', 950_000, 100_000],
    ['900,000: exactly what is left, 2 × 100,000', 900_000, 200_000],
    ['899,999: does not bind', 899_999, 200_000],
    ['1,000,000: nothing may go', 1_000_000, 0],
    ['1,100,000: above the price, nothing goes and nothing is added', 1_100_000, 0],
    ['0: no floor', 0, 200_000],
  ])('does not take the average night below minimum_rate %s', (_, minimum_rate, discount) => {
    const quoted = quote({ listing: { ...listing, minimum_rate } }, {}, hoursBefore(1));
    expect([quoted.last_minute_discount, quoted.total]).toEqual([discount, 2_000_000 - discount]);
  });

  test('works on what the monthly price left: 30,000,000 − 9,000,000 = 21,000,000, then 10 % of 9,000,000', () => {
    const monthly = { ...listing, monthly_price: 9_000_000 };
    expect(quote({ listing: monthly }, nights(30), hoursBefore(1))).toMatchObject({
      monthly_discount: 21_000_000,
      last_minute_discount: 900_000,
      total_discount: 21_900_000,
      total: 8_100_000,
    });
  });

  test('works on what night short left: 30 % of 1,000,000, then 10 % of 700,000', () => {
    const short = { ...listing, checkin_night_short_hour: '22:00:00', night_short_discount: 30 };
    const asked = { ...nights(1), check_in_time: '22:00:00' };
    expect(quote({ listing: short }, asked, hoursBefore(1))).toMatchObject({
      night_short_discount: 300_000,
      last_minute_discount: 70_000,
      total: 630_000,
    });
  });

  test('for a day minimum_rate is the floor of the day; for hours there is none', () => {
    const oneDay = { check_out_date: '2027-03-01' };
    const floored = {
      ...listing,
      minimum_rate: 950_000,
      allow_hourly_booking: true,
      price_per_hour: 100_000,
    };
    expect(quote({ listing: floored }, oneDay, hoursBefore(8)).last_minute_discount).toBe(50_000);
    const hours = { ...oneDay, check_in_time: '10:00:00', check_out_time: '12:00:00' };
    expect(quote({ listing: floored }, hours, hoursBefore(8)).last_minute_discount).toBe(20_000);
  });

  test('counts real hours over a daylight-saving night', () => {
    // New York, check-in Sunday 2027-03-14 14:00 EDT = 18:00Z; 24 real hours before is Saturday 13:00 EST.
    const ny = { ...listing, timezone: 'America/New_York' };
    const asked = { check_in_date: '2027-03-14', check_out_date: '2027-03-16' };
    const checkIn = Date.parse('2027-03-14T18:00:00Z');
    expect(quote({ listing: ny }, asked, checkIn - 24 * 3_600_000).last_minute_discount).toBe(200_000);
    expect(quote({ listing: ny }, asked, checkIn - 24 * 3_600_000 - 1).last_minute_discount).toBe(0);
  });

  test('takes only the price of the nights, not fees', () => {
    const fees = { ...listing, cleaning_fee: 300_000 };
    expect(quote({ listing: fees }, {}, hoursBefore(1)).total).toBe(2_100_000); // 2,000,000 − 200,000 + 300,000
  });
});

test('discount lines are negative and name the field they come from', () => {
  const listing = { last_minute_hour: 24, last_minute_discount: 10, monthly_price: 9_000_000 };
  const { lines } = quote({ listing }, nights(30), hoursBefore(1));
  expect(lines.filter(({ kind }) => kind === 'discount')).toEqual([
    {
      kind: 'discount',
      label: 'Monthly price',
      quantity: 1,
      unit_price: -21_000_000,
      amount: -21_000_000,
      source: 'monthly_price',
    },
    {
      kind: 'discount',
      label: 'Last-minute discount',
      quantity: 1,
      unit_price: -900_000,
      amount: -900_000,
      source: 'last_minute_discount',
    },
  ]);
});
