import { isDeepStrictEqual } from 'node:util';
import type { Context } from '../../platform/context.ts';
import { datesAhead } from '../../platform/time/date-ranges.ts';
import { ConflictError, create, equals, remove, type Write } from '../../platform/table/index.ts';
import { hostedListing, type Listing, partChanges, recordChanges } from '../listing/model.ts';
import type { AvailabilityState } from './availability.schema.ts';
import { newBlock, timeChanged, unchangedListing } from './block.store.ts';
import {
  datesIn,
  dateTime,
  freeDatesOf,
  isBlockedBy,
  stretchesOf,
  withoutDates,
} from './blocked-dates.rules.ts';
import { CalendarDraft } from './calendar-draft.store.ts';
import { type AvailabilityEntry, AvailabilityEntryEntity, overlappingEntries } from './calendar.store.ts';
import { affectsListing, calendarOf, type LocalRange, overlaps } from './listing-time.rules.ts';
import { takenUntil, wholeHours } from './hours.rules.ts';
import { hullOf, without } from './stretches.rules.ts';
import { type ListingTime, notAvailable } from './taken-time.rules.ts';

/** A block that a bulk change has made. */
type MadeBlock = LocalRange & Pick<AvailabilityEntry, 'availability_id'>;
/** A time that a bulk change has freed, and the note of its block. */
type FreedTime = LocalRange & Pick<AvailabilityEntry, 'note'>;

type States = Map<string, { before: AvailabilityState; after: AvailabilityState }>;

/** The writes of blocks that are made and lifted together, and what they do. */
interface BlockPlan {
  listing: Listing;
  writes: Write[];
  states: States;
  made: MadeBlock[];
  freed: FreedTime[];
}

/** What the same request does to the parent of a listing, before it. */
interface ParentBlocks {
  made: readonly MadeBlock[];
  freed: readonly FreedTime[];
}

const untouched: ParentBlocks = { made: [], freed: [] };

/** A calendar as read, and the blocks that are to be made and lifted in it. */
class BlockDraft {
  readonly #ctx: Context;
  readonly listing: Listing;
  readonly months: CalendarDraft;
  readonly entries: readonly AvailabilityEntry[];
  readonly made: AvailabilityEntry[] = [];
  readonly lifted: AvailabilityEntry[] = [];

  private constructor(
    ctx: Context,
    listing: Listing,
    { months, entries }: { months: CalendarDraft; entries: readonly AvailabilityEntry[] },
  ) {
    this.#ctx = ctx;
    this.listing = listing;
    this.months = months;
    this.entries = entries;
  }

  /** Reads the months before the entries, so that a booking is either among the entries or has changed a month since. */
  static async read(ctx: Context, listing: Listing, times: readonly LocalRange[]): Promise<BlockDraft> {
    const now = ctx.clock.now();
    const wanted = times.map((time) => timeOf(listing, time));
    const months = await CalendarDraft.load(ctx.table, wanted, now);
    for (const time of wanted) months.requireCurrentCalendar(time);
    const hull = hullOf(times);
    const found = hull ? await overlappingEntries(ctx.table, calendarOf(listing), hull) : [];
    const entries = found.filter(
      (entry) =>
        affectsListing(entry, listing.id) && (entry.locked_until === null || entry.locked_until > now),
    );
    return new BlockDraft(ctx, listing, { months, entries });
  }

  /** The blocks that hosts have made of the listing itself; what another calendar has imported is that calendar's. */
  get ownBlocks(): AvailabilityEntry[] {
    return this.#blocksOf(this.listing.id);
  }

  /** Those of its parent, which take its time too. */
  get parentBlocks(): AvailabilityEntry[] {
    return this.#blocksOf(this.listing.parent_listing_id);
  }

