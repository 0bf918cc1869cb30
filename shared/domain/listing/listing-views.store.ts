import { setTimeout as wait } from 'node:timers/promises';
import type { Context } from '../../platform/context.ts';
import { defineEntity, type Table } from '../../platform/table/index.ts';
import { type Listing, listingRead } from './listing.store.ts';

/** How often customers have read a listing's detail (D23). An item of its own: the listing is written whole, under its version. */
export interface ListingViews {
  listing_id: number;
  views: number;
}

export const ListingViewsEntity = defineEntity<ListingViews, Pick<ListingViews, 'listing_id'>>({
  name: 'ListingViews',
  meaning: "The number of customers' reads of a listing.",
  patterns: ['the view count of a listing (one BatchGet with it)'],
  key: ({ listing_id }) => ({ pk: `LISTING#${listing_id}`, sk: 'VIEWS' }),
  example: { listing_id: 1 },
});

const viewsRead = (listing_id: number) => ({ key: ListingViewsEntity.key({ listing_id }) });

/** A listing in any state, with its view count: one BatchGet. */
export const readViewedListing = async (
  table: Table,
  id: number,
): Promise<{ listing: Listing | undefined; views: number }> => {
  const [listing, counted] = await table.getAll([listingRead(id), viewsRead(id)]);
  return {
    listing: listing as Listing | undefined,
    views: (counted as ListingViews | undefined)?.views ?? 0,
  };
};

/** The view counts of listings, in their order: one BatchGet of half a read unit each. */
export const readViews = async (table: Table, ids: readonly number[]): Promise<number[]> => {
  const counted = await table.getAll(ids.map(viewsRead), { consistent: false });
  return (counted as (ListingViews | undefined)[]).map((one) => one?.views ?? 0);
};

type Writing = Pick<Context, 'table' | 'clock' | 'log'>;

/** A listing's reads are written together, at most once in this time by one function instance. */
const gatheredMs = 30_000;
/** The most listings that are written beside one read. */
const writtenAtOnce = 10;
/** The longest that an answer waits for counts to be written; they usually take no longer than its own read. */
const patienceMs = 100;

interface Gathered {
  reads: number;
  /** Epoch milliseconds. */
  since: number;
}

/**
 * Customers' reads of listings as this function instance has counted them since it last wrote (D23). An instance runs
 * only while it answers, so a later read writes what an earlier one has gathered. What it holds when it ends is lost; a write
 * whose reply is lost may count twice.
 */
export class ViewCounter {
  readonly #gathered = new Map<number, Gathered>();

  /** Counts a read; nothing is written yet. */
  count(listingId: number, now: number, reads = 1): void {
    const before = this.#gathered.get(listingId) ?? { reads: 0, since: now };
    this.#gathered.set(listingId, { ...before, reads: before.reads + reads });
  }

  /** Writes what has waited long enough and answers the sum of the listing if it was among it. It never fails. */
  async write(ctx: Writing, listingId: number): Promise<number | undefined> {
    const due = this.#takeDue(ctx.clock.now());
    if (due.length === 0) return undefined;
    const writes = due.map(([id, reads]) => this.#add(ctx, id, reads));
    const sums = Promise.all(writes).then((all) => all[due.findIndex(([id]) => id === listingId)]);
    return Promise.race([sums, wait(patienceMs, undefined, { ref: false })]);
  }

  #takeDue(now: number): [listingId: number, reads: number][] {
    const due = [...this.#gathered]
      // The test clock can be set back too.
      .filter(([, { since }]) => Math.abs(now - since) >= gatheredMs)
      .slice(0, writtenAtOnce);
    for (const [id] of due) this.#gathered.delete(id);
    return due.map(([id, { reads }]) => [id, reads]);
  }

  async #add({ table, clock, log }: Writing, listing_id: number, reads: number): Promise<number | undefined> {
    try {
      return await table.increase(ListingViewsEntity, { listing_id, views: 0 }, 'views', reads);
    } catch (error) {
      log.warn('views are counted later', { listing_id, cause: String(error) });
      this.count(listing_id, clock.now(), reads);
      return undefined;
    }
  }
}
