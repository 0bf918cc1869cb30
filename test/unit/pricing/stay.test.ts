import { describe, expect, test } from 'vitest';
import { canStartHourlyStay } from '../../../shared/domain/pricing/resolve-stay.rules.ts';
import { listing, quote, refusals, service } from './cards.ts';

const at = (local: string) => Date.parse(`${local}+07:00`);
const oneDay = { check_in_date: '2027-03-01', check_out_date: '2027-03-01' };
const tonight = { check_in_date: '2027-03-01', check_out_date: '2027-03-02' };

describe('when a stay begins and ends (D24)', () => {
  const own = {
    standard_check_in_time: '15:00:00',
    standard_check_out_time: '11:00:00',
    flexible_check_in_time: '08:00:00',
    flexible_check_out_time: '20:00:00',
  };
  test.each([
    ['overnight: 14:00 to 12:00', {}, {}, '2027-03-01T14:00:00', '2027-03-03T12:00:00'],
    ['overnight: the listing’s times', own, {}, '2027-03-01T15:00:00', '2027-03-03T11:00:00'],
    [
      'overnight: the guest’s times',
      own,
      { check_in_time: '18:00:00', check_out_time: '09:00:00' },
      '2027-03-01T18:00:00',
      '2027-03-03T09:00:00',
    ],
    ['day use: 09:00 to 18:00', {}, oneDay, '2027-03-01T09:00:00', '2027-03-01T18:00:00'],
    ['day use: the listing’s times', own, oneDay, '2027-03-01T08:00:00', '2027-03-01T20:00:00'],
    [
      'day use: one time of the guest',
      own,
      { ...oneDay, check_in_time: '10:00:00' },
      '2027-03-01T10:00:00',
      '2027-03-01T20:00:00',
    ],
  ])('%s', (_, listing, asked, start_at, end_at) => {
    expect(quote({ listing }, asked)).toMatchObject({ start_at, end_at });
  });

  test.each([
    ['2027-02-27', '2027-03-01', 2],
    ['2028-02-27', '2028-03-01', 3],
    ['2027-12-31', '2028-01-01', 1],
  ])('%s to %s is %d nights', (check_in_date, check_out_date, nights) => {
    expect(quote({}, { check_in_date, check_out_date }).nights).toBe(nights);
  });

  test('a night of daylight saving is a night: New York 2027-03-13 to 2027-03-15', () => {
    const asked = { check_in_date: '2027-03-13', check_out_date: '2027-03-15' };
    expect(quote({ listing: { timezone: 'America/New_York' } }, asked).total).toBe(2_000_000);
  });
});

describe('an hourly stay over a change of the clocks', () => {
  const paris = {
    timezone: 'Europe/Paris',
    allow_hourly_booking: true,
    min_hours: 2,
    price_per_hour: 100_000,
  };
  const hours = (date: string, check_in_time: string, check_out_time: string) => ({
    ...{ check_in_date: date, check_out_date: date },
    ...{ check_in_time: `${check_in_time}:00`, check_out_time: `${check_out_time}:00` },
  });

  test.each([
    ['the hour that is skipped', '2027-03-28', '01:00', '04:00', 2],
    ['none that is skipped, the day before', '2027-03-27', '01:00', '04:00', 3],
    ['an hour that passes twice once', '2027-10-31', '01:00', '04:00', 3],
    ['from the first moment after the gap', '2027-03-28', '03:00', '05:00', 2],
    ['until the gap begins', '2027-03-28', '00:00', '02:00', 2],
  ])('counts %s', (_, date, from, to, counted) => {
    const { hours: billed, total } = quote({ listing: paris }, hours(date, from, to));
    expect([billed, total]).toEqual([counted, counted * 100_000]);
  });

  test.each([
    ['begins in it', '02:00', '05:00', ['check_in_time']],
    ['ends in it', '00:00', '02:30', ['check_out_time']],
    ['lies in it', '02:15', '02:45', ['check_in_time', 'check_out_time']],
    ['is left with less than min_hours by it', '01:00', '03:00', ['check_out_time']],
  ])('is refused when it %s', (_, from, to, paths) => {
    expect(refusals({ listing: paris }, hours('2027-03-28', from, to))).toEqual(paths);
  });

  test('can begin neither in it nor be shown as if it could', () => {
    const at = (start: string) =>
      canStartHourlyStay(listing(paris), start, Date.parse('2027-03-01T00:00:00Z'));
    expect(['2027-03-28T02:00:00', '2027-03-28T03:00:00', '2027-03-27T02:00:00'].map(at)).toEqual([
      false,
      true,
      true,
    ]);
  });
});

