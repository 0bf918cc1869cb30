import { isDeepStrictEqual } from 'node:util';
import type { Dependencies } from '../../platform/context.ts';
import { readOf, type Table } from '../../platform/table/index.ts';
import { toLocal } from '../../platform/time/time.ts';
import {
  type AvailabilityEntry,
  CalendarDraft,
  calendarOf,
  affectsListing,
  type ListingTime,
  type LocalRange,
  overlappingEntries,
  overlaps,
} from '../calendar/model.ts';
import type { Listing } from '../listing/model.ts';
import { type FeedConflict, FeedContentsEntity, feedsOf, type FollowedFeed } from './ical.store.ts';
import { stayOf } from './imported-stay.rules.ts';
import { type AdoptedStay, adoptedStays } from './adopted-stays.ts';
import { keptEvent, type KeptEvent } from './kept-events.ts';
import type { FeedEvent } from './reading/read-feed.ts';
import { type WantedTime, wantedTimes } from './wanted-times.ts';
import { beside, common, gapsIn, mergedTimes, textOf, textsOf } from './stretches.ts';

export interface PlannedBlock extends ListingTime, Pick<WantedTime, 'imported'> {
  /** What is left of this block of the house. */
  rest?: AvailabilityEntry;
  /** The calendar of the house that gets it. */
  feed?: FollowedFeed;
}

/** What has to change so that a feed's blocks are what they should be. */
export interface FeedBlockPlan {
  /** The feed's blocks as they are. */
  own: AvailabilityEntry[];
  removed: AvailabilityEntry[];
  /** Imported blocks of the house of which a room takes its time, with their calendars. */
  lifted: { entry: AvailabilityEntry; feed: FollowedFeed | undefined }[];
  added: PlannedBlock[];
  /** Blocks that stay, of which the calendar says something else now, as they will be. */
  relabelled: AvailabilityEntry[];
  /** The feed's own blocks as they will be: the listing's, and those of its children where it cannot be blocked as a whole. */
  blocks: PlannedBlock[];
  /** The stays of the feed that were adopted, with their events (D120). */
  adopted: AdoptedStay[];
  /** Wanted time that a booking, a block or a soft lock of ours holds. */
  conflicts: FeedConflict[];
  /** Wanted time that another feed's block holds: it is covered, for as long as that one stands. */
  isShared: boolean;
  /** Wanted time of a house that its rooms' entries take, and so the house with them (D113). */
  explained: LocalRange[];
}

const endOfCalendars = '2200-01-01T00:00:00';

interface Planning {
  listing: Listing;
  feed: FollowedFeed;
  events: readonly (FeedEvent | KeptEvent)[];
}

/** The calendar of a listing as a plan needs it. */
interface Survey extends Planning {
  wanted: readonly WantedTime[];
  /** Local time: what has ended is no conflict. */
  now: string;
  /** Without the feed's own blocks and {@link Survey.lifted}. */
  draft: CalendarDraft;
  own: AvailabilityEntry[];
  /** Its adopted stays, which hold their time. */
  adopted: AvailabilityEntry[];
  /** Stays, blocks and soft locks of ours. */
  ours: AvailabilityEntry[];
  /** Blocks and adopted stays of other feeds. */
  others: AvailabilityEntry[];
  /** Imported blocks of the house over time that its room wants. */
  lifted: AvailabilityEntry[];
  /** What explains a house's events: the rooms' stays and blocks (D113). */
  rooms: AvailabilityEntry[];
}

/**
 * Reads a listing's calendar and works out what a feed's blocks lack. Time of a house that a room has taken takes none of the
 * other rooms; where the house's own time is taken in part, its rooms are blocked instead, as far as they are free (D113).
 */
export const planFeedBlocks = async (
  deps: Pick<Dependencies, 'table' | 'clock'>,
  planning: Planning,
): Promise<FeedBlockPlan> => {
  const survey = await surveyed(deps, planning);
  const plan: FeedBlockPlan = {
    own: survey.own,
    removed: [],
    lifted: [],
    added: [],
    relabelled: [],
    adopted: adoptedStays(
      survey.adopted,
      planning.events,
      ({ summary }) => summary === undefined || stayOf(planning.feed, planning.listing, summary) !== null,
    ),
    blocks: [],
    conflicts: [],
    isShared: false,
    explained: [],
  };
  for (const range of survey.wanted) planRange(plan, survey, range);
  plan.conflicts.push(...soldBeside(plan.adopted, survey));
  const standing = new Set(survey.own.map(blockText));
  const target = new Map(plan.blocks.map((block) => [blockText(block), block]));
  plan.added = plan.blocks.filter((block) => !standing.has(blockText(block)));
  plan.removed = survey.own.filter((entry) => !target.has(blockText(entry)));
  plan.relabelled = survey.own.flatMap((entry) => relabelled(entry, target.get(blockText(entry))?.imported));
  if (!isHouse(planning.listing)) await planHouse(deps.table, plan, survey);
  return plan;
};

