import { instantText } from '../../platform/time/clock.ts';
import type { Dependencies } from '../../platform/context.ts';
import { ServiceError } from '../../platform/errors.ts';
import { newId } from '../../platform/ids.ts';
import {
  all,
  conditionCheck,
  ConflictError,
  create,
  equals,
  maxWrites,
  not,
  put,
  remove,
  retryOnConflict,
  type Write,
} from '../../platform/table/index.ts';
import { recordEvent } from '../../record-event.ts';
import {
  type AvailabilityEntry,
  AvailabilityEntryEntity,
  CalendarDraft,
  calendarOf,
  importNote,
  type ListingTime,
  monthsBetween,
  writtenMonths,
} from '../calendar/model.ts';
import { type Listing, ListingEntity, listingPartition } from '../listing/model.ts';
import { type FollowedFeed, FollowedFeedEntity } from './ical.store.ts';
import type { FeedBlockPlan, PlannedBlock } from './plan-feed-blocks.ts';

interface BlockChange extends PlannedBlock {
  /** Undefined for a block that does not exist yet. */
  removed?: AvailabilityEntry;
}

/** Room for what goes with the changes: the event, and the conditions on feed and listing. */
const mostWrites = maxWrites - 10;
const mostChanges = 40;

const writesOf = (changes: readonly BlockChange[]): number => {
  const months = changes.flatMap(({ calendar_id, listing_id, start_at, end_at }) =>
    monthsBetween(start_at.slice(0, 7), end_at.slice(0, 7)).map((month) => ({
      calendar_id,
      listing_id,
      month,
    })),
  );
  return changes.length + writtenMonths(months);
};

const fits = (changes: readonly BlockChange[]): boolean =>
  changes.length <= mostChanges && writesOf(changes) <= mostWrites;

/**
 * The changes as transactions. What overlaps goes together, so that a moved block never leaves its hours open in between;
 * where that is too much for one, everything is lifted before anything is made.
 */
const batchesOf = ({ removed, lifted, added }: FeedBlockPlan): BlockChange[][] => {
  const changes: BlockChange[] = [
    ...removed.map((entry) => ({ ...timeOf(entry), removed: entry })),
    ...lifted.map(({ entry, feed }) => ({ ...timeOf(entry), removed: entry, ...(feed ? { feed } : {}) })),
    ...added,
  ].toSorted((one, other) => (one.start_at < other.start_at ? -1 : 1));
  const groups = clustersOf(changes).flatMap((cluster) => (fits(cluster) ? [cluster] : liftedFirst(cluster)));
  return groups.reduce<BlockChange[][]>((batches, group) => {
    const last = batches.at(-1);
    if (last && fits([...last, ...group])) last.push(...group);
    else batches.push([...group]);
    return batches;
  }, []);
};

const timeOf = ({ calendar_id, listing_id, start_at, end_at }: ListingTime): ListingTime => ({
  calendar_id,
  listing_id,
  start_at,
  end_at,
});

const liftedFirst = (cluster: readonly BlockChange[]): BlockChange[][] =>
  [...cluster.filter(({ removed }) => removed), ...cluster.filter(({ removed }) => !removed)].map((one) => [
    one,
  ]);

/** Changes that overlap, one after the other. */
const clustersOf = (sorted: readonly BlockChange[]): BlockChange[][] => {
  const clusters: BlockChange[][] = [];
  let end = '';
  for (const change of sorted) {
    const last = clusters.at(-1);
    if (last && change.start_at < end) last.push(change);
    else clusters.push([change]);
    if (change.end_at > end) end = change.end_at;
  }
  return clusters;
};

type Deps = Pick<Dependencies, 'table' | 'clock'>;

/** Another worker synchronises the feed or has moved the listing: this synchronisation ends, a later one starts anew. */
export class Overtaken extends Error {
  constructor() {
    super('the feed or its listing has changed meanwhile');
    this.name = 'Overtaken';
  }
}

/** The calendar is no longer as it was surveyed: a booking came in between, or a host has lifted a block. */
export class Outdated extends Error {
  constructor() {
    super('the calendar has changed since it was surveyed');
    this.name = 'Outdated';
  }
}

/**
 * Brings a feed's blocks into the calendar, some in each transaction, months and events with them (D61): whatever dies in
 * between leaves whole blocks, and the next plan finds what is left to do. Nothing is taken that is not free by then (D32).
 */
export const applyBlocks = async (
  deps: Deps,
  { listing, feed, plan }: { listing: Listing; feed: FollowedFeed; plan: FeedBlockPlan },
): Promise<void> => {
  for (let at = 0; at < plan.relabelled.length; at += mostChanges) {
    const labelled = plan.relabelled.slice(at, at + mostChanges);
    await deps.table.transact([...labelled.map(asStanding), ...fences(feed, listing)]);
  }
  for (const batch of batchesOf(plan)) {
    await unlessTaken(() => retryOnConflict(() => applyBatch(deps, { listing, feed, batch })));
  }
};

