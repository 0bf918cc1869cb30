import type { Place, Ranking } from '../../platform/table/index.ts';
import type { Offer, Offers } from './offer.ts';
import type { StaySearchQuery } from './search.schema.ts';

/** Weight of an assumed average rating for listings with few reviews. */
const assumedReviews = 5;
const assumedRating = 4;
/** Larger than any distance, and finite so that a cursor can contain it. */
const noDistance = 1e6;

/** The rows of an order with what they are ordered by, as columns. */
interface Ranked {
  rows: readonly number[];
  /** That of all rows where `groups` is undefined. */
  group: string;
  groups: string[] | undefined;
  values: Float64Array;
  ids: Float64Array;
}

/** Returns the order of a query (D58): one ascending value for each row, within each currency where it is a price. */
export const rankOffers = (
  offers: Offers,
  rows: readonly number[],
  query: StaySearchQuery,
  prices: Float64Array,
): Ranking<Offer> => {
  const { page: _, limit: __, cursor: ___, ...rest } = query;
  const isPrice = query.sort === 'price';
  const byPrice = (row: number): number => prices[row] ?? 0;
  const orders = { relevance: byRelevance, price: byPrice, distance: byDistance, rating: byRating };
  const order = orders[query.sort];
  const valueOf = (row: number): number => order(row, offers, query.radius_km);
  const groupOf = (row: number): string => (isPrice ? currencyGroup(offers.currency(row)) : '');
  const rank = (): Ranked => {
    const values = new Float64Array(rows.length);
    const ids = new Float64Array(rows.length);
    // A loop, because `from` is many times slower.
    for (let at = 0; at < rows.length; at++) {
      const row = rows[at] ?? 0;
      values[at] = valueOf(row);
      ids[at] = offers.id(row);
    }
    const only = isPrice ? offers.onlyCurrency : '';
    if (only !== undefined) return { rows, group: currencyGroup(only), groups: undefined, values, ids };
    return { rows, group: '', groups: rows.map(groupOf), values, ids };
  };
  return {
    name: `search ${JSON.stringify({ ...rest, teams: offers.criteria.teamIds })}`,
    size: rows.length,
    from: (place) => inOrder(offers, rank(), place),
    placeOf: ({ row, id }) => ({ group: groupOf(row), value: valueOf(row), id }),
  };
};

/** VND first, then by code, since prices of different currencies are not compared. */
export const currencyGroup = (currency: string): string => (currency === 'VND' ? '' : currency);

const byDistance = (row: number, { located }: Offers): number => {
  const km = located.km[row] ?? NaN;
  return Number.isNaN(km) ? noDistance : km;
};

const byRating = (row: number, offers: Offers): number => {
  const { average, reviews } = offers.rating(row);
  return -(average * 1e9 + reviews);
};

/** Orders by match of the text, then stars; a full radius from the centre counts as one star. */
const byRelevance = (row: number, offers: Offers, radiusKm: number): number => {
  const { average, reviews } = offers.rating(row);
  const stars = (average * reviews + assumedRating * assumedReviews) / (reviews + assumedReviews);
  const km = offers.located.km[row] ?? NaN;
  const away = Number.isNaN(km) ? 1 : Math.min(1, km / radiusKm);
  return (offers.located.foundIn[row] ?? 0) * 10 - stars + away;
};

/**
 * Yields offers in order. A heap orders no more of them than are taken. A listing that was read twice, while it moved, is
 * yielded once.
 */
function* inOrder(offers: Offers, ranked: Ranked, after: Place | undefined): Generator<Offer> {
  const heap = new RankHeap(ranked, after);
  const yielded = new Set<number>();
  for (let at = heap.take(); at !== undefined; at = heap.take()) {
    const id = ranked.ids[at] ?? 0;
    if (yielded.has(id)) continue;
    yielded.add(id);
    yield offers.offer(ranked.rows[at] ?? 0);
  }
}

/** A heap of the positions of ranked rows, the first on top. */
class RankHeap {
  readonly #ranked: Ranked;
  readonly #heap: Uint32Array;
  #size: number;

  constructor(ranked: Ranked, after: Place | undefined) {
    this.#ranked = ranked;
    const all = new Uint32Array(ranked.rows.length);
    for (let at = 0; at < all.length; at++) all[at] = at;
    this.#heap = after ? all.filter((at) => this.#isAfter(at, after)) : all;
    this.#size = this.#heap.length;
    for (let at = (this.#size >> 1) - 1; at >= 0; at--) this.#sink(at);
  }

  /** Removes the first; undefined if there is none. */
  take(): number | undefined {
    if (this.#size === 0) return undefined;
    const first = this.#heap[0];
    this.#heap[0] = this.#heap[--this.#size] ?? 0;
    this.#sink(0);
    return first;
  }

  #isAfter(at: number, { group, value, id }: Place): boolean {
    const { groups, group: common, values, ids } = this.#ranked;
    const own = groups?.[at] ?? common;
    if (own !== group) return own > group;
    return values[at] === value ? (ids[at] ?? 0) > id : (values[at] ?? 0) > value;
  }

  #isBefore(one: number, other: number): boolean {
    const { groups, values, ids } = this.#ranked;
    if (groups && groups[one] !== groups[other]) return (groups[one] ?? '') < (groups[other] ?? '');
    const [value, otherValue] = [values[one] ?? 0, values[other] ?? 0];
    return value === otherValue ? (ids[one] ?? 0) < (ids[other] ?? 0) : value < otherValue;
  }

  /** Moves an element below those that come before it. */
  #sink(start: number): void {
    const heap = this.#heap;
    const moved = heap[start] ?? 0;
    let at = start;
    for (let child = 2 * at + 1; child < this.#size; child = 2 * at + 1) {
      const right = child + 1;
      if (right < this.#size && this.#isBefore(heap[right] ?? 0, heap[child] ?? 0)) child = right;
      if (!this.#isBefore(heap[child] ?? 0, moved)) break;
      heap[at] = heap[child] ?? 0;
      at = child;
    }
    heap[at] = moved;
  }
}