const relabelled = (
  { imported: before, ...entry }: AvailabilityEntry,
  imported: PlannedBlock['imported'],
): AvailabilityEntry[] => {
  if (imported === undefined || isDeepStrictEqual(before ?? null, imported)) return [];
  return [imported ? { ...entry, imported } : entry];
};

const isHouse = (listing: Listing): boolean => listing.id === calendarOf(listing);

/** Months are read before entries: a write in between shows. */
const surveyed = async (
  { table, clock }: Pick<Dependencies, 'table' | 'clock'>,
  planning: Planning,
): Promise<Survey> => {
  const { listing, feed, events } = planning;
  const wanted = wantedTimes(events, feed, listing);
  const calendarId = calendarOf(listing);
  const draft = await CalendarDraft.load(table, wanted.map(timeIn(listing)), clock.now());
  const now = toLocal(clock.now(), listing.timezone);
  const entries = await overlappingEntries(table, calendarId, { start_at: now, end_at: endOfCalendars });
  const concerned = entries.filter((entry) => affectsListing(entry, listing.id));
  const theirs = concerned.filter((entry) => entry.feed_id === feed.feed_id);
  const own = theirs.filter(isBlock);
  const lifted = entries.filter(
    (entry) => isBlock(entry) && isOfHouse(entry) && wanted.some((range) => overlaps(entry, range)),
  );
  const gone = isHouse(listing) ? own : [...own, ...lifted];
  await draft.complete(table, gone);
  for (const entry of gone) draft.free(entry);
  return {
    ...planning,
    wanted,
    now,
    draft,
    own,
    adopted: theirs.filter((entry) => !isBlock(entry)),
    ours: concerned.filter((entry) => entry.feed_id === undefined),
    others: concerned.filter((entry) => entry.feed_id !== undefined && entry.feed_id !== feed.feed_id),
    lifted,
    rooms: isHouse(listing) ? concerned.filter((entry) => explains(entry, listing)) : [],
  };
};

const isBlock = ({ state }: AvailabilityEntry): boolean => state === 'BLOCKED';

/** Whether a block was imported for a house: into it, or into a room because the house was taken in part. */
const isOfHouse = ({ listing_id, calendar_id, feed_id, imported_for }: AvailabilityEntry): boolean =>
  imported_for !== undefined || (feed_id !== undefined && listing_id === calendar_id);

const timeIn =
  (listing: Listing, listingId = listing.id) =>
  ({ start_at, end_at }: LocalRange): ListingTime => ({
    calendar_id: calendarOf(listing),
    listing_id: listingId,
    start_at,
    end_at,
  });

/** A stay or a block of a room, but no soft lock, of which no platform knows, and nothing that was imported for the house. */
const explains = ({ listing_id, state, imported_for }: AvailabilityEntry, house: Listing): boolean =>
  listing_id !== house.id && state !== 'SOFT_LOCK' && imported_for === undefined;

const freeOf = ({ draft, listing }: Survey, range: LocalRange, listingId: number): ListingTime[] => {
  const timeOf = timeIn(listing, listingId);
  return gapsIn(range, draft.taken(timeOf(range))).map(timeOf);
};

