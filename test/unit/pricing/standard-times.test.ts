import { describe, expect, test } from 'vitest';
import { combo, quote, refusals, rule } from './cards.ts';

const listing = {
  early_check_in_fee: 150_000,
  late_check_out_fee: 250_000,
  flexible_check_in_time: '08:00:00',
  flexible_check_out_time: '20:00:00',
};
const night = { check_in_date: '2027-03-01', check_out_date: '2027-03-02' };
const oneDay = { check_in_date: '2027-03-01', check_out_date: '2027-03-01' };
const times = (check_in_time: string | null, check_out_time: string | null) => ({
  check_in_time,
  check_out_time,
});

/** The fees of a stay, with what it costs without them. */
const feesOf = (changes: object, asked: object, parts: object = {}) => {
  const {
    early_check_in_fee: early,
    late_check_out_fee: late,
    ...priced
  } = quote({ listing: { ...listing, ...changes }, ...parts }, asked);
  const free = { ...listing, ...changes, early_check_in_fee: 0, late_check_out_fee: 0 };
  expect(priced.total).toBe(quote({ listing: free, ...parts }, asked).total + early + late);
  expect(priced.lines.reduce((total, { amount }) => total + amount, 0)).toBe(priced.total);
  return [early, late];
};

describe('a time beyond the standard one costs its fee (D41)', () => {
  const both = [150_000, 250_000];
  test.each([
    ['no times', {}, times(null, null), [0, 0]],
    ['exactly the standard times', {}, times('14:00:00', '12:00:00'), [0, 0]],
    ['a minute inside of them', {}, times('14:01:00', '11:59:00'), [0, 0]],
    ['a minute early', {}, times('13:59:00', '12:00:00'), [150_000, 0]],
    ['a minute late', {}, times('14:00:00', '12:01:00'), [0, 250_000]],
    ['both', {}, times('08:00:00', '20:00:00'), both],
    [
      'exactly the listing’s own',
      { standard_check_in_time: '11:30:00', standard_check_out_time: '13:30:00' },
      times('11:30:00', '13:30:00'),
      [0, 0],
    ],
    [
      'a second beyond the listing’s own',
      { standard_check_in_time: '11:30:00', standard_check_out_time: '13:30:00' },
      times('11:29:59', '13:30:01'),
      both,
    ],
    ['once, not by night', {}, { ...times('08:00:00', '20:00:00'), check_out_date: '2027-03-31' }, both],
  ] as const)('%s', (_, changes, asked, expected) => {
    expect(feesOf(changes, { ...night, ...asked })).toEqual(expected);
  });

  test('beside a price for the whole stay', () => {
    const rules = [rule({ charge_unit: 'PER_BOOKING' })];
    expect(feesOf({}, times('08:00:00', '20:00:00'), { rules })).toEqual(both);
  });

  test('as the last of the fees, one line each; none where the fee is 0 or not set', () => {
    const asked = { ...times('08:00:00', '20:00:00'), guest_number: 3 };
    const fees = { ...listing, extra_adult_rate: 10_000, cleaning_fee: 20_000, minimum_rate: 0 };
    const lastMinute = { last_minute_hour: 5000, last_minute_discount: 10 };
    const { lines, total_discount } = quote({ listing: { ...fees, ...lastMinute } }, asked);
    expect(lines.map(({ kind }) => kind)).toEqual([
      ...['night', 'night', 'extra_adults', 'cleaning', 'early_check_in', 'late_check_out', 'discount'],
    ]);
    expect(total_discount).toBe(200_000);
    expect(lines.slice(4, 6)).toEqual([
      {
        ...{ kind: 'early_check_in', label: 'Early check-in', source: 'early_check_in_fee' },
        ...{ quantity: 1, unit_price: 150_000, amount: 150_000 },
      },
      {
        ...{ kind: 'late_check_out', label: 'Late check-out', source: 'late_check_out_fee' },
        ...{ quantity: 1, unit_price: 250_000, amount: 250_000 },
      },
    ]);
    const { early_check_in_fee: _, ...unset } = listing;
    const free = quote({ listing: { ...unset, late_check_out_fee: 0 } }, asked);
    expect(free.lines.map(({ kind }) => kind)).toEqual(['night', 'night']);
    expect(free).toMatchObject({ early_check_in_fee: 0, late_check_out_fee: 0 });
  });

  test('which opens no hour: beyond the flexible times it is refused', () => {
    expect(refusals({ listing }, { ...night, ...times('07:59:00', '20:01:00') })).toEqual([
      'check_in_time',
      'check_out_time',
    ]);
  });

  test('is part of the earning and beside the deposit', () => {
    const rates = { ...listing, commission_rate: 0.1, security_deposit: 5 };
    expect(quote({ listing: rates }, { ...night, ...times('13:59:00', null) })).toMatchObject({
      ...{ base_price: 1_000_000, total: 1_150_000, earning: 1_035_000, deposit: 5 },
    });
  });
});

describe('no fee have', () => {
  test('day use, whose price covers the flexible times', () => {
    expect(feesOf({}, { ...oneDay, ...times('08:00:00', '20:00:00') })).toEqual([0, 0]);
  });

  test('hourly stays', () => {
    const hourly = { allow_hourly_booking: true, price_per_hour: 90_000 };
    expect(feesOf(hourly, { ...oneDay, ...times('08:00:00', '20:00:00') })).toEqual([0, 0]);
  });

  test('combos, which have their own times, whatever the request names', () => {
    const combos = [combo({ start_time: '09:00:00', end_time: '19:00:00' })];
    const asked = { combo_id: 50, ...times('08:00:00', '20:00:00') };
    expect(feesOf({}, { ...night, ...asked }, { combos })).toEqual([0, 0]);
  });

  const late = { checkin_night_short_hour: '22:00:00', checkout_night_short_hour: '15:00:00' };
  test.each([
    ['a late night until the hour that is set for it', '22:00:00', '15:00:00', [0, 0]],
    ['but an ordinary night until then', '20:00:00', '15:00:00', [0, 250_000]],
    ['but one that leaves later, which is no late night any more', '22:00:00', '15:01:00', [0, 250_000]],
  ])('%s', (_, from, to, expected) => {
    expect(feesOf(late, { ...night, ...times(from, to) })).toEqual(expected);
  });
});