  #blocksOf(listingId: number | null): AvailabilityEntry[] {
    return this.entries.filter(
      ({ state, listing_id, feed_id, imported_for }) =>
        state === 'BLOCKED' &&
        listing_id === listingId &&
        feed_id === undefined &&
        imported_for === undefined,
    );
  }

  make(time: FreedTime): void {
    const entry = newBlock(this.#ctx, this.listing, time);
    this.months.take(entry);
    this.made.push(entry);
  }

  /** Lifts blocks, of which months may lie outside of the time that was read. */
  async lift(entries: readonly AvailabilityEntry[]): Promise<void> {
    await this.months.complete(this.#ctx.table, entries);
    for (const entry of entries) this.months.free(entry);
    this.lifted.push(...entries);
  }

  /** Returns which state of these dates was before the request, and will be; what it does to the parent is a part of it. */
  states(dates: readonly string[], parent: ParentBlocks = untouched): States {
    const [lifted, ofParent] = [new Set(this.lifted), new Set(this.parentBlocks)];
    const isMade = ({ availability_id: id }: AvailabilityEntry) =>
      parent.made.some(({ availability_id: made }) => made === id);
    const before = this.#statesOf(dates, [
      ...this.entries.filter((entry) => !isMade(entry)),
      ...parent.freed.map((time) => ({ ...time, state: 'BLOCKED' as const })),
    ]);
    const left = this.entries
      .filter((entry) => !lifted.has(entry))
      .flatMap((entry) =>
        ofParent.has(entry)
          ? without(entry, parent.freed).map((time) => ({ ...time, state: entry.state }))
          : [entry],
      );
    const after = this.#statesOf(dates, [...left, ...this.made]);
    return new Map(
      dates.map((date, at) => [date, { before: before[at] ?? 'AVAILABLE', after: after[at] ?? 'AVAILABLE' }]),
    );
  }

  /**
   * Returns the state of each date of which entries take an hour: that of a stay before a soft lock before a block. The
   * preparation after a stay is a block.
   */
  #statesOf(dates: readonly string[], entries: readonly TakenTime[]): AvailabilityState[] {
    const times = entries.flatMap((entry) => [
      { ...wholeHours({ start_at: entry.start_at, end_at: entry.end_at }), state: entry.state },
      {
        start_at: entry.end_at,
        end_at: takenUntil(entry),
        state: entry.state === 'BOOKED' ? ('BLOCKED' as const) : entry.state,
      },
    ]);
    return dates.map((date) => {
      const wanted = dateTime(date, this.listing);
      return times
        .filter((time) => time.start_at < time.end_at && overlaps(time, wanted))
        .map(({ state }) => state)
        .reduce<AvailabilityState>(
          (one, other) => (weights[other] > weights[one] ? other : one),
          'AVAILABLE',
        );
    });
  }

  /** Returns the writes; none if no block is made or lifted. */
  writes(): Write[] {
    const hull = hullOf([...this.made, ...this.lifted]);
    if (!hull) return [];
    return [
      ...this.lifted.map((entry) =>
        remove(AvailabilityEntryEntity, entry, { when: equals('state', 'BLOCKED') }),
      ),
      ...this.months.writes(),
      ...this.made.map((entry) => create(AvailabilityEntryEntity, entry)),
      unchangedListing(this.listing),
      timeChanged(this.#ctx, this.listing, hull),
      ...recordChanges(
        this.#ctx,
        this.listing.id,
        partChanges('blocks', this.lifted.map(loggedBlock), this.made.map(loggedBlock)),
      ),
    ];
  }
}

const loggedBlock = ({ availability_id: id, start_at, end_at, note }: AvailabilityEntry) => ({
  ...{ id, start_at, end_at, note },
});

const timeOf = (listing: Listing, { start_at, end_at }: LocalRange): ListingTime => ({
  ...{ calendar_id: calendarOf(listing), listing_id: listing.id },
  ...{ start_at, end_at },
});

type TakenTime = LocalRange & Pick<AvailabilityEntry, 'state' | 'preparation_hours'>;

const weights: Record<AvailabilityState, number> = { AVAILABLE: 0, BLOCKED: 1, SOFT_LOCK: 2, BOOKED: 3 };

const planOf = (
  draft: BlockDraft,
  dates: readonly string[],
  { freed, parent }: { freed: FreedTime[]; parent?: ParentBlocks | undefined },
): BlockPlan => ({
  ...{ listing: draft.listing, writes: draft.writes(), states: draft.states(dates, parent), freed },
  made: draft.made.map(({ availability_id, start_at, end_at }) => ({ availability_id, start_at, end_at })),
});

