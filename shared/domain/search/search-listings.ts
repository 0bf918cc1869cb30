import { callerRef } from '../../platform/auth.ts';
import type { Context } from '../../platform/context.ts';
import { filteredPage } from '../../platform/table/index.ts';
import { CalendarDraft, type ListingTime } from '../calendar/model.ts';
import type { CellReader } from './cell-reader.ts';
import { combineOffers, type Group, presentGroup } from './combine-offers.ts';
import { locate, type Located } from './locate.ts';
import { Offer, sortingOf } from './offer.ts';
import { criteriaOf, type SearchCriteria } from './search-criteria.ts';
import type { FoundListing, SearchQuery, SearchResult } from './search.schema.ts';
import { Stays } from './stay-hours.ts';

/**
 * Finds open listings that are free for the whole stay and hold the guests (D58), priced as a checkout, and groups of
 * neighbours if there are fewer than a page (D59). Candidates come from the index, which may lag by seconds (D60);
 * results are checked against their calendars, soft locks included.
 */
export const searchListings = async (
  ctx: Context,
  query: SearchQuery,
  cells: CellReader,
): Promise<SearchResult> => {
  const now = ctx.clock.now();
  const criteria = criteriaOf(query, now);
  const located = await locate(ctx, cells, query);
  const state = { criteria, stays: new Stays(criteria, now), now };
  const offers = located.filter(isOfKind(criteria)).map((one) => new Offer(one, state));
  const isAffordable = affordable(query);
  const singles = offers.filter((offer) => isSingle(offer, criteria, isAffordable, query));
  const calendar = new LiveCalendar(ctx);
  const page = await filteredPage(singles, query, sortingOf(query, criteria.party), async (some) => {
    const isFree = await calendar.freeOffers(some, criteria);
    return (offer) => isFree(offer) && isPriced(offer, criteria);
  });
  const lacking = criteria.dates !== null && page.total < query.limit;
  const pool = lacking ? offers.filter((offer) => offer.isFreeFor({ guests: 1 })) : [];
  return {
    ...page,
    items: page.items.map((offer): FoundListing => offer.present(criteria.party)),
    combos: (await freeGroups(pool, { criteria, isAffordable, calendar })).map(presentGroup),
  };
};

const isOfKind =
  ({ propertyTypes, amenityIds, currency }: SearchCriteria) =>
  ({ packed: { document } }: Located): boolean =>
    (propertyTypes.length === 0 || propertyTypes.includes(document.property_type)) &&
    amenityIds.every((id) => document.amenity_ids.includes(id)) &&
    (currency === null || currency === document.rateCard.listing.currency);

type Affordable = (price: number) => boolean;

const affordable =
  ({ min_price, max_price }: SearchQuery): Affordable =>
  (price) =>
    (min_price === undefined || price >= min_price) && (max_price === undefined || price <= max_price);

/** Whether the listing holds all guests within the price range; prices are computed only if needed. */
const isSingle = (
  offer: Offer,
  criteria: SearchCriteria,
  isAffordable: Affordable,
  query: SearchQuery,
): boolean => {
  if (!offer.isFreeFor(criteria.party)) return false;
  if (query.min_price === undefined && query.max_price === undefined && query.sort !== 'price') return true;
  if (criteria.dates === null) return isAffordable(offer.document.summary.full_rate);
  const quote = offer.quoteFor(criteria.party);
  return quote !== null && isAffordable(quote.total);
};

const isPriced = (offer: Offer, { dates, party }: SearchCriteria): boolean =>
  dates === null || offer.quoteFor(party) !== null;

/** Checks offers against their calendars. */
class LiveCalendar {
  readonly #ctx: Context;
  readonly #draft: CalendarDraft;

  constructor(ctx: Context) {
    this.#ctx = ctx;
    this.#draft = new CalendarDraft(ctx.clock.now());
  }

  /** Returns which offers are free now; the caller's own soft locks do not count, as in a preview. */
  async freeOffers(offers: readonly Offer[], { dates }: SearchCriteria): Promise<(offer: Offer) => boolean> {
    if (dates === null) return () => true;
    const times = new Map(offers.map((offer) => [offer, timeOf(offer)]));
    await this.#draft.complete(
      this.#ctx.table,
      [...times.values()].filter((time) => time !== null),
    );
    const holder = callerRef(this.#ctx.caller);
    return (offer) => {
      const time = times.get(offer);
      return time !== null && time !== undefined && this.#draft.taken(time, holder).length === 0;
    };
  }
}

const timeOf = ({ id, stay, document }: Offer): ListingTime | null => {
  const { calendar_id } = document;
  return stay && { calendar_id, listing_id: id, start_at: stay.start_at, end_at: stay.end_at };
};

/** How often groups are searched again without listings that turned out to be taken. */
const maxRounds = 4;

interface GroupSearch {
  criteria: SearchCriteria;
  isAffordable: Affordable;
  calendar: LiveCalendar;
}

const freeGroups = async (
  pool: readonly Offer[],
  { criteria, isAffordable, calendar }: GroupSearch,
): Promise<Group[]> => {
  let offers = pool;
  let free: Group[] = [];
  for (let round = 0; round < maxRounds; round++) {
    const groups = combineOffers(offers, { party: criteria.party, isAffordable });
    const members = [...new Set(groups.flatMap((group) => group.offers))];
    const isStillFree = await calendar.freeOffers(members, criteria);
    free = groups.filter((group) => group.offers.every(isStillFree));
    if (free.length === groups.length) break;
    const held = new Set(members.filter((offer) => !isStillFree(offer)));
    offers = offers.filter((offer) => !held.has(offer));
  }
  return free;
};
