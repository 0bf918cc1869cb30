import * as z from 'zod';
import {
  CurrencyCode,
  DateText,
  Money,
  pageOf,
  pagingFields,
  queryNumber,
} from '../../platform/schema/schema.ts';
import { ListingSummary } from '../listing/listing.schema.ts';

const searchOrders = ['relevance', 'price', 'distance', 'rating'] as const;

/** The most guests of a search: five of the largest listings. */
const maxGuests = 5000;
const people = (least: number) => queryNumber(z.int().min(least).max(maxGuests)).optional();

/** Several values of a query parameter, separated by commas. */
const values = z.string().min(1).max(500).optional();

export const SearchQuery = z.strictObject({
  location: z
    .string()
    .trim()
    .min(1)
    .max(200)
    .meta({
      description:
        'A province code, a point as `lat,lng`, or free text, each word of which begins a word of country, province, name or address (diacritics and case do not matter, spaces may be missing; numbers match whole; `Việt Nam` and words like `TP`, `Tỉnh`, `Phường`, `District` do not count beside others).',
      examples: ['Đà Lạt'],
    }),
  radius_km: queryNumber(
    z
      .number()
      .gt(0)
      .max(100)
      .meta({ description: 'Around a point; ignored for any other location.', default: 10 }),
  ).default(10),
  check_in: DateText.optional().meta({
    description: 'With `check_out`. Without dates the calendar is not considered, and there are no totals.',
    format: 'date',
    examples: ['2027-02-04'],
  }),
  check_out: DateText.optional().meta({
    description: 'The same date as `check_in` means day use.',
    format: 'date',
    examples: ['2027-02-07'],
  }),
  guests: people(1).meta({ description: 'Absent: adults and children together, or 1.', examples: [2] }),
  adults: people(1),
  children: people(0),
  min_price: queryNumber(Money)
    .optional()
    .meta({ description: 'Of `total_price`, or of `full_rate` without dates; in `currency`.' }),
  max_price: queryNumber(Money).optional(),
  currency: CurrencyCode.optional().meta({
    description: 'Only listings with prices in this currency. Absent: any; with min_price or max_price VND.',
    examples: ['VND'],
  }),
  property_type: values.meta({
    description: 'One or more kinds of property, separated by commas.',
    examples: ['villa'],
  }),
  amenities: values.meta({
    description:
      'Ids or codes of the amenities catalog, separated by commas: listings that have all of them.',
    examples: ['wifi,201'],
  }),
  sort: z.enum(searchOrders).default('relevance').meta({
    description:
      '`price`: ascending, within each currency, VND first; `distance`: ascending from the point, else from the centre of the matching listings; `rating`: descending.',
  }),
  ...pagingFields,
});
export type SearchQuery = z.infer<typeof SearchQuery>;

/** A search of a page, among the homes of its team (D144). */
export const StaySearchQuery = SearchQuery.extend({
  location: SearchQuery.shape.location.optional().meta({
    description: 'As in `GET /search`. Absent: all homes of the team.',
    examples: ['Đà Lạt'],
  }),
});
export type StaySearchQuery = z.infer<typeof StaySearchQuery>;

/** A listing in the results (D58). */
export const FoundListing = ListingSummary.extend({
  capacity: z.int().meta({ description: 'The most guests it takes.' }),
  currency: CurrencyCode,
  total_price: Money.nullable().meta({
    description: 'The price of a checkout of the stay, as in its preview; null without dates.',
  }),
  nights: z.int().min(0).nullable().meta({ description: 'Null without dates, 0 for day use.' }),
  distance_km: z.number().min(0).nullable().meta({
    description: 'From the point, else from the centre of the matching listings; null without coordinates.',
  }),
  latitude: z.number().nullable(),
  longitude: z.number().nullable(),
}).meta({ id: 'FoundListing' });
export type FoundListing = z.infer<typeof FoundListing>;

const share = z.int().min(0);

/** A listing of a group with its guests: as a checkout item it costs its `total_price`. */
const ComboListing = FoundListing.extend({
  guest_number: z.int().min(1),
  adult_number: share
    .nullable()
    .meta({ description: 'Null when the search named neither adults nor children.' }),
  children_number: share.nullable(),
}).meta({ id: 'ComboListing' });
type ComboListing = z.infer<typeof ComboListing>;

/** Neighbouring listings that hold the guests together (D59). */
export const Combo = z
  .object({
    listings: z.array(ComboListing).min(2).max(5),
    total_capacity: z.int(),
    total_price: Money.meta({ description: 'The total of an order of these listings with these guests.' }),
    currency: CurrencyCode,
    max_distance_km: z.number().min(0).max(2),
  })
  .meta({ id: 'Combo' });
export type Combo = z.infer<typeof Combo>;

export const maxCombos = 20;

/** The result of a search (D58, D59). */
export const SearchResult = pageOf(FoundListing)
  .extend({ combos: z.array(Combo).max(maxCombos) })
  .meta({ id: 'SearchResult' });
export type SearchResult = z.infer<typeof SearchResult>;
