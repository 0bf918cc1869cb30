import type { Sorting } from '../../platform/table/index.ts';
import type { Offer } from './offer.ts';
import type { SearchQuery } from './search.schema.ts';
import type { Party } from './search-wish.ts';

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
