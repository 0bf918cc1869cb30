import type { Dependencies } from '../../platform/context.ts';
import { addDays, nightsBetween, toLocal } from '../../platform/time.ts';
import {
  type AvailabilityEntry,
  CalendarDraft,
  calendarOf,
  affectsListing,
  type ListingTime,
  type LocalRange,
  overlappingEntries,
} from '../calendar/model.ts';
import type { Listing } from '../listing/model.ts';
import type { FeedConflict } from './ical.store.ts';
import { mergedTimes } from './merged-times.ts';

/** What has to change so that a feed's blocks are what they should be. */
export interface FeedBlockPlan {
  removed: AvailabilityEntry[];
  added: ListingTime[];
  /** The blocks as they will be: the listing's own, and those of its children where it cannot be blocked as a whole. */
  blocks: ListingTime[];
  /** Wanted time that a booking, a block or a soft lock of ours holds. */
  conflicts: FeedConflict[];
  /** Wanted time that another feed's block holds: it is covered, for as long as that one stands. */
  isShared: boolean;
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

/**
 * Reads a listing's calendar and works out what a feed's blocks lack. Where time of a parent is taken in part, its children
 * are blocked instead, as far as they are free. Months are read before entries: a write in between shows.
 */
export const planFeedBlocks = async (
  { table, clock }: Pick<Dependencies, 'table' | 'clock'>,
  { listing, feed_id, wanted }: { listing: Listing; feed_id: number; wanted: readonly LocalRange[] },
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
  const imported = concerned.filter((entry) => entry.feed_id !== undefined);
  const ours = concerned.filter((entry) => entry.feed_id === undefined);
  const isOwn = (entry: AvailabilityEntry) => entry.feed_id === feed_id;
  const own = imported.filter(isOwn);
  await draft.complete(table, own);
  for (const entry of own) draft.free(entry);
  const others = imported.filter((entry) => !isOwn(entry));
  const plan: FeedBlockPlan = { removed: [], added: [], blocks: [], conflicts: [], isShared: false };
  const freeOf = (range: LocalRange, listingId: number): ListingTime[] =>
    gapsIn(range, draft.taken(timeOf(range, listingId))).map((gap) => timeOf(gap, listingId));
  for (const range of wanted) {
    const taken = draft.taken(timeOf(range));
    plan.blocks.push(...freeOf(range, listing.id));
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
  const standing = new Set(own.map(blockText));
  const target = new Set(plan.blocks.map(blockText));
  plan.added = plan.blocks.filter((block) => !standing.has(blockText(block)));
  plan.removed = own.filter((entry) => !target.has(blockText(entry)));
  return plan;
};

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