interface BlockedDates {
  dates: readonly string[];
  /** Given if the request names the parent too. */
  parent: ParentBlocks | undefined;
}

/**
 * Plans a block of these dates (D116): of what the listing's own blocks do not take yet, nor those of its parent if that is blocked
 * together with it. LISTING_NOT_AVAILABLE over a stay, a live soft lock, or another block of the family or another calendar.
 */
export const planBlocks = async (
  ctx: Context,
  listingId: number,
  { dates, note, parent }: BlockedDates & { note: string | null },
): Promise<BlockPlan> => {
  const listing = await hostedListing(ctx, listingId, 'operate');
  const left = datesAhead(ctx.clock.now(), listing.timezone, dates);
  const draft = await BlockDraft.read(ctx, listing, stretchesOf(left, listing));
  const blocks = [...draft.ownBlocks, ...(parent ? draft.parentBlocks : [])];
  const open = left.filter((date) => !isBlockedBy(date, blocks, listing));
  const free = stretchesOf(open, listing).flatMap((time) => without(time, blocks));
  const wanted = free.map((time) => timeOf(listing, time));
  const takenIn = (months: CalendarDraft) => wanted.flatMap((time) => months.taken(time));
  const taken = takenIn(draft.months);
  if (taken.length > 0) {
    // A block of its own that was lifted between the reads is in the months alone.
    const now = await CalendarDraft.load(ctx.table, wanted, ctx.clock.now());
    if (!isDeepStrictEqual(takenIn(now), taken)) throw new ConflictError('CalendarMonth');
    throw notAvailable(taken);
  }
  for (const time of free) draft.make({ ...time, note });
  return planOf(draft, left, { freed: [], parent });
};

/** Plans to lift the hosts' own blocks on these dates; what they take of other dates they keep. */
export const planUnblocks = async (
  ctx: Context,
  listingId: number,
  { dates, parent }: BlockedDates,
): Promise<BlockPlan> => {
  const listing = await hostedListing(ctx, listingId, 'operate');
  const left = datesAhead(ctx.clock.now(), listing.timezone, dates);
  const draft = await BlockDraft.read(ctx, listing, stretchesOf(left, listing));
  const changes = draft.ownBlocks
    .map((block) => ({ block, ...withoutDates(block, left, listing) }))
    .filter((change) => change.freed.length > 0);
  await draft.lift(changes.map(({ block }) => block));
  for (const { block, rest } of changes) for (const time of rest) draft.make({ ...time, note: block.note });
  const freed = changes.flatMap((change) =>
    change.freed.map((time) => ({ ...time, note: change.block.note })),
  );
  return planOf(draft, left, { freed, parent });
};

/**
 * Plans to undo a bulk change of blocks: blocks that it made are lifted if they are as it made them; of the time that it freed,
 * the dates that are still free are blocked again.
 */
export const planUndoBlocks = async (
  ctx: Context,
  listingId: number,
  { made, freed }: Pick<BlockPlan, 'made' | 'freed'>,
): Promise<BlockPlan & { kept: string[] }> => {
  const listing = await hostedListing(ctx, listingId, 'operate');
  const draft = await BlockDraft.read(ctx, listing, [...made, ...freed]);
  const still = draft.ownBlocks.filter((block) =>
    made.some(
      ({ availability_id, start_at, end_at }) =>
        availability_id === block.availability_id && start_at === block.start_at && end_at === block.end_at,
    ),
  );
  await draft.lift(still);
  const standing = draft.ownBlocks.filter((block) => !still.includes(block));
  const isFree = (time: LocalRange): boolean =>
    without(time, standing).every((part) => draft.months.taken(timeOf(listing, part)).length === 0);
  const again = freed.flatMap(({ note, ...time }) =>
    freeDatesOf(time, listing, isFree)
      .flatMap((free) => without(free, standing))
      .map((free) => ({ ...free, note })),
  );
  for (const time of again) draft.make(time);
  const datesOf = (times: readonly LocalRange[]) =>
    [...new Set(times.flatMap((time) => datesIn(time, listing)))].sort();
  const dates = datesOf([...still, ...again]);
  const kept = datesOf([...made, ...freed]).filter((date) => !dates.includes(date));
  return { ...planOf(draft, dates, { freed: [] }), kept };
};
