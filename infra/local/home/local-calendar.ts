import { dayMs } from '../../../shared/platform/time/time.ts';

const compact = (ms: number): string => new Date(ms).toISOString().slice(0, 10).replaceAll('-', '');

/** A calendar as another platform would publish it, for the examples of the documentation: two nights far ahead. */
export const localCalendar = (now: number): string =>
  [
    'BEGIN:VCALENDAR',
    'VERSION:2.0',
    'PRODID:-//Nightlatch//Laptop//EN',
    'BEGIN:VEVENT',
    'UID:laptop-1@nightlatch.example',
    `DTSTAMP:${compact(now)}T000000Z`,
    `DTSTART;VALUE=DATE:${compact(now + 200 * dayMs)}`,
    `DTEND;VALUE=DATE:${compact(now + 202 * dayMs)}`,
    'SUMMARY:Reserved',
    'END:VEVENT',
    'END:VCALENDAR',
    '',
  ].join('\r\n');
