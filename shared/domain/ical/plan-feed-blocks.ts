import type { Dependencies } from '../../platform/context.ts';
import { readOf, type Table } from '../../platform/table/index.ts';
import { addDays, addHours, dateOf, nightsBetween, toLocal } from '../../platform/time.ts';
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
import { keptEvent } from './kept-events.ts';
import { mergedTimes } from './merged-times.ts';

export interface PlannedBlock extends ListingTime {
  /** What is left of this block of the house. */
  rest?: AvailabilityEntry;
  /** The calendar of the house that gets it. */
  feed?: FollowedFeed;
}

/** What has to change so that a feed's blocks are what they should be. */
export interface FeedBlockPlan {
  removed: AvailabilityEntry[];
  /** Imported blocks of the house of which a room takes its time, with their calendars. */
  lifted: { entry: AvailabilityEntry; feed: FollowedFeed | undefined }[];
  added: PlannedBlock[];
  /** The feed's own blocks as they will be: the listing's, and those of its children where it cannot be blocked as a whole. */
  blocks: ListingTime[];
  /** Wanted time that a booking, a block or a soft lock of ours holds. */
  conflicts: FeedConflict[];
  /** Wanted time that another feed's block holds: it is covered, for as long as that one stands. */
  isShared: boolean;
  /** Wanted time of a house that its rooms' entries take, and so the house with them (D113). */
  explained: LocalRange[];
}

const endOfCalendars = '2200-01-01T00:00:00';
const longestNights = 365;

/** The time that events take, as blocks: those that overlap are one, and none is longer than a stay. */
export const wantedTimes = (events: readonly LocalRange[]): LocalRange[] => mergedTimes(events).flatMap(cut);

const cut = ({ start_at, end_at }: LocalRange): LocalRange[] => {
  if (nightsBetween(start_at.slice(0, 10), end_at.slice(0, 10)) <= longestNights)
    return [{ start_at, end_at }];
  const middle = `${addDays(start_at.slice(0, 10), longestNights)}${start_at.slice(10)}`;
  return [{ start_at, end_at: middle }, ...cut({ start_at: middle, end_at })];
};

interface Planning {
  listing: Listing;
  feed_id: number;
  wanted: readonly LocalRange[];
}

/**
 * Reads a listing's calendar and works out what a feed's blocks lack. Time of a house that a room has taken takes none of the
 * other rooms; where the house's own time is taken in part, its rooms are blocked instead, as far as they are free. A room takes its
 * time out of the house's imported blocks, and gives it back to a calendar of the house that still wants it (D113). Months are read
 * before entries: a write in between shows.
 */
export const planFeedBlocks = async (
  { table, clock }: Pick<Dependencies, 'table' | 'clock'>,
  { listing, feed_id, wanted }: Planning,
): Promise<FeedBlockPlan> => {
  const calendarId = calendarOf(listing);
  const now = toLocal(clock.now(), listing.timezone);
  const timeOf = ({ start_at, end_at }: LocalRange, listingId = listing.id): ListingTime => ({
    calendar_id: calendarId,
    listing_id: listingId,
    start_at,
    end_at,
  });
  const draft = await CalendarDraft.load(
    table,
    wanted.map((range) => timeOf(range)),
    clock.now(),
  );
  const entries = await overlappingEntries(table, calendarId, { start_at: now, end_at: endOfCalendars });
  const concerned = entries.filter((entry) => affectsListing(entry, listing.id));
  const isOwn = (entry: AvailabilityEntry) => entry.feed_id === feed_id;
  const own = concerned.filter(isOwn);
  const isOfHouse = (entry: AvailabilityEntry) => entry.listing_id === calendarId;
  const imported = concerned.filter((entry) => entry.feed_id !== undefined && !isOwn(entry));
  const ours = concerned.filter((entry) => entry.feed_id === undefined);
  const handed =
    listing.id === calendarId
      ? []
      : imported.filter((entry) => isOfHouse(entry) && wanted.some((range) => overlaps(entry, range)));
  await draft.complete(table, [...own, ...handed]);
  for (const entry of [...own, ...handed]) draft.free(entry);
  const others = imported.filter((entry) => !handed.includes(entry));
  const plan: FeedBlockPlan = {
    removed: [],
    lifted: [],
    added: [],
    blocks: [],
    conflicts: [],
    isShared: false,
    explained: [],
  };
  const freeOf = (range: LocalRange, listingId: number): ListingTime[] =>
    gapsIn(range, draft.taken(timeOf(range, listingId))).map((gap) => timeOf(gap, listingId));
  const rooms =
    listing.id === calendarId
      ? concerned.filter((entry) => !isOfHouse(entry) && explains(entry, listing))
      : [];
  for (const range of wanted) {
    const explained = rooms.filter((entry) => !isOwn(entry)).flatMap((entry) => common(entry, range));
    plan.explained.push(...explained);
    for (const open of beside(range, explained)) {
      const taken = draft.taken(timeOf(open));
      plan.blocks.push(...freeOf(open, listing.id));
      // Who has taken the house has taken its rooms: those that are not held yet are not to be sold.
      for (const child of listing.child_listing_ids)
        plan.blocks.push(...taken.flatMap((stretch) => freeOf(stretch, child)));
      // A block of another feed's hides nothing of ours: a sibling's may hold the same hours.
      const conflicts = taken.flatMap((stretch) =>
        mergedTimes([...gapsIn(stretch, others), ...ours.flatMap((entry) => common(entry, stretch))]),
      );
      plan.conflicts.push(...conflicts);
      plan.isShared ||= taken.length > 0 && textsOf(conflicts) !== textsOf(taken);
    }
  }
  const standing = new Set(own.map(blockText));
  const target = new Set(plan.blocks.map(blockText));
  plan.added = plan.blocks.filter((block) => !standing.has(blockText(block)));
  plan.removed = own.filter((entry) => !target.has(blockText(entry)));
  const lifted = handed.filter((entry) => plan.blocks.some((block) => overlaps(entry, block)));
  if (listing.id === calendarId || plan.removed.length + lifted.length === 0) return plan;
  const house = await wantedByHouse(table, calendarId);
  for (const entry of lifted) {
    const feed = house.find((one) => one.feed.feed_id === entry.feed_id)?.feed;
    const rests = beside(entry, plan.blocks).map((gap) => ({ ...timeOf(gap, calendarId), rest: entry }));
    plan.added.push(...rests);
    plan.lifted.push({ entry, feed });
  }
  for (const { feed, times } of house) {
    const given = plan.removed
      .filter(isOwn)
      .flatMap((entry) => times.flatMap((time) => common(time, entry)))
      .flatMap((time) => beside(time, plan.blocks));
    await draft.complete(
      table,
      given.map((time) => timeOf(time, calendarId)),
    );
    plan.added.push(...given.flatMap((time) => freeOf(time, calendarId)).map((time) => ({ ...time, feed })));
  }
  return plan;
};

