import { createHash } from 'node:crypto';
import type { Context } from '../../platform/context.ts';
import { ServiceError } from '../../platform/errors.ts';
import { Answered } from '../../platform/http/answer.ts';
import { addDays, atTime, today } from '../../platform/time.ts';
import { calendarOf, concerns, overlappingEntries } from '../calendar/index.ts';
import { type Listing, listingRead } from '../listing/index.ts';
import { calendarText, escapeText, type Property } from './calendar-text.ts';
import { emptyCalendar, eventsOf } from './feed-events.ts';
import { opens } from './feed-token.ts';
import { type FeedRevision, FeedRevisionEntity, type FeedToken, FeedTokenEntity } from './ical.entity.ts';

const daysBack = 30;
/** A stay begins at most 730 days ahead and lasts at most 365 nights (D24). */
const daysAhead = 1100;
const midnight = '00:00:00';

/**
 * The taken time of a listing as an iCalendar (RFC 5545) for whoever has the token: stays and blocks, those of parent and
 * children included, no soft locks, no guest data (D64). The entries are read at every call, so a stay shows at once; the
 * ETag is made from the text itself, so that 304 is never answered to somebody who has not seen it.
 */
export const exportCalendar = async (
  ctx: Pick<Context, 'table' | 'clock'>,
  { params, query }: { params: { listing_id: number }; query: { token?: string | undefined } },
): Promise<Answered<string>> => {
  const { listing_id } = params;
  const [token, listing] = (await ctx.table.getAll([
    { key: FeedTokenEntity.key({ listing_id }) },
    listingRead(listing_id),
  ])) as [FeedToken | undefined, Listing | undefined];
  if (!opens(token, query.token) || !listing || listing.state === 'ARCHIVED')
    throw new ServiceError('NOT_FOUND', 'There is no such calendar.');
  const [text, revision] = await Promise.all([
    feedText(ctx, listing),
    ctx.table.get(FeedRevisionEntity, { calendar_id: calendarOf(listing) }),
  ]);
  return new Answered(text, { headers: feedHeaders(listing, text, revision) });
};

const feedText = async ({ table, clock }: Pick<Context, 'table' | 'clock'>, listing: Listing) => {
  const date = today(clock.now(), listing.timezone);
  const range = {
    start_at: atTime(addDays(date, -daysBack), midnight),
    end_at: atTime(addDays(date, daysAhead), midnight),
  };
  const entries = await overlappingEntries(table, calendarOf(listing), range);
  const taken = entries.filter((entry) => entry.state !== 'SOFT_LOCK' && concerns(entry, listing.id));
  const properties: Property[] = [
    ['BEGIN', 'VCALENDAR'],
    ['VERSION', '2.0'],
    ['PRODID', '-//Nightlatch//Availability//EN'],
    ['CALSCALE', 'GREGORIAN'],
    ['METHOD', 'PUBLISH'],
    ['X-WR-CALNAME', escapeText(listing.name)],
    ['X-WR-TIMEZONE', listing.timezone],
    ['REFRESH-INTERVAL;VALUE=DURATION', 'PT15M'],
    ['X-PUBLISHED-TTL', 'PT15M'],
    ...(taken.length > 0 ? taken.flatMap((entry) => eventsOf(entry, listing)) : emptyCalendar),
    ['END', 'VCALENDAR'],
  ];
  return calendarText(properties);
};

const feedHeaders = ({ id, created_at }: Listing, text: string, revision: FeedRevision | undefined) => ({
  ETag: `"${createHash('sha256').update(text).digest('base64url')}"`,
  'Last-Modified': new Date(revision?.changed_at ?? created_at).toUTCString(),
  'Cache-Control': 'private, no-cache',
  'Content-Disposition': `inline; filename="listing-${id}.ics"`,
});
