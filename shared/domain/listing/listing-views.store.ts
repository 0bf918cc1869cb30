import * as z from 'zod';
import { setTimeout as wait } from 'node:timers/promises';
import type { Context } from '../../platform/context.ts';
import { defineEntity, readOf, type Table, defineRecord, type RecordOf } from '../../platform/table/index.ts';
import type { Listing } from './listing.entity.ts';
import { listingRead } from './listing.store.ts';

/**
 * How often customers have read a listing's detail (D23). A separate item, since the listing is written whole under its
 * version.
 */
const ListingViewsRecord = defineRecord(() => ({
  listing_id: z.int(),
  views: z.int(),
}));
type ListingViews = RecordOf<typeof ListingViewsRecord>;

export const ListingViewsEntity = defineEntity<ListingViews, Pick<ListingViews, 'listing_id'>>({
  name: 'ListingViews',
  meaning: "The number of customers' reads of a listing.",
  patterns: ['the view count of a listing (one BatchGet with it)'],
  record: ListingViewsRecord,
  key: { pk: 'LISTING#{listing_id}', sk: 'VIEWS' },
  example: { listing_id: 1 },
});

export const viewsRead = (listingId: number) => readOf(ListingViewsEntity, { listing_id: listingId });

/** Reads a listing in any state with its view count, in one BatchGet. */
export const readViewedListing = async (
  table: Table,
  id: number,
): Promise<{ listing: Listing | undefined; views: number }> => {
  const [listing, counted] = await table.getAll([listingRead(id), viewsRead(id)]);
  return { listing, views: counted?.views ?? 0 };
};

/** Returns the view counts of listings, in their order: one eventually consistent BatchGet. */
export const readViews = async (table: Table, ids: readonly number[]): Promise<number[]> => {
  const counted = await table.getAll(ids.map(viewsRead), { consistent: false });
  return counted.map((one) => one?.views ?? 0);
};

type Writing = Pick<Context, 'table' | 'clock' | 'log'>;

/** A function instance writes the reads of a listing at most once in this time. */
const batchMs = 30_000;
/** The most listings that are written beside one read. */
const maxListingsPerWrite = 10;
/** How long a response waits for counts to be written. */
const maxWaitMs = 100;

interface PendingReads {
  reads: number;
  /** Epoch milliseconds. */
  since: number;
}

/**
 * Counts customers' reads of listings in memory and writes them in batches (D23). An instance runs only while it answers
 * a request, so the counts are written beside a later read. What an instance holds when it ends is lost; a write whose
 * reply is lost may count twice.
 */
export class ViewCounter {
  readonly #pending = new Map<number, PendingReads>();

  /** Counts a read in memory. */
  count(listingId: number, now: number, reads = 1): void {
    const before = this.#pending.get(listingId) ?? { reads: 0, since: now };
    this.#pending.set(listingId, { ...before, reads: before.reads + reads });
  }

  /** Writes the counts that are due and returns the new sum of the listing if it was among them. Never throws. */
  async write(ctx: Writing, listingId: number): Promise<number | undefined> {
    const due = this.#takeDue(ctx.clock.now());
    if (due.length === 0) return undefined;
    const writes = due.map(([id, reads]) => this.#add(ctx, id, reads));
    const sums = Promise.all(writes).then((all) => all[due.findIndex(([id]) => id === listingId)]);
    return Promise.race([sums, wait(maxWaitMs, undefined, { ref: false })]);
  }

  #takeDue(now: number): [listingId: number, reads: number][] {
    const due = [...this.#pending]
      // The test clock can be set back too.
      .filter(([, { since }]) => Math.abs(now - since) >= batchMs)
      .slice(0, maxListingsPerWrite);
    for (const [id] of due) this.#pending.delete(id);
    return due.map(([id, { reads }]) => [id, reads]);
  }

  async #add({ table, clock, log }: Writing, listingId: number, reads: number): Promise<number | undefined> {
    try {
      return await table.increase(ListingViewsEntity, { listing_id: listingId, views: 0 }, 'views', reads);
    } catch (error) {
      log.warn('views are counted later', { listing_id: listingId, cause: String(error) });
      this.count(listingId, clock.now(), reads);
      return undefined;
    }
  }
}