describe('a stay is refused (D24)', () => {
  test.each([
    ['that ends before it begins', { check_out_date: '2027-02-28' }, ['check_out_date']],
    [
      'on one date whose end is its begin',
      { ...oneDay, check_in_time: '10:00:00', check_out_time: '10:00:00' },
      ['check_out_time'],
    ],
    [
      'on one date whose end is before its begin',
      { ...oneDay, check_in_time: '10:00:00', check_out_time: '09:00:00' },
      ['check_out_time'],
    ],
    ['of 366 nights', { check_out_date: '2028-03-01' }, ['check_out_date']],
    ['that began yesterday', { check_in_date: '2026-12-31' }, ['check_in_date']],
    ['731 days ahead', { check_in_date: '2029-01-01', check_out_date: '2029-01-02' }, ['check_in_date']],
  ])('%s', (_, asked, paths) => {
    expect(refusals({}, asked)).toEqual(paths);
  });

  test.each([
    ['of 365 nights', { check_out_date: '2028-02-29' }],
    ['that begins today', { check_in_date: '2027-01-01' }],
    ['730 days ahead', { check_in_date: '2028-12-31', check_out_date: '2029-01-01' }],
  ])('but not %s', (_, asked) => {
    expect(refusals({}, asked)).toEqual([]);
  });

  test.each([
    ['before check-in, from check-in on', '2027-03-01T10:00:00', {}, '2027-03-01T14:00:00'],
    ['after check-in, from the current hour on', '2027-03-01T20:45:00', {}, '2027-03-01T20:00:00'],
    [
      'with a time of its own, from then on',
      '2027-03-01T20:45:00',
      { check_in_time: '15:00:00' },
      '2027-03-01T15:00:00',
    ],
  ])('tonight, booked %s', (_, now, asked, start_at) => {
    expect(quote({}, { ...tonight, ...asked }, at(now))).toMatchObject({ start_at, nights: 1 });
  });

  test('today is the listing’s: 2027-03-01 17:30Z is 03-02 in Ho Chi Minh City, 03-01 in New York', () => {
    const now = Date.parse('2027-03-01T17:30:00Z');
    expect(refusals({}, tonight, now)).toEqual(['check_in_date']);
    expect(refusals({ listing: { timezone: 'America/New_York' } }, tonight, now)).toEqual([]);
  });

  test('tonight can be booked at 20:00, and until midnight', () => {
    expect(refusals({}, tonight, at('2027-03-01T20:00:00'))).toEqual([]);
    expect(refusals({}, tonight, at('2027-03-01T23:59:59'))).toEqual([]);
    expect(refusals({}, tonight, at('2027-03-02T00:00:00'))).toEqual(['check_in_date']);
  });

  test('day use that is booked during the day is that of the whole day', () => {
    expect(quote({}, oneDay, at('2027-03-01T12:30:00')).start_at).toBe('2027-03-01T09:00:00');
  });

  test('day use can be booked until it ends', () => {
    expect(refusals({}, oneDay, at('2027-03-01T17:59:59'))).toEqual([]);
    expect(refusals({}, oneDay, at('2027-03-01T18:00:00'))).toEqual(['check_out_time']);
  });

  test('hours can be booked from the current hour on', () => {
    const listing = { allow_hourly_booking: true, price_per_hour: 50_000 };
    const hours = { ...oneDay, check_in_time: '10:00:00', check_out_time: '14:00:00' };
    expect(refusals({ listing }, hours, at('2027-03-01T10:59:59'))).toEqual([]);
    expect(refusals({ listing }, hours, at('2027-03-01T11:00:00'))).toEqual(['check_in_time']);
  });
});

