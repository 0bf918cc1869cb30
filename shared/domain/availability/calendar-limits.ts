import { invalid } from '../../platform/errors.ts';
import type { LocalRange } from '../calendar/index.ts';

/** The years that `GET …/calendar` takes are those a calendar has: blocks and ranges lie within them. */
const calendarDates = { first: '2000-01-01', last: '2199-12-31' };

export const wholeCalendar: LocalRange = {
  start_at: '2000-01-01T00:00:00',
  end_at: '2200-01-01T00:00:00',
};

/** A date is taken whole, a datetime may be the very end. */
const latest = (text: string): string =>
  text.length === calendarDates.last.length ? calendarDates.last : wholeCalendar.end_at;

/** Refuses dates or datetimes outside the calendar, by the names they have in the request. */
export const requireWithinCalendar = (named: Readonly<Record<string, string | undefined>>): void => {
  const { first, last } = calendarDates;
  const issues = Object.entries(named)
    .filter(([, text]) => text !== undefined && (text < first || text > latest(text)))
    .map(([path]) => ({ path, message: `must be from ${first} to ${last}` }));
  if (issues.length > 0) throw invalid(...issues);
};
