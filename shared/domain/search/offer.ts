import type { Sorting } from '../../platform/table/index.ts';
import { type ItemQuote, tryQuoteItem } from '../pricing/model.ts';
import { shownKm } from './grid.ts';
import type { Located } from './locate.ts';
import { itemOf, type Party, type SearchCriteria } from './search-criteria.ts';
import type { SearchDocument } from './search-document.ts';
import type { FoundListing, SearchQuery } from './search.schema.ts';
import { isFree, type StayHours, type Stays } from './stay-hours.ts';

/** A search for one wish at one moment. */
interface Searching {
  wish: SearchCriteria;
  stays: Stays;
  /** Epoch milliseconds. */
  now: number;
}

/** A located listing for the dates of a wish. What it costs is worked out when somebody asks. */
export class Offer {
  readonly id: number;
  readonly located: Located;
  readonly document: SearchDocument;
  /** Null where the listing's own rules refuse the dates, or without dates. */
  readonly stay: StayHours | null;
  readonly #searching: Searching;
  readonly #quotes = new Map<string, ItemQuote | null>();

  constructor(located: Located, searching: Searching) {
    this.id = located.id;
    this.located = located;
    this.document = located.packed.document;
    this.stay = searching.stays.in(this.document.rateCard);
    this.#searching = searching;
  }

  /** Whether the listing takes so many people on these dates, by its own rules and as far as search knows its calendar. */
  isFreeFor({ guests }: Pick<Party, 'guests'>): boolean {
    if (guests > this.document.capacity) return false;
    if (this.#searching.wish.dates === null) return true;
    return this.stay !== null && isFree(this.document.taken, this.stay.hours);
  }

  /** The price of the stay by the function that prices a checkout (D41); null where it would refuse, or without dates. */
  quoteFor(party: Party): ItemQuote | null {
    const { wish, now } = this.#searching;
    if (wish.dates === null) return null;
    const key = `${party.guests} ${party.adults} ${party.children}`;
    const known = this.#quotes.get(key);
    if (known !== undefined) return known;
    const item = itemOf(this.id, wish.dates, party);
    const { quote } = tryQuoteItem({ rateCard: this.document.rateCard, item, now });
    this.#quotes.set(key, quote);
    return quote;
  }

  /** As the answer shows it (D58). */
  present(party: Party): FoundListing {
    const { summary, capacity, rateCard, latitude, longitude } = this.document;
    const { km } = this.located;
    return {
      ...summary,
      capacity,
      currency: rateCard.listing.currency,
      total_price: this.quoteFor(party)?.total ?? null,
      nights: this.#searching.wish.dates?.nights ?? null,
      distance_km: km === null ? null : shownKm(km),
      latitude,
      longitude,
    };
  }
}

/** Reviews that a listing without any is thought to have, of average stars: five stars of one guest prove little. */
const assumedReviews = 5;
const assumedRating = 4;
/** Behind every real distance, and a number that a cursor can carry. */
const farAway = 1e6;

/** The order of an answer, made of one ascending value each; the older listing comes first among equals. */
export const sortingOf = (query: SearchQuery, party: Party): Sorting<Offer> => {
  const { page: _, limit: __, cursor: ___, ...asked } = query;
  const valueOf = valueBy[query.sort];
  return {
    name: `search ${JSON.stringify(asked)}`,
    valueOf: (offer) => valueOf(offer, { party, radiusKm: query.radius_km }),
    descending: false,
  };
};

interface Measure {
  party: Party;
  radiusKm: number;
}

const byDistance = ({ located }: Offer): number => located.km ?? farAway;

const byRating = ({ document: { summary } }: Offer): number =>
  -((summary.rating_average ?? 0) * 1e9 + summary.review_count);

/** VND first, then by code: what one currency costs cannot be compared with another. */
export const priceText = (currency: string, price: number): string =>
  `${currency === 'VND' ? '' : currency} ${price.toFixed(4).padStart(24, '0')}`;

const byPrice = (offer: Offer, { party }: Measure): string => {
  const { rateCard, summary } = offer.document;
  const price = offer.quoteFor(party)?.total ?? summary.full_rate;
  return priceText(rateCard.listing.currency, price);
};

/** Where the text was found; then stars, of which a whole radius from the middle costs one. */
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
