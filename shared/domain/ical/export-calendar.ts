import { createHash } from 'node:crypto';
import type { Context } from '../../platform/context.ts';
import { ServiceError } from '../../platform/errors.ts';
import { Reply } from '../../platform/http/answer.ts';
import { type AvailabilityEntry, calendarOf } from '../calendar/index.ts';
import { type Listing, listingRead } from '../listing/index.ts';
import { calendarText, escapeText, type Property } from './calendar-text.ts';
import { exportedEntries } from './exported-entries.ts';
import { type FeedExport, FeedExportEntity } from './feed-export.entity.ts';
import { emptyCalendar, eventsOf } from './feed-events.ts';
import { feedOfToken, opens } from './feed-token.ts';
import { type FeedRevision, FeedRevisionEntity, type FeedToken, FeedTokenEntity } from './ical.entity.ts';
import { givenEntries } from './given-entries.ts';

/**
 * The taken time of a listing as an iCalendar (RFC 5545) for a subscriber with its token: stays and blocks, those of parent
 * and children included, no soft locks, no guest data (D64). With the token of a followed feed without what came from that
 * feed, and what is given is remembered (D94). The entries are read at every call, so a stay shows at once; the ETag is made
 * from the text itself, so that 304 is never answered to a subscriber that has not seen it.
 */
export const exportCalendar = async (
  ctx: Pick<Context, 'table' | 'clock'>,
  listingId: number, query: { token?: string | undefined },
): Promise<Reply<string>> => {
  const feed_id = feedOfToken(query.token);
  const [opener, listing] = (await ctx.table.getAll([
    {
      key:
        feed_id === undefined
          ? FeedTokenEntity.key({ listing_id: listingId })
          : FeedExportEntity.key({ listing_id: listingId, feed_id }),
    },
    listingRead(listingId),
  ])) as [FeedToken | FeedExport | undefined, Listing | undefined];
  if (!opens(opener, query.token) || !listing || listing.state === 'ARCHIVED') throw noCalendar();
  const [entries, revision] = await Promise.all([
    opener && 'given' in opener
      ? givenEntries(ctx, listing, opener)
      : exportedEntries(ctx, listing, undefined),
    ctx.table.get(FeedRevisionEntity, { calendar_id: calendarOf(listing) }),
  ]);
  if (!entries) throw noCalendar();
  const text = feedText(entries, listing);
  return new Reply(text, { headers: feedHeaders(listing, text, revision) });
};

const noCalendar = () => new ServiceError('NOT_FOUND', 'There is no such calendar.');

const feedText = (entries: readonly AvailabilityEntry[], listing: Listing): string => {
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
    ...(entries.length > 0 ? entries.flatMap((entry) => eventsOf(entry, listing)) : emptyCalendar),
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
