import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { datesOf, rangesOf, rangesWith } from '../../shared/platform/time/date-ranges.ts';
import { addDays } from '../../shared/platform/time/time.ts';

const first = '2027-02-01';
const dates = fc
  .uniqueArray(fc.nat({ max: 60 }), { maxLength: 40 })
  .map((days) => days.map((day) => addDays(first, day)).sort());

const range = (from: string, to: string, weekdays: number[] | null = null) => ({
  ...{ date_from: from, date_to: to, weekdays },
});

describe('ranges of dates', () => {
  it('have exactly the dates that they are made of, each once', () => {
    fc.assert(
      fc.property(dates, (given) => {
        const ranges = rangesOf(given);
        expect(datesOf(ranges)).toEqual(given);
        expect(ranges.flatMap((one) => datesOf([one]))).toHaveLength(given.length);
      }),
      { numRuns: 2000 },
    );
  });

  it.each([
    ['days in a row', [range('2027-02-01', '2027-03-31')]],
    ['weekends of a year', [range('2027-02-05', '2028-01-29', [5, 6])]],
    ['every other day of a week', [range('2027-02-01', '2027-03-31', [1, 3, 5])]],
    [
      'a row and weekends behind it',
      [range('2027-02-01', '2027-02-07'), range('2027-02-12', '2027-03-27', [5, 6])],
    ],
  ])('are few for %s', (_, ranges) => {
    expect(rangesOf(datesOf(ranges)).length).toBeLessThanOrEqual(ranges.length);
  });

  it('with values are as few as there are values and rows', () => {
    const values = datesOf([range('2027-02-01', '2027-02-28')]).map(
      (date) => [date, datesOf([range(date, date, [5, 6])]).length] as const,
    );
    expect(rangesWith(values, String)).toEqual([
      { range: range('2027-02-01', '2027-02-28', [0, 1, 2, 3, 4]), value: 0 },
      { range: range('2027-02-05', '2027-02-27', [5, 6]), value: 1 },
    ]);
  });
});
