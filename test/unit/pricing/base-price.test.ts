import { describe, expect, test } from 'vitest';
import { combo, quote, refusals, rule } from './cards.ts';

const oneDay = { check_in_date: '2027-03-01', check_out_date: '2027-03-01' };
const from = (check_in_time: string, check_out_time: string) => ({
  ...oneDay,
  check_in_time,
  check_out_time,
});
const thirtyNights = { check_in_date: '2027-03-01', check_out_date: '2027-03-31' };

describe('pricing_type (D33)', () => {
  const short = { checkin_night_short_hour: '22:00:00', checkout_night_short_hour: '08:00:00' };
  const night = { check_in_date: '2027-03-01', check_out_date: '2027-03-02' };
  test.each([
    ['two nights', {}, {}, 'nightly'],
    ['one date without times', { allow_hourly_booking: true, price_per_hour: 1 }, oneDay, 'daily'],
    ['one date with both times, hours not allowed', {}, from('10:00:00', '14:00:00'), 'daily'],
    [
      'one date with both times, hours allowed',
      { allow_hourly_booking: true, price_per_hour: 1 },
      from('10:00:00', '14:00:00'),
      'hourly',
    ],
    [
      'one date with one time, hours allowed',
      { allow_hourly_booking: true },
      { ...oneDay, check_in_time: '10:00:00' },
      'daily',
    ],
    ['one night from the late hour on', short, { ...night, check_in_time: '22:00:00' }, 'night_short'],
    [
      'one night from the late hour to the early one',
      short,
      { ...night, check_in_time: '23:30:00', check_out_time: '08:00:00' },
      'night_short',
    ],
    ['one night from before the late hour', short, { ...night, check_in_time: '21:59:59' }, 'nightly'],
    [
      'one night to after the early hour',
      short,
      { ...night, check_in_time: '22:00:00', check_out_time: '08:00:01' },
      'nightly',
    ],
    ['one night without check_in_time', short, night, 'nightly'],
    ['one night, the listing has no late hour', {}, { ...night, check_in_time: '23:00:00' }, 'nightly'],
    ['two nights from the late hour on', short, { check_in_time: '22:00:00' }, 'nightly'],
    [
      'one night, no early hour: to the usual check-out',
      { checkin_night_short_hour: '22:00:00' },
      { ...night, check_in_time: '22:00:00', check_out_time: '12:00:00' },
      'night_short',
    ],
    [
      'one night, no early hour: after the usual check-out',
      { checkin_night_short_hour: '22:00:00', flexible_check_out_time: '13:00:00' },
      { ...night, check_in_time: '22:00:00', check_out_time: '12:30:00' },
      'nightly',
    ],
  ] as const)('%s', (_, listing, asked, expected) => {
    expect(quote({ listing }, asked).pricing_type).toBe(expected);
  });

  test('a combo_id wins over everything', () => {
    const asked = { ...night, check_in_time: '22:00:00', combo_id: 50 };
    expect(quote({ listing: short, combos: [combo()] }, asked).pricing_type).toBe('combo');
  });
});

describe('a day (D36)', () => {
  test.each([
    ['unset: 1,000,000 × 1', undefined, 1_000_000],
    ['0 counts as unset: 1,000,000 × 1', 0, 1_000_000],
    ['1,000,000 × 1.5', 1.5, 1_500_000],
    ['1,000,000 × 10', 10, 10_000_000],
  ])('price_rate_in_day %s', (_, price_rate_in_day, expected) => {
    const { base_price, daily_price, nights, total } = quote({ listing: { price_rate_in_day } }, oneDay);
    expect([base_price, daily_price, nights, total]).toEqual([expected, expected, 0, expected]);
  });

  test('takes the rule for DAY, not the one for OVERNIGHT: 400,000 × 1.5', () => {
    const rules = [
      rule({ stay_type: 'DAY', price: 400_000 }),
      rule({ stay_type: 'OVERNIGHT', price: 1, priority: 9 }),
    ];
    expect(quote({ listing: { price_rate_in_day: 1.5 }, rules }, oneDay).base_price).toBe(600_000);
  });

  test('is rounded half-up once: USD 33.33 × 1.5 = 49.995, so 50.00', () => {
    const listing = { currency: 'USD', full_rate: 33.33, price_rate_in_day: 1.5 };
    expect(quote({ listing }, oneDay).total).toBe(50);
  });
});

