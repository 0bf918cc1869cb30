import fc from 'fast-check';
import type { ListedStayRules } from '../../shared/domain/pricing/stay-rules.schema.ts';
import { addDays } from '../../shared/platform/time/time.ts';

export const zone = 'Asia/Ho_Chi_Minh';
/** A date so many days from the 15th of January 2027. */
export const day = (offset: number) => addDays('2027-01-15', offset);

const fields = {
  min_nights: fc.option(fc.integer({ min: 1, max: 6 })),
  max_nights: fc.option(fc.integer({ min: 1, max: 8 })),
  closed_to_arrival: fc.option(fc.boolean()),
  closed_to_departure: fc.option(fc.boolean()),
  closed: fc.option(fc.boolean()),
};

/** Stay rules of a listing for the weeks from that date on. */
export const rulesOf: fc.Arbitrary<ListedStayRules> = fc.record({
  default: fc.record({
    ...fields,
    closed: fc.option(fc.boolean(), { freq: 10 }),
  }),
  min_notice_hours: fc.option(fc.integer({ min: 1, max: 60 })),
  booking_window_days: fc.option(fc.integer({ min: 1, max: 30 })),
  date_rules: fc.array(
    fc
      .record({
        from: fc.integer({ min: -3, max: 25 }),
        days: fc.integer({ min: 0, max: 9 }),
        weekdays: fc.option(fc.uniqueArray(fc.integer({ min: 0, max: 6 }), { minLength: 1 })),
        ...fields,
      })
      .map(({ from, days, ...rule }) => ({
        id: 1,
        date_from: day(from),
        date_to: day(from + days),
        ...rule,
      })),
    { maxLength: 6 },
  ),
});
