import { feeds } from '../../functions/feeds/index.ts';
import { feedsRoutes } from '../../functions/feeds/routes.ts';
import { calendarSyncWorker } from '../../functions/workers/calendar-sync/index.ts';
import { overlappingEntries } from '../../shared/domain/calendar/calendar.store.ts';
import { exportCalendar } from '../../shared/domain/ical/export-calendar.ts';
import type { FetchCalendar } from '../../shared/domain/ical/fetch-calendar.ts';
import type { CalendarFeed } from '../../shared/domain/ical/ical.schema.ts';
import { feedsOf } from '../../shared/domain/ical/ical.store.ts';
import { listFeeds } from '../../shared/domain/ical/list-feeds.ts';
import type { Listing } from '../../shared/domain/listing/listing.entity.ts';
import type { Context } from '../../shared/platform/context.ts';
import { OutgoingFailure } from '../../shared/platform/outgoing/index.ts';
import { calendarWith } from './calendars.ts';
import { eventScene, queueEvent } from './events.ts';
import { groupCalls } from './group-calls.ts';
import { testContext, type TestDependencies } from './table.ts';
import { besideFunctions } from './rights/as-function.ts';

/** The remote calendar; may be changed between two fetches. */
interface Remote {
  text: string;
  /** Those of addresses with one of their own. */
  texts: Record<string, string>;
  status: number;
  headers: Record<string, string>;
  /** Whether it does not respond. */
  silent: boolean;
  /** The headers of each fetch. */
  asked: Record<string, string>[];
  /** Runs during a fetch. */
  meanwhile: (() => Promise<void>) | undefined;
}

export const url = 'https://calendars.example.com/x.ics';
export const apiUrl = 'https://api';
const minuteMs = 60_000;
const wholeCalendar = { start_at: '2020-01-01T00:00:00', end_at: '2199-01-01T00:00:00' };

/** Creates a listing that follows calendars, its users, and the remote calendar. */
export const importScene = async (given: Partial<Listing> = {}) => {
  const scene = await eventScene(given);
  const remote: Remote = {
    text: calendarWith(),
    texts: {},
    status: 200,
    headers: {},
    silent: false,
    asked: [],
    meanwhile: undefined,
  };
  const fetchCalendar = fetchFrom(remote);
  const { ok, refusal, call } = groupCalls(feeds(() => scene.deps, fetchCalendar) as never, feedsRoutes);
  const params = { listing_id: scene.listing.id };
  const owner = scene.owner.caller;
  const worker = calendarSyncWorker(() => ({ ...scene.deps, fetchCalendar }));
  const sync = async (): Promise<CalendarFeed> => {
    for (const { listing_id, url_hash } of await feedsOf(scene.deps.table, scene.listing.id))
      await worker(queueEvent(JSON.stringify({ listing_id, url_hash })));
    return (await list())[0]!;
  };
  const list = async () => (await ok(owner, 'listFeeds', { params })).items;
  return {
    ...scene,
    ...remoteTexts(remote),
    remote,
    fetchCalendar,
    worker,
    sync,
    list,
    call,
    refusal,
    follow: (address = url) => ok(owner, 'followCalendar', { params, body: { url: address } }),
    changeFeed: (feed_id: number, body: object) =>
      ok(owner, 'changeFeed', { params: { ...params, feed_id }, body }),
    unfollow: (feed_id: number) => ok(owner, 'unfollowCalendar', { params: { ...params, feed_id } }),
    /** Runs the next regular fetch. */
    next: (minutes = 10) => {
      scene.deps.clock.advance(minutes * minuteMs);
      return sync();
    },
    blocks: () => blocksOf(scene.deps, scene.listing),
    /** The address from which the follower behind a feed fetches our calendar. */
    exportUrl: async (of = url): Promise<string> => {
      const { items } = await listFeeds(testContext(scene.deps, owner), scene.listing.id, apiUrl);
      return items.find((item) => item.url === of)?.export_url ?? '';
    },
    /** What is found at an export address. */
    fetched: (address: string, { table, clock }: Pick<Context, 'table' | 'clock'> = scene.deps) => {
      const { pathname, searchParams } = new URL(address);
      const token = searchParams.get('token') ?? '';
      return exportCalendar({ table, clock }, Number(pathname.split('/')[4]), { token });
    },
  };
};

const remoteTexts = (remote: Remote) => ({
  publish: (...events: string[][]) => void (remote.text = calendarWith(...events)),
});

const fetchFrom =
  (remote: Remote): FetchCalendar =>
  async (address, headers) => {
    remote.asked.push(headers);
    await besideFunctions(() => remote.meanwhile?.());
    if (remote.silent) throw new OutgoingFailure('did not answer within 10 seconds');
    const isKnown =
      remote.headers['etag'] !== undefined && headers['If-None-Match'] === remote.headers['etag'];
    return {
      status: isKnown ? 304 : remote.status,
      headers: remote.headers,
      body: Buffer.from(isKnown ? '' : (remote.texts[address] ?? remote.text)),
      url: address,
    };
  };

/** Returns the imported blocks of a listing as `2027-02-04T14 2027-02-05T12`, in order. */
export const blocksOf = async ({ table }: Pick<TestDependencies, 'table'>, listing: Listing) => {
  const calendarId = listing.parent_listing_id ?? listing.id;
  const entries = await overlappingEntries(table, calendarId, wholeCalendar);
  return entries
    .filter(({ feed_id, listing_id }) => feed_id !== undefined && listing_id === listing.id)
    .map(({ start_at, end_at }) => `${start_at.slice(0, 13)} ${end_at.slice(0, 13)}`);
};
