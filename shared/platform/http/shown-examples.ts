import { dayMs } from '../time/time.ts';

/** Addresses in examples; a laptop has its own in their place. */
export const exampleUrls = {
  api: 'https://api.example.com',
  webhook: 'https://partner.example.com/hooks/nightlatch',
  calendar: 'https://www.airbnb.com/calendar/ical/4711.ics?s=0123456789abcdef',
} as const;

/** The day on which the examples are written. */
const exampleDay = Date.UTC(2027, 0, 20);

/** Whole weeks, so that weekdays and their prices stay; rounded down, so that what has happened lies in the past. */
const daysUntil = (now: number): number => Math.floor((now - exampleDay) / (7 * dayMs)) * 7;

/** Returns a date of the examples as a reader of `now` sees it. */
export const exampleDate = (date: string, now: number): string =>
  new Date(Date.parse(date) + daysUntil(now) * dayMs).toISOString().slice(0, 10);

/** Returns a document with the dates of its examples moved to the time of the reader. */
export const withDatesAt = (document: string, now: number): string =>
  document
    .replaceAll(/\b2027-(?:0[1-9]|1[0-2])-(?:0[1-9]|[12]\d|3[01])/g, (date) => exampleDate(date, now))
    .replaceAll(/(?<=[:=])2027(\d\d)(\d\d)(?=T|\\r)/g, (_, month: string, day: string) =>
      exampleDate(`2027-${month}-${day}`, now).replaceAll('-', ''),
    );