describe('hours (D36)', () => {
  const listing = {
    allow_hourly_booking: true,
    min_hours: 3,
    price_first_hours: 300_000,
    extra_hour_price: 80_000,
  };
  test.each([
    ['exactly min_hours: 300,000', from('10:00:00', '13:00:00'), 3, 300_000],
    ['2 h 1 min count as 3: 300,000', from('10:00:00', '12:01:00'), 3, 300_000],
    ['3 h 1 min count as 4: 300,000 + 1 × 80,000', from('10:00:00', '13:01:00'), 4, 380_000],
    ['7 h: 300,000 + 4 × 80,000', from('09:30:00', '16:30:00'), 7, 620_000],
  ])('%s', (_, asked, hours, expected) => {
    const quoted = quote({ listing }, asked);
    expect([quoted.hours, quoted.base_price, quoted.hourly_price]).toEqual([hours, expected, expected]);
  });

  test('fewer than min_hours are refused', () => {
    expect(refusals({ listing }, from('10:00:00', '12:00:00'))).toEqual(['check_out_time']);
  });

  test('min_hours is 2 when the listing does not say', () => {
    const unset = { ...listing, min_hours: null };
    expect(refusals({ listing: unset }, from('10:00:00', '11:00:00'))).toEqual(['check_out_time']);
    expect(quote({ listing: unset }, from('10:00:00', '12:00:00')).total).toBe(300_000);
  });

  test('without price_first_hours: hours × price_per_hour, 4 × 90,000', () => {
    const perHour = { ...listing, price_first_hours: 0, price_per_hour: 90_000 };
    expect(quote({ listing: perHour }, from('10:00:00', '14:00:00')).total).toBe(360_000);
  });

  test('with price_first_hours, price_per_hour does not count', () => {
    const both = { ...listing, price_per_hour: 1 };
    expect(quote({ listing: both }, from('10:00:00', '13:00:00')).total).toBe(300_000);
  });

  test('with extra_hour_price alone, the first hours are free: 1 × 80,000', () => {
    const extra = { ...listing, price_first_hours: 0, price_per_hour: 0 };
    expect(quote({ listing: extra }, from('10:00:00', '14:00:00')).total).toBe(80_000);
  });

  test('has no line of extra hours for exactly min_hours', () => {
    const { lines } = quote({ listing }, from('10:00:00', '13:00:00'));
    expect(lines.map(({ label, amount }) => [label, amount])).toEqual([['First 3 hours', 300_000]]);
  });

  test('a PER_HOUR rule sets the hourly price: 4 × 60,000', () => {
    const rules = [rule({ id: 21, charge_unit: 'PER_HOUR', price: 60_000 })];
    const quoted = quote({ listing, rules }, from('10:00:00', '14:00:00'));
    expect([quoted.total, quoted.lines[0]?.source, quoted.lines[0]?.quantity]).toEqual([
      240_000,
      'rule:21',
      4,
    ]);
  });

  test('a PER_HOUR rule for OVERNIGHT or another day does not', () => {
    const rules = [
      rule({ charge_unit: 'PER_HOUR', price: 1, stay_type: 'OVERNIGHT' }),
      rule({ charge_unit: 'PER_HOUR', price: 1, date_type: 'WEEKDAY', day_of_week: 2 }),
    ];
    expect(quote({ listing, rules }, from('10:00:00', '13:00:00')).total).toBe(300_000);
  });

  test('a listing that allows hours but states no price is refused, not given away', () => {
    expect(refusals({ listing: { allow_hourly_booking: true } }, from('10:00:00', '14:00:00'))).toEqual([
      'listing_id',
    ]);
  });
});

describe('stay-level rules (D35)', () => {
  const flat = rule({ id: 61, charge_unit: 'PACKAGE', price: 3_300_000 });

  test.each(['PER_BOOKING', 'PACKAGE'] as const)(
    '%s is a flat base for any number of nights',
    (charge_unit) => {
      const quoted = quote({ rules: [{ ...flat, charge_unit }] }, { check_out_date: '2027-03-08' });
      expect([quoted.base_price, quoted.lines]).toEqual([
        3_300_000,
        [expect.objectContaining({ kind: 'package', quantity: 1, amount: 3_300_000, source: 'rule:61' })],
      ]);
    },
  );

  test('is matched on the check-in date alone', () => {
    const monday = { ...flat, date_type: 'WEEKDAY' as const, day_of_week: 1 };
    expect(quote({ rules: [monday] }).base_price).toBe(3_300_000);
    const tuesday = { ...monday, day_of_week: 2 };
    expect(quote({ rules: [tuesday] }).base_price).toBe(2_000_000);
  });

  test('replaces nights whatever the priority of a PER_NIGHT rule', () => {
    expect(quote({ rules: [flat, rule({ price: 1, priority: 99 })] }).base_price).toBe(3_300_000);
  });

  test('is flat for a day and for hours, too: no price_rate_in_day, no hours', () => {
    const listing = { price_rate_in_day: 2, allow_hourly_booking: true, price_per_hour: 5 };
    expect(quote({ listing, rules: [flat] }, oneDay).daily_price).toBe(3_300_000);
    expect(quote({ listing, rules: [flat] }, from('10:00:00', '14:00:00')).hourly_price).toBe(3_300_000);
  });

  test('the strongest of them wins', () => {
    const stronger = rule({ charge_unit: 'PER_BOOKING', price: 1_000, priority: 1 });
    expect(quote({ rules: [flat, stronger] }).base_price).toBe(1_000);
  });

  test('a stronger PER_MONTH rule beats a flat one from 30 nights: 31 nights of 1,000,000 less what is above 9,000,000 × 30/30', () => {
    const rules = [flat, rule({ id: 62, charge_unit: 'PER_MONTH', price: 9_000_000, priority: 1 })];
    expect(quote({ rules }, thirtyNights)).toMatchObject({
      base_price: 30_000_000,
      monthly_discount: 21_000_000,
      total: 9_000_000,
    });
    expect(quote({ rules }, { check_out_date: '2027-03-30' }).base_price).toBe(3_300_000);
  });

  test('do not touch a combo', () => {
    expect(quote({ rules: [flat], combos: [combo()] }, { combo_id: 50 }).base_price).toBe(1_800_000);
  });
});