const planRange = (plan: FeedBlockPlan, survey: Survey, range: WantedTime): void => {
  const { draft, listing, adopted, rooms, now } = survey;
  // A sale beside one that another platform has made is a conflict; what merely closes its nights is not.
  const isSecondSale = (entry: AvailabilityEntry): boolean =>
    !isBlock(entry) &&
    entry.listing_id === listing.id &&
    range.imported !== null &&
    range.imported !== undefined;
  const ours = [...survey.ours, ...survey.others.filter(isSecondSale)];
  const others = survey.others.filter((entry) => !isSecondSale(entry));
  const explained = rooms.flatMap((entry) => common(entry, range));
  plan.explained.push(...explained);
  for (const open of beside(range, [...explained, ...adopted])) {
    const taken = draft.taken(timeIn(listing)(open));
    const isWhole = (time: LocalRange): boolean => textOf(time) === textOf(range);
    plan.blocks.push(
      ...freeOf(survey, open, listing.id).map((time) => ({
        ...time,
        imported: isWhole(time) ? range.imported : null,
      })),
    );
    // Who has taken the house has taken its rooms: those that are not held yet are not to be sold.
    for (const child of listing.child_listing_ids)
      plan.blocks.push(...taken.flatMap((stretch) => freeOf(survey, stretch, child)));
    // A block of another feed's hides nothing of ours: a sibling's may hold the same hours.
    const conflicts = taken.flatMap((stretch) =>
      mergedTimes([...gapsIn(stretch, others), ...ours.flatMap((entry) => common(entry, stretch))]),
    );
    plan.conflicts.push(
      ...conflicts.filter(({ end_at }) => end_at > now).map((conflict) => inWay(conflict, ours)),
    );
    plan.isShared ||= taken.length > 0 && textsOf(conflicts) !== textsOf(taken);
  }
};

/** Events of the feed itself that are stays over an adopted one which is another event. */
const soldBeside = (
  adopted: readonly AdoptedStay[],
  { events, feed, listing, now }: Survey,
): FeedConflict[] => {
  const led = new Set(adopted.map(({ event }) => event?.key));
  const others = events.filter(
    ({ key, summary }) => !led.has(key) && summary !== undefined && stayOf(feed, listing, summary) !== null,
  );
  return adopted.flatMap(({ entry, event }) =>
    event && (!('misses' in event) || event.misses === 0)
      ? others
          .flatMap((other) => common(entry, other))
          .filter(({ end_at }) => end_at > now)
          .map((time) => ({ ...time, booking_id: entry.reservation_id }))
      : [],
  );
};

/** Says what is in the way: a booking before a block before a soft lock. */
const inWay = (range: LocalRange, ours: readonly AvailabilityEntry[]): FeedConflict => {
  const met = ours.filter((entry) => overlaps(entry, range));
  const booking = met.find(({ state }) => state === 'BOOKED');
  const isHeld = met.length > 0 && met.every(({ state }) => state === 'SOFT_LOCK');
  return { ...range, booking_id: booking?.reservation_id ?? null, ...(isHeld ? { held: true } : {}) };
};

/**
 * A room takes its time out of the house's imported blocks, and gives what it no longer needs to a calendar of the house that
 * wants it as it was read last (D113).
 */
const planHouse = async (table: Table, plan: FeedBlockPlan, survey: Survey): Promise<void> => {
  const { listing, draft } = survey;
  const lifted = survey.lifted.filter((entry) => plan.blocks.some((block) => overlaps(entry, block)));
  if (plan.removed.length + lifted.length === 0) return;
  const houseId = calendarOf(listing);
  const timeOf = timeIn(listing, houseId);
  const feeds = (await feedsOf(table, houseId)).filter(({ state }) => state === 'FOLLOWING');
  for (const entry of lifted) {
    const feed = feeds.find(({ feed_id }) => feed_id === entry.feed_id);
    plan.lifted.push({ entry, feed });
    // Nothing new is made for a calendar whose blocks are being lifted.
    if (!feed) continue;
    const restOf = timeIn(listing, entry.listing_id);
    plan.added.push(...beside(entry, plan.blocks).map((gap) => ({ ...restOf(gap), rest: entry })));
  }
  const contents = await table.getAll(feeds.map((feed) => readOf(FeedContentsEntity, feed)));
  // What two calendars want is one block, of the first.
  const held: LocalRange[] = [...plan.blocks];
  for (const [at, feed] of feeds.entries()) {
    const wanted = wantedTimes((contents[at]?.events ?? []).map(keptEvent), feed, listing);
    const given = plan.removed
      .flatMap((entry) => wanted.flatMap((time) => common(time, entry)))
      .flatMap((time) => beside(time, held));
    await draft.complete(table, given.map(timeOf));
    plan.added.push(
      ...given.flatMap((time) => freeOf(survey, time, houseId)).map((time) => ({ ...time, feed })),
    );
    held.push(...given);
  }
};

const blockText = (block: Omit<ListingTime, 'calendar_id'>): string => `${block.listing_id} ${textOf(block)}`;
