import { deflateRaw, inflateRaw } from '../../platform/compression.ts';
import { calendarOf, type HourStretch } from '../calendar/model.ts';
import { countryNames, type Listing, type ListingSummary, summarizeListing } from '../listing/model.ts';
import {
  type ListingRates,
  maximumGuests,
  type PriceParts,
  type RateCard,
  rateCardOf,
} from '../pricing/model.ts';
import { provinceOf, wordsOf } from './place-text.ts';

/**
 * A listing in the search index: what is shown and filtered by, the inputs of its price, and its taken hours. It contains
 * only what is public (D15).
 */
export interface SearchDocument {
  id: number;
  team_id: number;
  calendar_id: number;
  summary: ListingSummary;
  /** The most guests (D39). */
  capacity: number;
  property_type: string;
  amenity_ids: number[];
  latitude: number | null;
  longitude: number | null;
  /** Canonical code of the province. */
  province: string;
  /** Words without diacritics, by field: country, province, its common names, name, address. */
  words: string[][];
  rateCard: RateCard;
  /** Taken local hours, in order; soft locks are not included. */
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
  'preparation_hours',
] as const satisfies (keyof ListingRates)[];

/** Common names of Thành phố Hồ Chí Minh. */
const spokenNames: Record<string, string> = { SG: 'Sài Gòn HCMC TPHCM' };

interface DocumentSources {
  listing: Listing;
  parts: PriceParts | undefined;
  taken: HourStretch[];
}

/** Returns the document of a listing, without rules that ended before `today` (a date). */
export const searchDocument = ({ listing, parts, taken }: DocumentSources, today: string): SearchDocument => {
  const province = provinceOf(listing.province_code);
  const { property_type, latitude, longitude } = listing;
  return {
    id: listing.id,
    team_id: listing.team_id,
    calendar_id: calendarOf(listing),
    summary: summarizeListing(listing),
    capacity: maximumGuests(listing),
    property_type,
    amenity_ids: listing.amenities.map(({ amenity_id }) => amenity_id),
    // Both coordinates or none.
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

/** Returns the part of the rate card that can affect a price without combo or chosen service. */
const searchedRates = (listing: Listing, parts: PriceParts | undefined, today: string): RateCard => {
  const { services, rules, stayRules } = rateCardOf(listing, parts);
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
    ...(stayRules
      ? {
          stayRules: {
            ...stayRules,
            date_rules: stayRules.date_rules.filter(({ date_to }) => date_to >= today),
          },
        }
      : {}),
  };
};

/** 0 and null count as unset in a price. */
const isSet = (value: unknown): boolean => value !== null && value !== undefined && value !== 0;

/** Encodes taken hours as alternating lengths of free and taken stretches: small numbers, which compress well. */
const lengthsOf = (taken: readonly HourStretch[]): number[] => {
  let at = 0;
  return taken.flatMap(([from, to]) => {
    const lengths = [from - at, to - from];
    at = to;
    return lengths;
  });
};

const stretchesOf = (lengths: readonly number[]): HourStretch[] => {
  const taken: HourStretch[] = [];
  for (let position = 0, at = 0; position < lengths.length; position += 2) {
    const from = at + (lengths[position] ?? 0);
    at = from + (lengths[position + 1] ?? 0);
    taken.push([from, at]);
  }
  return taken;
};

/** What is shown of a listing, and what its price is computed from. */
export type ShownDocument = Omit<SearchDocument, 'taken' | 'words'>;

/** Whether two documents differ in their taken hours at most. */
export const isSameShown = (one: SearchDocument, other: SearchDocument): boolean =>
  shownText(one) === shownText(other);

const shownText = ({ taken, words, ...shown }: SearchDocument): string => JSON.stringify([shown, words]);

/** Packs a document. Equal documents are packed alike, so unchanged ones are not written. */
export const packDocument = (document: SearchDocument): Uint8Array => {
  const { taken, words, ...others } = document;
  const packed: Packed = { ...others, taken: lengthsOf(taken), words: words.map((field) => field.join(' ')) };
  return deflateRaw(JSON.stringify(packed));
};

type Packed = ShownDocument & { taken: number[]; words: string[] };

const unpack = (packed: Uint8Array): Packed => JSON.parse(inflateRaw(packed).toString()) as Packed;

export const unpackDocument = (packed: Uint8Array): SearchDocument => {
  const { taken, words, ...shown } = unpack(packed);
  return {
    ...shown,
    taken: stretchesOf(taken),
    words: words.map((text) => text.split(' ').filter((word) => word !== '')),
  };
};

/** Returns a document without what only the index compares. */
export const unpackShown = (packed: Uint8Array): ShownDocument => {
  const { taken, words, ...shown } = unpack(packed);
  return shown;
};