describe('no_checkin_after_hour (D24)', () => {
  const listing = { no_checkin_after_hour: '22:00:00' };
  test.each([
    ['at the cut-off', '2027-03-01T22:00:00', []],
    ['a second later', '2027-03-01T22:00:01', ['check_in_date']],
    ['the evening before', '2027-02-28T23:00:00', []],
  ])('tonight, booked %s', (_, now, paths) => {
    expect(refusals({ listing }, tonight, at(now))).toEqual(paths);
  });

  test('at the opening of check-in is on the same day', () => {
    const early = { no_checkin_after_hour: '14:00:00' };
    expect(refusals({ listing: early }, { ...tonight, check_in_time: '14:00:00' })).toEqual([]);
    expect(refusals({ listing: early }, { ...tonight, check_in_time: '14:00:01' })).toEqual([
      'check_in_time',
    ]);
  });

  test('a later check_in_time is refused on any date', () => {
    expect(refusals({ listing }, { ...tonight, check_in_time: '22:00:00' })).toEqual([]);
    expect(refusals({ listing }, { ...tonight, check_in_time: '22:30:00' })).toEqual(['check_in_time']);
  });

  test('of day use is on the day, whatever the check-in time of nights', () => {
    const morning = { no_checkin_after_hour: '10:00:00' };
    expect(refusals({ listing: morning }, { ...oneDay, check_in_time: '10:00:00' })).toEqual([]);
    expect(refusals({ listing: morning }, { ...oneDay, check_in_time: '10:00:01' })).toEqual([
      'check_in_time',
    ]);
  });

  test('01:00 is one o’clock after midnight: tonight is still open at 23:00', () => {
    const late = { no_checkin_after_hour: '01:00:00' };
    expect(refusals({ listing: late }, tonight, at('2027-03-01T23:00:00'))).toEqual([]);
    expect(refusals({ listing: late }, { ...tonight, check_in_time: '23:30:00' })).toEqual([]);
  });

  test('a late overnight stay that opens after the cut-off is not shut out by it', () => {
    const short = { ...listing, no_checkin_after_hour: '21:00:00', checkin_night_short_hour: '22:00:00' };
    expect(refusals({ listing: short }, { ...tonight, check_in_time: '22:00:00' })).toEqual([]);
  });
});

describe('guests (D39)', () => {
  const rates = { extra_adult_rate: 100_000, extra_child_rate: 50_000, guest_included_in_rate: 2 };
  test.each([
    ['2 of 2 included', { guest_number: 2 }, 0, 0],
    ['3: 1 × 100,000', { guest_number: 3 }, 100_000, 0],
    [
      '4 with 3 adults and 1 child: 2 × 100,000 + 1 × 50,000',
      { guest_number: 4, adult_number: 3, children_number: 1 },
      200_000,
      50_000,
    ],
    [
      '2 with 1 child: only the child, 50,000',
      { guest_number: 2, adult_number: 1, children_number: 1 },
      0,
      50_000,
    ],
    [
      '3 with children only stated: 1 × 100,000 + 2 × 50,000',
      { guest_number: 3, children_number: 2 },
      100_000,
      100_000,
    ],
  ])('%s', (_, asked, extra_adult_fee, extra_child_fee) => {
    expect(quote({ listing: rates }, asked)).toMatchObject({
      extra_adult_fee,
      extra_child_fee,
      extra_guest_fee: extra_adult_fee + extra_child_fee,
      total: 2_000_000 + extra_adult_fee + extra_child_fee,
    });
  });

  test('are no lines of the quote where none is extra, or where an extra one is free', () => {
    const kinds = (parts: Parameters<typeof quote>[0], guest_number: number) =>
      quote(parts, { guest_number }).lines.map(({ kind }) => kind);
    expect(kinds({ listing: rates }, 2)).toEqual(['night', 'night']);
    expect(kinds({ listing: { ...rates, extra_adult_rate: 0 } }, 3)).toEqual(['night', 'night']);
    expect(kinds({ listing: rates }, 3)).toEqual(['night', 'night', 'extra_adults']);
  });

  test.each([
    ['none', {}, { guest_number: 0 }, ['guest_number']],
    ['one', {}, { guest_number: 1 }, []],
    ['maximum_guest', { maximum_guest: 4 }, { guest_number: 4 }, []],
    ['one more than maximum_guest', { maximum_guest: 4 }, { guest_number: 5 }, ['guest_number']],
    ['maximum_guest above capacity', { maximum_guest: 8, capacity: 6 }, { guest_number: 8 }, []],
    ['capacity when maximum_guest is 0', { maximum_guest: 0, capacity: 6 }, { guest_number: 6 }, []],
    ['one more than capacity', { maximum_guest: 0, capacity: 6 }, { guest_number: 7 }, ['guest_number']],
    [
      'adults and children that do not add up',
      {},
      { guest_number: 4, adult_number: 2, children_number: 1 },
      ['adult_number'],
    ],
    ['more adults than guests', {}, { guest_number: 2, adult_number: 3 }, ['adult_number']],
    ['more children than guests', {}, { guest_number: 2, children_number: 3 }, ['children_number']],
  ])('%s', (_, listing, asked, paths) => {
    expect(refusals({ listing }, asked)).toEqual(paths);
  });
});

