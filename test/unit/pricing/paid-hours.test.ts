import { describe, expect, test } from 'vitest';
import { combo, issuesOf, quote, refusals } from './cards.ts';

const night = { check_in_date: '2027-03-01', check_out_date: '2027-03-02' };
const oneDay = { check_in_date: '2027-03-01', check_out_date: '2027-03-01' };
const times = (check_in_time: string, check_out_time: string) => ({ check_in_time, check_out_time });
const both = ['check_in_time', 'check_out_time'];
const late = {
  checkin_night_short_hour: '22:00:00',
  checkout_night_short_hour: '13:00:00',
  night_short_discount: 20,
};

describe('what is taken is what is paid (D76)', () => {
  test.each([
    ['a night: not 47 hours', {}, night, times('00:00:00', '23:00:00'), both],
    ['a night: from a second before 14:00', {}, night, times('13:59:59', '12:00:00'), ['check_in_time']],
    ['a night: to a second after 12:00', {}, night, times('14:00:00', '12:00:01'), ['check_out_time']],
    ['a night: from 14:00 to 12:00', {}, night, times('14:00:00', '12:00:00'), []],
    ['a night: from late to early', {}, night, times('23:59:59', '00:00:00'), []],
    [
      'a night: the listing’s own times decide',
      { standard_check_in_time: '16:00:00', standard_check_out_time: '10:00:00' },
      night,
      times('15:00:00', '11:00:00'),
      both,
    ],
    [
      'a night: flexible times widen both ends',
      { flexible_check_in_time: '10:00:00', flexible_check_out_time: '16:00:00' },
      night,
      times('10:00:00', '16:00:00'),
      [],
    ],
    [
      'a night: flexible times that are later in and earlier out narrow nothing',
      { flexible_check_in_time: '18:00:00', flexible_check_out_time: '08:00:00' },
      night,
      times('14:00:00', '12:00:00'),
      [],
    ],
    ['a night: an unset flexible time widens nothing', {}, night, times('09:00:00', '18:00:00'), both],
    ['many nights: the same', {}, { check_out_date: '2027-03-31' }, times('00:00:00', '23:00:00'), both],
    ['day use: from 09:00 to 18:00', {}, oneDay, times('09:00:00', '18:00:00'), []],
    ['day use: a second more at both ends', {}, oneDay, times('08:59:59', '18:00:01'), both],
    [
      'day use: the listing’s flexible times',
      { flexible_check_in_time: '06:00:00', flexible_check_out_time: '20:00:00' },
      oneDay,
      times('06:00:00', '20:00:00'),
      [],
    ],
    [
      'day use: standard times widen nothing',
      { standard_check_in_time: '06:00:00', standard_check_out_time: '20:00:00' },
      oneDay,
      times('06:00:00', '20:00:00'),
      both,
    ],
    [
      'one time alone, of a listing that sells hours, is day use',
      { allow_hourly_booking: true },
      oneDay,
      { check_in_time: '07:00:00' },
      ['check_in_time'],
    ],
    [
      'hours are paid one by one',
      { allow_hourly_booking: true, price_per_hour: 1 },
      oneDay,
      times('00:00:00', '23:00:00'),
      [],
    ],
    ['a late night: to the hour written down for it', late, night, times('22:00:00', '13:00:00'), []],
    ['a late night: not later', late, night, times('22:00:00', '13:00:01'), ['check_out_time']],
    [
      'a late night that opens before check-in takes no hour more',
      { ...late, checkin_night_short_hour: '00:00:00' },
      night,
      times('00:00:00', '12:00:00'),
      ['check_in_time'],
    ],
    ['an ordinary night has nothing of it', late, night, times('20:00:00', '13:00:00'), ['check_out_time']],
  ] as const)('%s', (_, listing, dates, asked, expected) => {
    expect(refusals({ listing }, { ...dates, ...asked })).toEqual(expected);
  });

  test.each([
    ['a night', night, 'must be 14:00:00 or later: a night is priced from then on'],
    ['day use', oneDay, 'must be 09:00:00 or later: day use is priced from then on'],
  ])('%s says from when it is priced', (_, dates, message) => {
    const issues = issuesOf(() => quote({}, { ...dates, check_in_time: '08:00:00' }));
    expect(issues).toEqual([{ path: 'check_in_time', message }]);
  });

  test('a combo keeps its own times', () => {
    const wide = combo({ start_time: '08:00:00', end_time: '20:00:00' });
    expect(quote({ combos: [wide] }, { combo_id: 50, ...times('00:00:00', '23:00:00') })).toMatchObject({
      start_at: '2027-03-01T08:00:00',
      end_at: '2027-03-03T20:00:00',
    });
  });

  test('a listing whose own times leave them is not closed', () => {
    const odd = { checkin_night_short_hour: '10:00:00', standard_check_in_time: '23:00:00' };
    expect(refusals({ listing: odd }, night)).toEqual([]);
    expect(refusals({ listing: odd }, oneDay)).toEqual([]);
  });
});