/** Throws Outdated where time is taken that was free when it was surveyed. */
export const unlessTaken = async <Result>(work: () => Promise<Result>): Promise<Result> => {
  try {
    return await work();
  } catch (error) {
    const isTaken = error instanceof ServiceError && error.code === 'LISTING_NOT_AVAILABLE';
    throw isTaken ? new Outdated() : error;
  }
};

/** Also of a label nothing is left where its block was lifted, or adopted, meanwhile. */
const asStanding = (entry: AvailabilityEntry): Write => put(AvailabilityEntryEntity, entry, stillBlocked);

export const stillBlocked = { when: equals('state', 'BLOCKED'), onConflict: () => new Outdated() };

const applyBatch = async (
  { table, clock }: Deps,
  { listing, feed, batch }: { listing: Listing; feed: FollowedFeed; batch: readonly BlockChange[] },
): Promise<void> => {
  const draft = await CalendarDraft.load(table, batch, clock.now());
  const writes: Write[] = [];
  for (const { removed } of batch) {
    if (!removed) continue;
    draft.free(removed);
    writes.push(remove(AvailabilityEntryEntity, removed, stillBlocked));
  }
  for (const change of batch) {
    if (change.removed) continue;
    const time = timeOf(change);
    const entry = change.rest
      ? restOf(change.rest, time, clock)
      : blockOf(change.feed ?? feed, change, clock);
    if (draft.taken(entry).length > 0) throw new Outdated();
    takeIfCurrent(draft, entry);
    writes.push(create(AvailabilityEntryEntity, entry));
  }
  await table.transact([
    ...writes,
    ...draft.writes(),
    ...fences(feed, listing),
    ...[...new Set(batch.flatMap((change) => change.feed ?? []))].map(toBeRead),
    changed(clock, listing, batch),
  ]);
};

/** A listing that keeps its hours in another calendar meanwhile has to be read again. */
export const takeIfCurrent = (draft: CalendarDraft, entry: AvailabilityEntry): void => {
  try {
    draft.take(entry);
  } catch (error) {
    throw error instanceof ConflictError ? new Overtaken() : error;
  }
};

/** Blocks name their source; what the platform calls a stay is for hosts alone (D120). */
const blockOf = (
  feed: FollowedFeed,
  { imported, ...time }: PlannedBlock,
  clock: Deps['clock'],
): AvailabilityEntry => ({
  ...timeOf(time),
  availability_id: newId(clock),
  state: 'BLOCKED',
  reservation_id: null,
  order_id: null,
  locked_until: null,
  note: importNote(new URL(feed.url).host),
  feed_id: feed.feed_id,
  ...(time.listing_id === feed.listing_id ? {} : { imported_for: feed.listing_id }),
  ...(imported ? { imported } : {}),
  created_at: instantText(clock.now()),
});

/** What is left of a block of which a part was lifted. */
export const restOf = (
  { imported: _, ...entry }: AvailabilityEntry,
  time: ListingTime,
  clock: Deps['clock'],
): AvailabilityEntry => ({
  ...entry,
  ...time,
  availability_id: newId(clock),
});

/**
 * A calendar of the house whose blocks a room has changed still wants what it did, and is read again. A run that reads it is
 * overtaken, and has not died over it.
 */
const toBeRead = ({ reading: _, ...feed }: FollowedFeed): Write =>
  put(
    FollowedFeedEntity,
    { ...feed, version: feed.version + 1, lease_until: 0, settled: false, shared: true },
    { when: equals('version', feed.version), onConflict: () => new Outdated() },
  );

export const fences = (feed: FollowedFeed, listing: Listing): Write[] => [
  conditionCheck(FollowedFeedEntity, feed, {
    when: equals('version', feed.version),
    onConflict: () => new Overtaken(),
  }),
  conditionCheck(ListingEntity, listing, {
    when: all(
      equals('parent_listing_id', listing.parent_listing_id),
      equals('timezone', listing.timezone),
      // A listing that is archived stays archived.
      ...(listing.state === 'ARCHIVED' ? [] : [not(equals('state', 'ARCHIVED'))]),
    ),
    onConflict: () => new Overtaken(),
  }),
];

export const importer = 'system:calendar-import';

/** A change of the house's blocks is one of all of its rooms, whose event ever brought it. */
const changed = (clock: Deps['clock'], listing: Listing, batch: readonly BlockChange[]): Write => {
  const isOfFamily = batch.some(({ listing_id }) => listing_id !== listing.id);
  const { team_id } = listing;
  const id = isOfFamily ? calendarOf(listing) : listing.id;
  const startAt = batch.map((one) => one.start_at).reduce((one, other) => (other < one ? other : one));
  const endAt = batch.map((one) => one.end_at).reduce((one, other) => (other > one ? other : one));
  return recordEvent(
    { clock, caller: { kind: 'anonymous' } },
    {
      subject: listingPartition(id),
      event_type: 'availability.changed',
      team_id,
      actor: importer,
      data: { id, start_at: startAt, end_at: endAt, by: importer },
    },
  );
};