describe('extra services (D40)', () => {
  const services = [
    service({ id: 1, price_unit: 'per_use', price: 300_000, service_name: 'Transfer' }),
    service({ id: 2, price_unit: 'per_night', price: 40_000, service_name: 'Heating' }),
    service({ id: 3, price_unit: 'per_person', price: 50_000 }),
    service({ id: 4, is_active: false }),
    service({ id: 5, is_active: false, is_required: true }),
  ];
  test.each([
    ['per_use: 1 × 300,000', [1], 1, 300_000],
    ['per_night, 2 nights: 2 × 40,000', [2], 2, 80_000],
    ['per_person, 3 guests: 3 × 50,000', [3], 3, 150_000],
    ['twice in the list: once', [1, 1], 1, 300_000],
  ])('%s', (_, extra_service_ids, quantity, total) => {
    const quoted = quote({ services }, { extra_service_ids, guest_number: 3 });
    expect([quoted.extra_services.map((one) => one.quantity), quoted.extra_services_total]).toEqual([
      [quantity],
      total,
    ]);
  });

  test('per_night is at least 1: on one date 1 × 40,000', () => {
    expect(quote({ services }, { ...oneDay, extra_service_ids: [2] }).extra_services_total).toBe(40_000);
  });

  test('a required one is charged without being asked for, and once when it is', () => {
    const required = [service({ id: 9, is_required: true, price_unit: 'per_use', price: 10_000 })];
    expect(quote({ services: required }).extra_services_total).toBe(10_000);
    expect(quote({ services: required }, { extra_service_ids: [9] }).extra_services_total).toBe(10_000);
  });

  test('an unknown, an inactive and another listing’s one are refused, each at its place', () => {
    const others = [...services, service({ id: 6, listing_id: 2 })];
    expect(refusals({ services: others }, { extra_service_ids: [1, 99, 4, 6] })).toEqual([
      'extra_service_ids[1]',
      'extra_service_ids[2]',
      'extra_service_ids[3]',
    ]);
  });
});

test('rooms are echoed: 1, also of what was held with more', () => {
  expect(quote().rooms).toBe(1);
  expect(quote({}, { rooms: 3 })).toMatchObject({ rooms: 3, total: 2_000_000 });
});

test('every problem is reported at once', () => {
  expect(
    refusals(
      {},
      { guest_number: 9, check_in_date: '2026-01-01', check_out_date: '2027-03-03', extra_service_ids: [8] },
    ),
  ).toEqual(['guest_number', 'check_out_date', 'check_in_date', 'extra_service_ids[0]']);
});