describe('a combo (D37)', () => {
  test('overnight: 2 × 900,000 less 2 × 150,000, from 20:00 to 10:00', () => {
    const quoted = quote({ combos: [combo()] }, { combo_id: 50 });
    expect(quoted).toMatchObject({
      base_price: 1_800_000,
      combo_price: 1_500_000,
      total_discount: 300_000,
      total: 1_500_000,
      combo_id: 50,
      start_at: '2027-03-01T20:00:00',
      end_at: '2027-03-03T10:00:00',
    });
    expect(quoted.lines.map(({ kind, amount, source }) => [kind, amount, source])).toEqual([
      ['combo', 1_800_000, 'combo:50'],
      ['discount', -300_000, 'combo:50'],
    ]);
  });

  test('gets no other discount: last minute, monthly and night short are 0', () => {
    const listing = {
      last_minute_hour: 10_000,
      last_minute_discount: 50,
      monthly_price: 1,
      checkin_night_short_hour: '00:00:00',
      night_short_discount: 70,
    };
    const quoted = quote({ listing, combos: [combo()] }, { ...thirtyNights, combo_id: 50 });
    expect(quoted).toMatchObject({ total_discount: 4_500_000, last_minute_discount: 0, monthly_discount: 0 });
    expect(quoted.total).toBe(22_500_000); // 30 × 750,000
  });

  test('still pays extra guests, cleaning and services', () => {
    const listing = { cleaning_fee: 200_000, extra_adult_rate: 100_000 };
    const quoted = quote({ listing, combos: [combo()] }, { combo_id: 50, guest_number: 3 });
    expect(quoted.total).toBe(1_800_000); // 1,500,000 + 100,000 + 200,000
  });

  const dayUse = { start_time: '09:00:00', end_time: '17:00:00' };
  test.each([
    ['overnight', 'on one date', combo(), oneDay, ['combo_id']],
    ['overnight', 'with one night', combo(), { check_out_date: '2027-03-02' }, []],
    ['day_use', 'on one date', combo({ combo_type: 'day_use', ...dayUse }), oneDay, []],
    ['day_use', 'with a night', combo({ combo_type: 'day_use', ...dayUse }), {}, ['combo_id']],
    ['hourly_block', 'on one date', combo({ combo_type: 'hourly_block', ...dayUse }), oneDay, []],
    ['hourly_block', 'with a night', combo({ combo_type: 'hourly_block', ...dayUse }), {}, ['combo_id']],
    ['other', 'on one date', combo({ combo_type: 'other', ...dayUse }), oneDay, []],
    ['other', 'with nights', combo({ combo_type: 'other' }), {}, []],
    [
      'other',
      'on one date though it runs over midnight',
      combo({ combo_type: 'other' }),
      oneDay,
      ['combo_id'],
    ],
    ['an inactive one', '', combo({ is_active: false }), {}, ['combo_id']],
    ['one of another listing', '', combo({ listing_id: 2 }), {}, ['combo_id']],
    ['an unknown one', '', combo({ id: 51 }), {}, ['combo_id']],
  ] as const)('%s %s', (_type, _when, offered, asked, expected) => {
    expect(refusals({ combos: [offered] }, { ...asked, combo_id: 50 })).toEqual(expected);
  });

  test('on one date has 1 unit', () => {
    const offered = combo({ combo_type: 'day_use', ...dayUse });
    expect(quote({ combos: [offered] }, { ...oneDay, combo_id: 50 }).total).toBe(750_000);
  });
});
