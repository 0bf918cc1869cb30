import { type DateRange, datesOf } from '../../platform/time/date-ranges.ts';
import { requireWithinCalendar } from '../calendar/index.ts';

/** Returns the dates of a bulk change. Throws VALIDATION_ERROR for dates outside of the calendar. */
export const bulkDates = (ranges: readonly DateRange[]): string[] => {
  requireWithinCalendar(
    Object.fromEntries(
      ranges.flatMap(({ date_from, date_to }, at) => [
        [`date_ranges[${at}].date_from`, date_from],
        [`date_ranges[${at}].date_to`, date_to],
      ]),
    ),
  );
  return datesOf(ranges);
};
