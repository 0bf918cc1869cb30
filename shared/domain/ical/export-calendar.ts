import { createHash } from 'node:crypto';
import type { Context, Dependencies } from '../../platform/context.ts';
import { ServiceError } from '../../platform/errors.ts';
import { Reply } from '../../platform/http/reply.ts';
import { equals, put, type Read, readOf, retryOnConflict } from '../../platform/table/index.ts';
import { type AvailabilityEntry, calendarOf, wholeHours } from '../calendar/model.ts';
import { type Listing, listingRead } from '../listing/model.ts';
import { exportedEntries } from './exported-entries.ts';
import { givenBy, givenNow, givenText, givenTime, hoursOf } from './exported-times.ts';
import { calendarText, emptyCalendar, escapeText, eventsOf, type Property } from './feed-events.ts';
import { feedOfToken, opens } from './feed-exports.ts';
import { offeredEntries } from './offered-entries.ts';
import {
  type FeedExport,
  FeedExportEntity,
  type FeedRevision,
  FeedRevisionEntity,
  type FeedToken,
  FeedTokenEntity,
} from './ical.store.ts';

/**
 * The entries for a follower, kept as what it is about to be given before it has them, so that their echo is never met as
 * something unknown (D94). Of fetches at once the last one to be kept has read its entries last: they are read again where
 * another one was kept meanwhile. Nothing is written where the follower was given the same before. Undefined: it is none any
 * more.
 */
const givenEntries = async (
  deps: Pick<Dependencies, 'table' | 'clock'>,
  listing: Listing,
  read: FeedExport,
): Promise<readonly AvailabilityEntry[] | undefined> => {
  const { table, clock } = deps;
  let known: FeedExport | undefined = read;
  return retryOnConflict(async () => {
    const before = known ?? (await table.get(FeedExportEntity, read));
    known = undefined;
    if (!before) return undefined;
    const entries = await exportedEntries(deps, listing, before.feed_id);
    const now = clock.now();
    const offered = await offeredEntries(deps, listing, { entries, follower: before.feed_id });
    const current = offered.flatMap((entry) => givenBy(entry, listing));
    const standing = entries.map((entry) => hoursOf(wholeHours(entry)));
    const times = givenNow(before.given.map(givenTime), current, { standing, now, goneAt: now });
    const given = times.map(givenText);
    if (given.join() === before.given.join()) return offered;
    const after = { ...before, given, version: before.version + 1 };
    await table.put(put(FeedExportEntity, after, { when: equals('version', before.version) }));
    return offered;
  });
};

/**
 * The taken time of a listing as an iCalendar (RFC 5545) for a subscriber with its token: stays and blocks, those of parent
 * and children included, no soft locks, no guest data (D64). With the token of a followed feed without what came from that
 * feed, and what is given is remembered (D94). The entries are read at every call, so a stay shows at once; the ETag is made
 * from the text itself, so that 304 is never answered to a subscriber that has not seen it.
 */
export const exportCalendar = async (
  ctx: Pick<Context, 'table' | 'clock'>,
  listingId: number,
  query: { token?: string | undefined },
): Promise<Reply<string>> => {
  const feedId = feedOfToken(query.token);
  const openerRead: Read<FeedToken | FeedExport> =
    feedId === undefined
      ? readOf(FeedTokenEntity, { listing_id: listingId })
      : readOf(FeedExportEntity, { listing_id: listingId, feed_id: feedId });
  const [opener, listing] = await ctx.table.getAll([openerRead, listingRead(listingId)]);
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
  // Caches between us and the platforms may answer for a minute; a platform asks again each time.
  'Cache-Control': 'public, max-age=0, s-maxage=60',
  'Content-Disposition': `inline; filename="listing-${id}.ics"`,
});
