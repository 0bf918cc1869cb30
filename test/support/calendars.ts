import { readFileSync } from 'node:fs';
import { join } from 'node:path';

/** Returns a calendar in the format of a platform: `airbnb`, `booking-com`, `vrbo`, `google`, `expedia`. */
export const feedOf = (platform: string): string =>
  readFileSync(join(import.meta.dirname, `../fixtures/ical/${platform}.ics`), 'utf8');

/** An event's lines: `event('DTSTART;VALUE=DATE:20270204', …)`. */
export const event = (...lines: string[]): string[] => ['BEGIN:VEVENT', ...lines, 'END:VEVENT'];

/** Nights as an all-day event. */
export const nights = (uid: string, from: string, to: string): string[] =>
  event(
    `UID:${uid}`,
    `DTSTART;VALUE=DATE:${from.replaceAll('-', '')}`,
    `DTEND;VALUE=DATE:${to.replaceAll('-', '')}`,
  );

/** A whole calendar. */
export const calendarWith = (...parts: string[][]): string =>
  `${['BEGIN:VCALENDAR', 'VERSION:2.0', 'PRODID:-//test//EN', ...parts.flat(), 'END:VCALENDAR'].join('\r\n')}\r\n`;
