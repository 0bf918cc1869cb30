import type { AvailabilityEntry } from '../../../../shared/domain/calendar/calendar.store.ts';
import { takenUntil } from '../../../../shared/domain/calendar/hours.rules.ts';
import { readListing } from '../../../../shared/domain/listing/model.ts';
import type { CalendarFeed } from '../../../../shared/domain/ical/ical.schema.ts';
import type { Listing } from '../../../../shared/domain/listing/listing.entity.ts';
import type { Table } from '../../../../shared/platform/table/index.ts';
import { Checker, emptyOutcome, type Own } from '../../ical/checker.ts';
import type { Platform } from '../../ical/platform.ts';
import { takenNights } from '../../ical/world.ts';
import type { Item } from '../../memory/values.ts';
import type { Platforms } from '../platforms.ts';
import type { Home, Town } from '../town.ts';
import { AdoptedJudge, astrayIn, type Seen } from './adopted.ts';

/** Compares our calendars with those of the platforms when all is quiet: no phantom, no missing night, no silent conflict. */
export const calendarProblems = async (
  town: Town,
  platforms: Platforms,
  table: Table,
  items: readonly Item[],
): Promise<string[]> => {
  platforms.noteKept();
  const seen: Seen[] = [];
  for (const { platform, home } of platforms.linked) {
    const followed = town.followed.find(({ url }) => url === platform.url)!;
    seen.push({ platform, followed, feed: await feedOf(town, home, platform) });
  }
  const problems = await new AdoptedJudge(town, items, seen).problems();
  const astray = astrayIn(items, seen);
  const families = town.homes.filter(({ parent }) => parent === undefined);
  for (const home of families) {
    const rooms = town.homes.filter(({ parent }) => parent === home.id);
    const ids = [home.id, ...rooms.map(({ id }) => id)];
    const linked = seen.filter(({ followed }) => ids.includes(followed.home.id));
    if (linked.length === 0) continue;
    const listings = (await Promise.all(ids.map((id) => readListing(table, id)))) as Listing[];
    const outcome = emptyOutcome();
    const compared = {
      now: town.sim.now(),
      days: platforms.days,
      listings,
      platforms: linked.map(({ platform }) => platform),
      taken: (listing: Listing, range: Parameters<typeof takenNights>[2]) =>
        takenNights({ table, clock: town.sim }, listing, range),
      feed: async (platform: Platform) => linked.find((one) => one.platform === platform)!.feed,
    };
    await new Checker(compared, ownIn(items, listings, astray), outcome).check();
    problems.push(...outcome.problems);
  }
  return problems;
};

const feedOf = async (town: Town, home: Home, { url }: Platform): Promise<CalendarFeed> => {
  const path = `/api/v1/listings/${home.id}/calendar/ical`;
  const { json } = await town.must(home.team, { verb: 'listFeeds', method: 'GET', path });
  const feed = (json as { items: CalendarFeed[] }).items.find((one) => one.url === url);
  if (!feed) throw new Error(`${url} is not followed`);
  return feed;
};

/** Stays and blocks that did not come from a platform, and stays that could not follow one. */
const ownIn = (
  items: readonly Item[],
  listings: readonly Listing[],
  astray: readonly { reservation_id: number }[],
): Own[] =>
  items
    .filter(({ entity }) => entity === 'AvailabilityEntry')
    // When all is quiet every soft lock has expired, and TTL may not have deleted it.
    .filter(({ state }) => state !== 'SOFT_LOCK')
    .flatMap((item) => {
      const listing = listings.find(({ id }) => id === item['listing_id']);
      const { availability_id, start_at, feed_id, ...rest } = item as unknown as AvailabilityEntry;
      const isAstray = astray.some(({ reservation_id: id }) => id === rest.reservation_id);
      const kind = isAstray ? ('astray' as const) : ('stay' as const);
      return listing && (feed_id === undefined || isAstray)
        ? [{ id: availability_id, listing, kind, start_at, end_at: takenUntil(rest) }]
        : [];
    });