/** What the calendars that a house follows want, as they were read last. */
const wantedByHouse = async (
  table: Table,
  houseId: number,
): Promise<{ feed: FollowedFeed; times: LocalRange[] }[]> => {
  const feeds = (await feedsOf(table, houseId)).filter(({ state }) => state === 'FOLLOWING');
  const contents = await table.getAll(feeds.map((feed) => readOf(FeedContentsEntity, feed)));
  return feeds.map((feed, at) => ({ feed, times: wantedTimes((contents[at]?.events ?? []).map(keptEvent)) }));
};

/** A stay or a block of a room, but no soft lock, of which no platform knows, and nothing that was imported for the house. */
const explains = ({ state, imported_for }: AvailabilityEntry, house: Listing): boolean =>
  state !== 'SOFT_LOCK' && imported_for !== house.id;

/**
 * What of a range is left beside others. The hours between nights of both are left to their neighbours: check-in and check-out
 * of a house and its rooms may differ.
 */
const beside = (range: LocalRange, taken: readonly LocalRange[]): LocalRange[] =>
  gapsIn(range, taken).filter(
    (gap) =>
      hasNight(gap) ||
      !hasNight(range) ||
      !taken.some((time) => hasNight(time) && (time.end_at === gap.start_at || time.start_at === gap.end_at)),
  );

const hasNight = ({ start_at, end_at }: LocalRange): boolean =>
  dateOf(start_at) < dateOf(addHours(end_at, -1));

const blockText = (block: Omit<ListingTime, 'calendar_id'>): string => `${block.listing_id} ${textOf(block)}`;
const textOf = ({ start_at, end_at }: LocalRange): string => `${start_at} ${end_at}`;
const textsOf = (ranges: readonly LocalRange[]): string => ranges.map(textOf).join();

const common = (one: LocalRange, other: LocalRange): LocalRange[] => {
  const startAt = one.start_at > other.start_at ? one.start_at : other.start_at;
  const endAt = one.end_at < other.end_at ? one.end_at : other.end_at;
  return startAt < endAt ? [{ start_at: startAt, end_at: endAt }] : [];
};

/** What of a range is left beside stretches, which come in any order. */
const gapsIn = (range: LocalRange, stretches: readonly LocalRange[]): LocalRange[] => {
  const gaps: LocalRange[] = [];
  let from = range.start_at;
  for (const { start_at, end_at } of mergedTimes(stretches, { touching: true })) {
    if (end_at <= from || start_at >= range.end_at) continue;
    if (start_at > from) gaps.push({ start_at: from, end_at: start_at });
    from = end_at;
  }
  if (from < range.end_at) gaps.push({ start_at: from, end_at: range.end_at });
  return gaps;
};
