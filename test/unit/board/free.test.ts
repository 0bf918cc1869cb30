import type { DayAvailability } from '@nightlatch/client';
import { describe, expect, it } from 'vitest';
import { byDate, fits, nearestFree } from '../../../board/src/stay/free.ts';

const day = (date: string, more: Partial<DayAvailability> = {}): DayAvailability => ({
  ...{ date, state: 'AVAILABLE', available: true, price: 1, pricing_rule_id: null, min_nights: 1 },
  ...{ can_arrive: true, can_depart: true, max_nights: null },
  ...more,
});
const taken = { available: false, can_arrive: false };

describe('the free nights of a home', () => {
  const days = [
    day('2027-02-01'),
    day('2027-02-02', taken),
    day('2027-02-03', { min_nights: 2 }),
    day('2027-02-04', { can_arrive: false }),
    day('2027-02-05', { max_nights: 1 }),
    day('2027-02-06', { can_depart: false }),
    day('2027-02-07'),
  ];
  it.each([
    ['2027-02-01', '2027-02-02', true],
    ['2027-02-01', '2027-02-03', false],
    ['2027-02-02', '2027-02-03', false],
    ['2027-02-03', '2027-02-04', false],
    ['2027-02-03', '2027-02-05', true],
    ['2027-02-04', '2027-02-05', false],
    ['2027-02-05', '2027-02-06', false],
    ['2027-02-05', '2027-02-07', false],
    ['2027-02-07', '2027-02-08', true],
    ['2027-03-01', '2027-03-02', false],
  ])('from %s to %s: %s', (from, to, isFree) => {
    expect(fits(byDate(days), from, to)).toBe(isFree);
  });

  it('are named nearest to a date, at most three, in order', () => {
    const week = ['01', '02', '03', '04', '05', '06', '07'].map((one) =>
      day(`2027-02-${one}`, one === '03' ? taken : {}),
    );
    const starts = (nights: number, from: string) =>
      nearestFree(week, { listing_id: 7, from, nights }).map(({ check_in_date }) => check_in_date.slice(-2));
    expect(starts(1, '2027-02-03')).toEqual(['01', '02', '04']);
    expect(starts(2, '2027-02-03')).toEqual(['01', '04', '05']);
    expect(starts(5, '2027-02-03')).toEqual([]);
  });
});
