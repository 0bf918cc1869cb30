import { callerRef } from '../../platform/auth.ts';
import type { Context } from '../../platform/context.ts';
import { addDays } from '../../platform/time/time.ts';
import { filteredPage } from '../../platform/table/index.ts';
import { isUnavailable, monthsBetween } from '../calendar/model.ts';
import { AssumedCells } from './assumed-cells.ts';
import type { CellReader, SearchScope } from './cell-reader.ts';
import { combineOffers, type Group, presentGroup } from './combine-offers.ts';
import type { Shown, ShownIds } from './kept-shown.ts';
import { locate } from './locate.ts';
import { type Offer, Offers } from './offer.ts';
import { rankOffers } from './rank-offers.ts';
import { criteriaOf, type SearchCriteria } from './search-criteria.ts';
import type { ShownDocument } from './search-document.ts';
import type { Combo, SearchResult, StaySearchQuery } from './search.schema.ts';

interface SearchOptions {
  cells: CellReader;
  /** The teams whose listings are found; absent: all. */
  teamIds?: readonly number[];
}

/**
 * Finds open listings that are free for the whole stay and hold the guests (D58), priced as a checkout, and groups of
 * neighbours if there are fewer than a page (D59). Candidates come from the index, which may lag by seconds (D60);
 * results are checked against their calendars, soft locks included.
 */
export const searchListings = async (
  ctx: Context,
  query: StaySearchQuery,
  options: SearchOptions,
): Promise<SearchResult> => {
  const { table, clock } = ctx;
  const assumed = new AssumedCells();
  const from = { table, clock, assumed };
  const result = await searchOnce(ctx, query, { ...options, from });
  await options.cells.verify(from);
  return assumed.haveChanged ? searchOnce(ctx, query, { ...options, from: { table, clock } }) : result;
};

const searchOnce = async (
  ctx: Context,
  query: StaySearchQuery,
  { cells, teamIds, from }: SearchOptions & { from: SearchScope },
): Promise<SearchResult> => {
  const now = ctx.clock.now();
  const criteria = criteriaOf(query, teamIds ?? null, now);
  const located = await locate(from, cells, { ...query, teamIds }, planesFor(query, criteria));
  const offers = new Offers(located, criteria, now);
  const { singles, prices } = singlesOf(offers, query);
  const shown = new ShownOffers({ from, cells, criteria, holder: callerRef(ctx.caller) });
  const ranking = rankOffers(offers, singles, query, prices);
  const page = await filteredPage(ranking, query, async (some) => {
    await shown.read(some);
    return (offer) => shown.isFree(offer) && shown.isPriced(offer);
  });
  await shown.read(page.items);
  const isLacking = criteria.dates !== null && page.total < query.limit;
  return {
    ...page,
    items: page.items.flatMap((offer) => shown.present(offer) ?? []),
    combos: isLacking
      ? await freeGroups(from, { cells, offers, shown, isAffordable: affordable(query) })
      : [],
  };
};

/** Whether prices are compared; otherwise they are computed for what is shown alone. */
const comparesPrices = ({ min_price, max_price, sort }: StaySearchQuery): boolean =>
  min_price !== undefined || max_price !== undefined || sort === 'price';

/** Returns the planes that a query needs beside the places. */
const planesFor = (query: StaySearchQuery, { amenityIds, dates }: SearchCriteria): string[] => [
  ...(amenityIds.length > 0 ? ['amenity'] : []),
  ...(comparesPrices(query) ? ['price'] : []),
  ...(dates ? ['stay_rule', ...monthsOf(dates)] : []),
];

/** The months of a stay; the preparation after it may be in the next. */
const monthsOf = ({ check_in, check_out }: NonNullable<SearchCriteria['dates']>): string[] =>
  monthsBetween(check_in.slice(0, 7), addDays(check_out, 1).slice(0, 7));

type Affordable = (price: number) => boolean;

const affordable =
  ({ min_price, max_price }: StaySearchQuery): Affordable =>
  (price) =>
    (min_price === undefined || price >= min_price) && (max_price === undefined || price <= max_price);

