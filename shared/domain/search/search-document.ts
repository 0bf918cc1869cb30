import { calendarOf, type HourStretch } from '../calendar/index.ts';
import { countryNames, type Listing, type ListingSummary, summarizeListing } from '../listing/index.ts';
import {
  type ListingRates,
  maximumGuests,
  type PriceParts,
  type RateCard,
  rateCardOf,
} from '../pricing/index.ts';
import { provinceOf, wordsOf } from './place-text.ts';

/**
 * What search knows of an open listing: what it shows, what it filters by, what the price is made of, and the hours that are
 * taken. Nothing of it is more than a stranger may see (D15).
 */
export interface SearchDocument {
  id: number;
  calendar_id: number;
  summary: ListingSummary;
  /** The most guests it takes (D39). */
  capacity: number;
  property_type: string;
  amenity_ids: number[];
  latitude: number | null;
  longitude: number | null;
  /** Code of the province, one for all its spellings. */
  province: string;
  /** Words without diacritics, by where they stand: in the names of country and province, the listing's name, the address. */
  words: string[][];
  rateCard: RateCard;
  /** Local hours that are taken for good, in order; soft locks are not known here. */
  taken: HourStretch[];
}

const rateFields = [
  'timezone',
  'maximum_guest',
  'guest_included_in_rate',
  'minimum_rate',
  'prices_by_week',
  'extra_adult_rate',
  'extra_child_rate',
  'cleaning_fee',
  'monthly_price',
  'last_minute_hour',
  'last_minute_discount',
  'price_rate_in_day',
  'standard_check_in_time',
  'standard_check_out_time',
  'flexible_check_in_time',
  'flexible_check_out_time',
  'no_checkin_after_hour',
] as const satisfies (keyof ListingRates)[];

/** People's names for what is officially Thành phố Hồ Chí Minh. */
const spokenNames: Record<string, string> = { SG: 'Sài Gòn HCMC TPHCM' };

interface Told {
  listing: Listing;
  parts: PriceParts | undefined;
  taken: HourStretch[];
}

/** The document of a listing; what is over by `today` (a date) is left out. */
export const searchDocument = ({ listing, parts, taken }: Told, today: string): SearchDocument => {
  const province = provinceOf(listing.province_code);
  const { property_type, latitude, longitude } = listing;
  return {
    id: listing.id,
    calendar_id: calendarOf(listing),
    summary: summarizeListing(listing),
    capacity: maximumGuests(listing),
    property_type,
    amenity_ids: listing.amenities.map(({ amenity_id }) => amenity_id),
    // One without the other is no place.
    latitude: longitude === null ? null : latitude,
    longitude: latitude === null ? null : longitude,
    province,
    words: [
      countryNames(listing.country_code).join(' '),
      listing.province_name,
      spokenNames[province] ?? '',
      listing.name,
      `${listing.address} ${listing.province_name}`,
    ].map(wordsOf),
    rateCard: searchedRates(listing, parts, today),
    taken,
  };
};

/** What of the rate card can decide the price of a stay without combo or chosen service, by a rule that is not over. */
const searchedRates = (listing: Listing, parts: PriceParts | undefined, today: string): RateCard => {
  const { services, rules } = rateCardOf(listing, parts);
  const { id, name, currency, capacity, full_rate, timezone } = listing;
  const set = rateFields.map((field) => [field, listing[field]] as const).filter(([, value]) => isSet(value));
  return {
    listing: { id, name, currency, capacity, full_rate, timezone, ...Object.fromEntries(set) },
    combos: [],
    services: services.filter(({ is_active, is_required }) => is_active && is_required),
    rules: rules.filter(
      ({ is_active, date_type, date_from, date_to }) =>
        is_active &&
        (date_type !== 'DATE_RANGE' || (date_to ?? '') >= today) &&
        (date_type !== 'SPECIFIC_DATE' || (date_from ?? '') >= today),
    ),
  };
};

/** Whatever is 0 or null counts as not there in a price. */
const isSet = (value: unknown): boolean => value !== null && value !== undefined && value !== 0;
