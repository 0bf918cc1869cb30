import { TransactWriteCommand } from '../../../shared/platform/dynamodb/index.ts';
import { cancelBooking } from '../../../shared/domain/booking/cancel-booking.ts';
import { blockTime, unblockTime } from '../../../shared/domain/calendar/block-time.ts';
import { overlappingEntries } from '../../../shared/domain/calendar/calendar.store.ts';
import { calendarOf, affectsListing } from '../../../shared/domain/calendar/listing-time.rules.ts';
import { confirmCheckout } from '../../../shared/domain/checkout/confirm-checkout.ts';
import { takenUntil } from '../../../shared/domain/calendar/hours.rules.ts';
import { exportCalendar } from '../../../shared/domain/ical/export-calendar.ts';
import type { FetchCalendar } from '../../../shared/domain/ical/fetch-calendar.ts';
import { followCalendar } from '../../../shared/domain/ical/follow-calendar.ts';
import type { CalendarFeed } from '../../../shared/domain/ical/ical.schema.ts';
import {
  type FeedIds,
  type FollowedFeed,
  FollowedFeedEntity,
  urlHash,
} from '../../../shared/domain/ical/ical.store.ts';
import { listFeeds } from '../../../shared/domain/ical/list-feeds.ts';
import { markFeedsChanged } from '../../../shared/domain/ical/mark-feeds-changed.ts';
import { syncFeed } from '../../../shared/domain/ical/sync-feed.ts';
import type { Listing } from '../../../shared/domain/listing/listing.entity.ts';
import { nightOf } from '../../../shared/domain/pricing/rate-card.rules.ts';
import type { EventOf } from '../../../shared/events.ts';
import type { Caller, UserCaller } from '../../../shared/platform/auth.ts';
import type { Context, Dependencies } from '../../../shared/platform/context.ts';
import { ServiceError } from '../../../shared/platform/errors.ts';
import { OutgoingFailure } from '../../../shared/platform/outgoing/index.ts';
import { noGateway } from '../../../shared/platform/payment/no-gateway.ts';
import { Table } from '../../../shared/platform/table/index.ts';
import { type Subscribed, typesOf } from '../../../shared/subscriptions.ts';
import { type Command, SimulatedTable } from '../memory/simulated-table.ts';
import { silentLog } from '../schedule/handlers.ts';
import { callers, listingWrites, plainListing, start } from '../schedule/scene.ts';
import { dateText, dayOf, type Nights, type Platform } from './platform.ts';
import type { CalendarBug } from './seeded-bugs.ts';
import { testSealing } from '../../support/sealing.ts';
import { senderOf } from '../../support/sender.ts';

const apiUrl = 'https://nightlatch.example.com';
const parentId = 500;
export const familyOf = (children: number): Listing[] => {
  const ids = Array.from({ length: children }, (_, child) => parentId + 1 + child);
  return [
    { ...plainListing(parentId, 1, 'house'), child_listing_ids: ids },
    ...ids.map((id) => ({ ...plainListing(id, 1, `room-${id}`), parent_listing_id: parentId })),
  ];
};

const withoutBug = (command: Command): Command => command;

/** Our side, over the table in memory: real verbs, and time that the history moves. */
export class World {
  now = start;
  readonly listings: Listing[];
  readonly platforms: Platform[] = [];
  readonly deps: Dependencies & { fetchCalendar: FetchCalendar };
  readonly #bug: CalendarBug | undefined;
  readonly #pending: CalendarEvent[] = [];
  readonly #addresses = new Map<string, string>();

  constructor(listings: Listing[], bug: CalendarBug | undefined) {
    this.listings = listings;
    this.#bug = bug;
    const memory = new SimulatedTable();
    const tamper = bug?.tamper ?? withoutBug;
    const send = async (command: Command): Promise<object> => {
      const reply = await memory.execute(tamper(command));
      if (command instanceof TransactWriteCommand) this.#pending.push(...eventsIn(command));
      return reply;
    };
    this.deps = {
      table: new Table({ client: senderOf(send), tableName: 'prove' }),
      clock: { now: () => this.now },
      log: silentLog,
      payments: () => noGateway,
      sealing: testSealing,
      identity: () => {
        throw new Error('no identity provider takes part in a history');
      },
      fetchCalendar: (url, headers) => this.#fetched(url, headers),
    };
  }

  async open(): Promise<void> {
    for (const listing of this.listings) await this.deps.table.transact(listingWrites(listing));
  }