/** Returns the rows that hold all guests within the price range, and their prices if these are compared. */
const singlesOf = (offers: Offers, query: StaySearchQuery) => {
  const { party, dates } = offers.criteria;
  const isAffordable = affordable(query);
  const isPriced = comparesPrices(query);
  const singles: number[] = [];
  const prices = new Float64Array(isPriced ? offers.rows : 0);
  for (let row = 0; row < offers.rows; row++) {
    if (!offers.isWanted(row, party.guests)) continue;
    if (isPriced) {
      const price = dates === null ? offers.fullRate(row) : offers.totalFor(row, party);
      if (price === null || !isAffordable(price)) continue;
      prices[row] = price;
    }
    singles.push(row);
  }
  return { singles, prices };
};

interface ShownOptions {
  from: SearchScope;
  cells: CellReader;
  criteria: SearchCriteria;
  /** Who searches. */
  holder: string;
}

/** Offers that may be shown: what the index says of them, and their calendars. */
class ShownOffers {
  readonly #from: SearchScope;
  readonly #cells: CellReader;
  readonly #criteria: SearchCriteria;
  readonly #now: number;
  readonly #holder: string;
  readonly #shown = new Map<number, Shown>();
  readonly #totals = new Map<number, number | null>();

  constructor({ from, cells, criteria, holder }: ShownOptions) {
    this.#from = from;
    this.#cells = cells;
    this.#criteria = criteria;
    this.#now = from.clock.now();
    this.#holder = holder;
  }

  /** Reads documents and months that were not read yet. */
  async read(offers: readonly Offer[]): Promise<void> {
    const unread = offers.filter(({ id }) => !this.#shown.has(id));
    if (unread.length === 0) return;
    const found = await this.#cells.readShown(this.#from, unread.map(shownIds));
    unread.forEach(({ id }, at) => this.#shown.set(id, found[at] as Shown));
  }

  document(id: number): ShownDocument | null {
    return this.#shown.get(id)?.document ?? null;
  }

  /** Whether a listing is free; the caller's own soft locks do not count, as in a preview. */
  isFree({ id, stay }: Offer): boolean {
    const shown = this.#shown.get(id);
    if (!shown?.document) return false;
    if (this.#criteria.dates === null) return true;
    return (
      stay?.months.every((span, at) => {
        const month = shown.months[at];
        if (!month) throw new Error(`month ${span.month} of listing ${id} was not read`);
        return !isUnavailable(span, month, id, this.#now, this.#holder);
      }) ?? false
    );
  }

  isPriced(offer: Offer): boolean {
    return this.#criteria.dates === null || this.#total(offer) !== null;
  }

  #total(offer: Offer): number | null {
    const document = this.document(offer.id);
    if (!document) return null;
    const known = this.#totals.get(offer.id);
    if (known !== undefined) return known;
    const total = offer.totalOf(document, this.#criteria.party);
    this.#totals.set(offer.id, total);
    return total;
  }

  present(offer: Offer) {
    const document = this.document(offer.id);
    return document ? offer.present(document, this.#total(offer)) : undefined;
  }
}

/** A stay without dates takes no time. */
const shownIds = ({ id, calendar_id, revision, stay }: Offer): ShownIds => ({
  ...{ id, calendar_id, revision },
  months: stay?.months.map(({ month }) => month) ?? [],
});

/** How often groups are searched again without listings that turned out to be taken. */
const maxRounds = 4;

interface GroupSearch {
  cells: CellReader;
  offers: Offers;
  shown: ShownOffers;
  isAffordable: Affordable;
}

const freeGroups = async (
  from: SearchScope,
  { cells, offers, shown, isAffordable }: GroupSearch,
): Promise<Combo[]> => {
  await cells.load(from, offers.located.chunks, ['price']);
  let pool = offers.freeFor(1);
  let free: Group[] = [];
  for (let round = 0; round < maxRounds; round++) {
    const groups = combineOffers(pool, { party: offers.criteria.party, isAffordable });
    const members = [...new Set(groups.flatMap((group) => group.offers))];
    await shown.read(members);
    free = groups.filter((group) => group.offers.every((offer) => shown.isFree(offer)));
    if (free.length === groups.length) break;
    pool = pool.filter((offer) => !members.includes(offer) || shown.isFree(offer));
  }
  return free.flatMap((group) => presentGroup(group, (id) => shown.document(id)) ?? []);
};
