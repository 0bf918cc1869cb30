import * as z from 'zod';
import {
  CalendarFeed,
  CalendarFeeds,
  ExportAddress,
  FeedChange,
  FollowRequest,
} from '../../shared/domain/ical/ical.schema.ts';
import { exampleExportToken, exampleIds } from '../../shared/platform/http/example-records.ts';
import { exampleUrls } from '../../shared/platform/http/shown-examples.ts';
import { defineRoutes } from '../../shared/platform/http/route.ts';
import { Id, queryNumber, Removed } from '../../shared/platform/schema/schema.ts';

const params = z.strictObject({ listing_id: queryNumber(Id) });
const ofFeed = z.strictObject({ listing_id: queryNumber(Id), feed_id: queryNumber(Id) });

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

const followed = {
  id: exampleIds.feed,
  listing_id: 4711,
  url: exampleUrls.calendar,
  label: 'Airbnb',
  counts_as: 'BY_TEXT' as const,
  commission_rate: 0.15,
  export_url: `${exampleUrls.api}/api/v1/listings/4711/calendar.ics?token=1mz3b9k2vq2.Zk9yIHdob21ldmVyIGl0IG1heSBjb25jZXI`,
  status: 'ACTIVE' as const,
  problem: null,
  last_synced_at: '2027-01-15T03:00:00.000Z',
  next_sync_at: '2027-01-15T03:09:00.000Z',
  imported: 3,
  echoes: 1,
  explained: 0,
  read: { events: 4, taken: 2, free: 1, cancelled: 0, past: 1, not_understood: 0 },
  problems: ['1 event marked as free: no time is taken.'],
  conflicts: [],
  created_at: '2027-01-15T03:00:00.000Z',
};
const export_url = `${exampleUrls.api}/api/v1/listings/4711/calendar.ics?token=${exampleExportToken}`;

/** A listing's calendar for other platforms, and those of other platforms for a listing (D63, D64). */
export const feedsRoutes = defineRoutes('feeds', {
  exportCalendar: {
    method: 'GET',
    path: '/api/v1/listings/{listing_id}/calendar.ics',
    access: 'public',
    tag: 'Calendar feeds',
    summary: "A listing's taken time as an iCalendar to subscribe to",
    description:
      'The address with its token is an `export_url`: the general one of the listing, or that of a followed calendar, which leaves out what came from there. What crosses midnight is an all-day event over every night that cannot be booked for it; the rest is hours. No guest data. With `If-None-Match` an unchanged calendar is answered 304.',
    params,
    query: FeedQuery,
    status: 200,
    reply: {
      contentType: 'text/calendar; charset=utf-8',
      meaning: 'Stays and blocks, RFC 5545: nights as dates, hours as UTC datetimes.',
    },
    errors: ['NOT_FOUND'],
    examples: { query: { token: exampleExportToken }, reply: calendar },
  },
  listFeeds: {
    method: 'GET',
    path: '/api/v1/listings/{listing_id}/calendar/ical',
    access: 'host',
    permission: 'read',
    tag: 'Calendar feeds',
    summary: 'The calendars a listing follows, and the addresses of its own',
    description:
      'Paste the `export_url` of an item into the platform that item comes from, and the general `export_url` elsewhere. Then no platform is given what came from itself, and what it shows of ours is recognised.',
    params,
    status: 200,
    reply: CalendarFeeds,
    errors: ['LISTING_NOT_FOUND'],
    examples: {
      reply: {
        items: [followed],
        export_url,
      },
    },
  },
  followCalendar: {
    method: 'POST',
    path: '/api/v1/listings/{listing_id}/calendar/ical',
    access: 'host',
    permission: 'manage',
    tag: 'Calendar feeds',
    summary: 'Follows a calendar of another platform',
    description:
      'Answers after a first synchronisation. Each event becomes a BLOCKED entry: nights by their dates, also where they are written from midnight to midnight, from check-in to check-out hour; other times by the hour. The calendar is fetched every 10 minutes and after each booking; one that fails after 10, 20 and then every 30 minutes, and after 3 hours it is STALE and the owners get a mail. A vanished event frees its time at the second good fetch in a row without it. When more than half of the events vanish at once, or all, the feed is QUARANTINED and their time stays blocked until they are back, or until this address is added again, which says that the calendar is right. Give the platform the `export_url` of the answer: an event whose nights or hours are exactly those of entries it was given there is an echo, which takes nothing and is no conflict until 48 hours after our side has gone, or 6 hours after the platform has fetched a calendar without it; under a new UID those nights are a booking from that fetch on. An event first seen before that is a booking and stays one, unless the address is added again. The same address again is the same feed, synchronised at once. An imported block that a host lifts comes back when the calendar changes.',
    params,
    body: FollowRequest,
    status: 201,
    reply: CalendarFeed,
    errors: ['LISTING_NOT_FOUND'],
    idempotent: true,
    examples: {
      params: { listing_id: exampleIds.lakeHouse },
      body: { url: followed.url, label: followed.label, commission_rate: followed.commission_rate },
      reply: { ...followed, listing_id: exampleIds.lakeHouse },
    },
  },
  changeFeed: {
    method: 'PATCH',
    path: '/api/v1/listings/{listing_id}/calendar/ical/{feed_id}',
    access: 'host',
    permission: 'manage',
    tag: 'Calendar feeds',
    summary: 'Changes what a team says of a calendar that a listing follows',
    description:
      'What the platform is called, which of its events are stays of guests, and its commission. The calendar is fetched within a minute, and its stays follow.',
    params: ofFeed,
    body: FeedChange,
    status: 200,
    reply: CalendarFeed,
    errors: ['LISTING_NOT_FOUND', 'NOT_FOUND'],
    examples: { body: { counts_as: 'STAYS' }, reply: { ...followed, counts_as: 'STAYS' } },
  },
  unfollowCalendar: {
    method: 'DELETE',
    path: '/api/v1/listings/{listing_id}/calendar/ical/{feed_id}',
    access: 'host',
    permission: 'manage',
    tag: 'Calendar feeds',
    summary: 'Ends following a calendar and frees what it blocked',
    params: ofFeed,
    status: 200,
    reply: Removed,
    errors: ['LISTING_NOT_FOUND', 'NOT_FOUND'],
    examples: { reply: { message: 'The calendar is no longer followed.', id: followed.id } },
  },
  rotateExportToken: {
    method: 'POST',
    path: '/api/v1/listings/{listing_id}/calendar/ical/rotate-token',
    access: 'host',
    permission: 'manage',
    tag: 'Calendar feeds',
    summary: "Gives a listing's own calendar other addresses; the old ones stop at once",
    description: 'The general `export_url`, and that of each followed calendar.',
    params,
    status: 200,
    reply: ExportAddress,
    errors: ['LISTING_NOT_FOUND'],
    idempotent: true,
    examples: {
      params: { listing_id: exampleIds.lakeHouse },
      reply: { export_url: export_url.replace('4711', '4712') },
    },
  },
});
