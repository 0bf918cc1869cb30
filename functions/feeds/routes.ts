import * as z from 'zod';
import { CalendarFeeds } from '../../shared/domain/ical/ical.schema.ts';
import { defineRoutes } from '../../shared/platform/http/route.ts';
import { Id, queryNumber } from '../../shared/platform/schema.ts';

const params = z.strictObject({ listing_id: queryNumber(Id) });

/** Subscribers may add parameters of their own to an address; they are passed over. */
const FeedQuery = z.object({
  token: z.string().max(256).optional().meta({ description: 'The secret in the address of the export.' }),
});

const calendar = [
  'BEGIN:VCALENDAR',
  'VERSION:2.0',
  'PRODID:-//Nightlatch//Availability//EN',
  'BEGIN:VEVENT',
  'UID:17402345678914@nightlatch',
  'DTSTAMP:20270115T030000Z',
  'DTSTART;VALUE=DATE:20270204',
  'DTEND;VALUE=DATE:20270207',
  'SUMMARY:Reserved',
  'END:VEVENT',
  'END:VCALENDAR',
  '',
].join('\r\n');

/** A listing's calendar for other platforms (D64). */
export const feedsRoutes = defineRoutes('feeds', {
  exportCalendar: {
    method: 'GET',
    path: '/api/v1/listings/{listing_id}/calendar.ics',
    access: 'public',
    tag: 'Calendar feeds',
    summary: "A listing's taken time as an iCalendar to subscribe to",
    description:
      'The address with its token is the `export_url` of the listing. No guest data. With `If-None-Match` an unchanged calendar is answered 304.',
    params,
    query: FeedQuery,
    status: 200,
    reply: {
      contentType: 'text/calendar; charset=utf-8',
      meaning: 'Stays and blocks, RFC 5545: nights as dates, hours as UTC datetimes.',
    },
    errors: ['NOT_FOUND'],
    examples: { reply: calendar },
  },
  listFeeds: {
    method: 'GET',
    path: '/api/v1/listings/{listing_id}/calendar/ical',
    access: 'host',
    permission: 'read',
    tag: 'Calendar feeds',
    summary: 'The calendars a listing follows, and the address of its own',
    params,
    status: 200,
    reply: CalendarFeeds,
    errors: ['LISTING_NOT_FOUND'],
    examples: {
      reply: {
        items: [],
        export_url:
          'https://api.example.com/api/v1/listings/4711/calendar.ics?token=3q2-7wAAAABkZWFkYmVlZmNhZmU',
      },
    },
  },
});
