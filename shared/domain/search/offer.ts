import type { Sorting } from '../../platform/table/index.ts';
import { type ItemQuote, tryQuoteItem } from '../pricing/model.ts';
import { shownKm } from './grid.ts';
import type { Located } from './locate.ts';
import { itemOf, type Party, type SearchCriteria } from './search-criteria.ts';
import type { SearchDocument } from './search-document.ts';
import type { FoundListing, SearchQuery } from './search.schema.ts';
import { isFree, type StayHours, type Stays } from './stay-hours.ts';

/** The state of one search. */
interface SearchState {
  criteria: SearchCriteria;
  stays: Stays;
  /** Epoch milliseconds. */
  now: number;
}

/** A located listing for the dates of a search. Prices are computed when needed. */
export class Offer {
  readonly id: number;
  readonly located: Located;
  readonly document: SearchDocument;
  /** Null if the listing's own rules refuse the dates, or without dates. */
  readonly stay: StayHours | null;
  readonly #searching: SearchState;
  readonly #quotes = new Map<string, ItemQuote | null>();

  constructor(located: Located, state: SearchState) {
    this.id = located.id;
    this.located = located;
    this.document = located.packed.document;
    this.stay = state.stays.in(this.document.rateCard);
    this.#searching = state;
  }

  /** Whether the listing accepts so many guests on these dates, by its own rules and the indexed hours. */
  isFreeFor({ guests }: Pick<Party, 'guests'>): boolean {
    if (guests > this.document.capacity) return false;
    if (this.#searching.criteria.dates === null) return true;
    return this.stay !== null && isFree(this.document.taken, this.stay.hours);
  }

  /**
   * Returns the price of the stay by the function that prices a checkout (D41); null if it would refuse, or without
   * dates.
   */
  quoteFor(party: Party): ItemQuote | null {
    const { criteria, now } = this.#searching;
    if (criteria.dates === null) return null;
    const key = `${party.guests} ${party.adults} ${party.children}`;
    const known = this.#quotes.get(key);
    if (known !== undefined) return known;
    const item = itemOf(this.id, criteria.dates, party);
    const { quote } = tryQuoteItem({ rateCard: this.document.rateCard, item, now });
    this.#quotes.set(key, quote);
    return quote;
  }

  /** Returns the offer as the response shows it (D58). */
  present(party: Party): FoundListing {
    const { summary, capacity, rateCard, latitude, longitude } = this.document;
    const { km } = this.located;
    return {
      ...summary,
      capacity,
      currency: rateCard.listing.currency,
      total_price: this.quoteFor(party)?.total ?? null,
      nights: this.#searching.criteria.dates?.nights ?? null,
      distance_km: km === null ? null : shownKm(km),
      latitude,
      longitude,
    };
  }
}

/** Weight of an assumed average rating for listings with few reviews. */
const assumedReviews = 5;
const assumedRating = 4;
/** Larger than any distance, and finite so that a cursor can contain it. */
const noDistance = 1e6;

/** Returns the sort order of a query as one ascending value for each offer; ties are ordered by age. */
export const sortingOf = (query: SearchQuery, party: Party): Sorting<Offer> => {
  const { page: _, limit: __, cursor: ___, ...rest } = query;
  const valueOf = valueBy[query.sort];
  return {
    name: `search ${JSON.stringify(rest)}`,
    valueOf: (offer) => valueOf(offer, { party, radiusKm: query.radius_km }),
    descending: false,
  };
};

interface Measure {
  party: Party;
  radiusKm: number;
}

const byDistance = ({ located }: Offer): number => located.km ?? noDistance;

const byRating = ({ document: { summary } }: Offer): number =>
  -((summary.rating_average ?? 0) * 1e9 + summary.review_count);

/** VND first, then by code, since prices of different currencies are not compared. */
export const priceText = (currency: string, price: number): string =>
  `${currency === 'VND' ? '' : currency} ${price.toFixed(4).padStart(24, '0')}`;

const byPrice = (offer: Offer, { party }: Measure): string => {
  const { rateCard, summary } = offer.document;
  const price = offer.quoteFor(party)?.total ?? summary.full_rate;
  return priceText(rateCard.listing.currency, price);
};

/** Orders by match of the text, then stars; a full radius from the centre counts as one star. */
const byRelevance = ({ located, document: { summary } }: Offer, { radiusKm }: Measure): number => {
  const { rating_average, review_count } = summary;
  const stars =
    ((rating_average ?? 0) * review_count + assumedRating * assumedReviews) / (review_count + assumedReviews);
  const away = located.km === null ? 1 : Math.min(1, located.km / radiusKm);
  return located.foundIn * 10 - stars + away;
};

const valueBy = {
  relevance: byRelevance,
  price: byPrice,
  distance: byDistance,
  rating: byRating,
} satisfies Record<SearchQuery['sort'], (offer: Offer, measure: Measure) => number | string>;