  /** A host follows a platform, which gets the export address that the host pastes there. */
  async follow(platform: Platform): Promise<CalendarFeed> {
    const params = { listing_id: platform.listing_id };
    const feed = await followCalendar(
      this.#ctx(callers.host),
      params.listing_id,
      { url: platform.url },
      { fetchCalendar: this.deps.fetchCalendar, apiUrl },
    );
    const general = this.#bug?.pastesGeneral
      ? (await listFeeds(this.#ctx(callers.host), params.listing_id, apiUrl)).export_url
      : undefined;
    this.#addresses.set(platform.url, general ?? feed.export_url);
    return feed;
  }

  async book(listing_id: number, { from, to }: Nights): Promise<number | undefined> {
    const item = { listing_id, check_in_date: dateText(from), check_out_date: dateText(to), guest_number: 1 };
    return unlessTaken(async () => {
      const request = { items: [item], payment_method: 'CASH' as const };
      const { reservations } = await confirmCheckout(this.#ctx(callers.an), request);
      return reservations[0]?.id;
    });
  }

  async cancel(booking_id: number): Promise<void> {
    await cancelBooking(this.#ctx(callers.host), booking_id);
  }

  async block(listing_id: number, block_date: string): Promise<number | undefined> {
    return unlessTaken(async () => (await blockTime(this.#ctx(callers.host), listing_id, { block_date })).id);
  }

  async unblock(listing_id: number, id: number): Promise<void> {
    await unblockTime(this.#ctx(callers.host), listing_id, id);
  }

  /** The ical worker receives the events since the last call. */
  async tell(): Promise<void> {
    for (const event of this.#pending.splice(0))
      if (typesOf('ical').includes(event.event_type)) await markFeedsChanged(this.deps, [event]);
  }

  /** The workers get the feed's message, perhaps twice at once. */
  async poll(platform: Platform, { twice = false } = {}): Promise<void> {
    const ids = idsOf(platform);
    await Promise.all([syncFeed(this.deps, ids), ...(twice ? [syncFeed(this.deps, ids)] : [])]);
  }

  /** The platform fetches our export. */
  async give(platform: Platform): Promise<void> {
    const address = new URL(this.#addresses.get(platform.url) ?? '');
    const { body } = await exportCalendar(this.deps, platform.listing_id, {
      token: address.searchParams.get('token') ?? '',
    });
    platform.import(body, this.now);
  }

  async followed(platform: Platform): Promise<FollowedFeed> {
    const feed = await this.deps.table.get(FollowedFeedEntity, idsOf(platform));
    if (!feed) throw new Error(`${platform.url} is not followed`);
    return feed;
  }

  /** The feed as its host sees it. */
  async feed(platform: Platform): Promise<CalendarFeed> {
    const params = { listing_id: platform.listing_id };
    const { items } = await listFeeds(this.#ctx(callers.host), params.listing_id, apiUrl);
    const feed = items.find(({ url }) => url === platform.url);
    if (!feed) throw new Error(`${platform.url} is not followed`);
    return feed;
  }

  taken(listing: Listing, range: Nights): Promise<Set<number>> {
    return takenNights(this.deps, listing, range);
  }

  async #fetched(url: string, headers: Record<string, string>) {
    const platform = this.platforms.find((one) => one.url === url);
    if (!platform || platform.isDown) throw new OutgoingFailure('did not answer within 10 seconds');
    const { text, etag, read } = platform.text(this.now);
    read();
    const isKnown = headers['If-None-Match'] === etag;
    return {
      status: isKnown ? 304 : 200,
      headers: { etag },
      body: Buffer.from(isKnown ? '' : text),
      url,
    };
  }

  #ctx(caller: Caller): Context<UserCaller> {
    return {
      ...this.deps,
      requestId: 'history',
      teamHeader: undefined,
      caller: caller as UserCaller,
      commit: async (writes, body) => {
        await this.deps.table.transact(writes);
        return body;
      },
      recordStart: (writes) => this.deps.table.transact(writes),
      startedId: async () => undefined,
    };
  }
}

/** The nights of a listing that cannot be booked, of a range. */
export const takenNights = async (
  { table, clock }: Pick<Dependencies, 'table' | 'clock'>,
  listing: Listing,
  range: Nights,
): Promise<Set<number>> => {
  const found = await overlappingEntries(table, calendarOf(listing), {
    start_at: `${dateText(range.from)}T00:00:00`,
    end_at: `${dateText(range.to + 1)}T00:00:00`,
  });
  // TTL may not have deleted a soft lock that has expired.
  const entries = found.filter(({ locked_until }) => locked_until === null || locked_until > clock.now());
  const nights = new Set<number>();
  for (let night = range.from; night < range.to; night++) {
    const hours = nightOf(listing, dateText(night));
    if (
      entries.some(
        (entry) =>
          affectsListing(entry, listing.id) &&
          entry.start_at < hours.end_at &&
          takenUntil(entry) > hours.start_at,
      )
    )
      nights.add(night);
  }
  return nights;
};

const idsOf = ({ listing_id, url }: Platform): FeedIds => ({ listing_id, url_hash: urlHash(url) });

type CalendarEvent = EventOf<Subscribed<'ical'>>;

const eventsIn = ({ input }: TransactWriteCommand): CalendarEvent[] =>
  (input.TransactItems ?? []).flatMap(({ Put }) =>
    Put?.Item?.['entity'] === 'Event' ? [Put.Item as CalendarEvent] : [],
  );

const unlessTaken = async <Result>(verb: () => Promise<Result>): Promise<Result | undefined> => {
  try {
    return await verb();
  } catch (error) {
    if (error instanceof ServiceError && error.code === 'LISTING_NOT_AVAILABLE') return undefined;
    throw error;
  }
};

export const firstDay = dayOf('2027-02-01');
