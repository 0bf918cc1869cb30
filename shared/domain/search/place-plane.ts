import { distancesFrom, type Point } from './grid.ts';
import { type Column, packNumberColumns, unpackNumberColumns } from './number-columns.ts';
import type { RateCard } from '../pricing/model.ts';
import type { SearchDocument } from './search-document.ts';

/** What of a listing decides when a stay begins and ends, until when it takes time, and whether it is refused (D24). */
export const timeFields = [
  'timezone',
  'standard_check_in_time',
  'standard_check_out_time',
  'flexible_check_in_time',
  'flexible_check_out_time',
  'no_checkin_after_hour',
  'preparation_hours',
] as const;

/** What listings are filtered and ranked by. */
interface PlaceRow {
  id: number;
  calendar_id: number;
  latitude: number | null;
  longitude: number | null;
  /** The most guests (D39). */
  capacity: number;
  /** 0 without reviews. */
  rating_average: number;
  review_count: number;
  property_type: string;
  /** The id of its team as text. */
  team: string;
  province: string;
  currency: string;
  /** The values of {@link timeFields} as JSON. */
  times: string;
  /** That of its entry: a document in memory of the same revision is shown without being read again. 0 if not counted yet. */
  revision: number;
}

const numbers = ['id', 'capacity', 'rating_average', 'review_count'] as const;
const choices = ['property_type', 'province', 'currency', 'times', 'team'] as const;

export const placeRow = (document: SearchDocument, revision: number): PlaceRow => {
  const { id, calendar_id, latitude, longitude, capacity, summary, property_type, province } = document;
  const { listing } = document.rateCard;
  return {
    team: String(document.team_id),
    ...{ id, calendar_id, latitude, longitude, capacity, property_type, province },
    rating_average: summary.rating_average ?? 0,
    review_count: summary.review_count,
    currency: listing.currency,
    times: timesText(listing),
    revision,
  };
};

/** Returns the values of {@link timeFields} as JSON. The last field is left out where it is unset, as in most listings. */
export const timesText = (listing: RateCard['listing']): string => {
  const values = timeFields.map((field) => listing[field] ?? null);
  return JSON.stringify(values.at(-1) === null ? values.slice(0, -1) : values);
};

/** A free slot has the id 0. */
const freeSlot: PlaceRow = {
  ...{ id: 0, calendar_id: 0, latitude: null, longitude: null, capacity: 0, rating_average: 0 },
  ...{ review_count: 0, property_type: '', province: '', currency: '', times: '', team: '', revision: 0 },
};

export const packPlaces = (rows: readonly (PlaceRow | undefined)[]): Uint8Array => {
  const filled = rows.map((row) => row ?? freeSlot);
  const legends = choices.map((name) => [...new Set(filled.map((row) => row[name]))]);
  return packNumberColumns({
    numbers: [
      ...numbers.map((name) => filled.map((row) => row[name])),
      filled.map((row) => row.calendar_id - row.id),
      filled.map((row) => row.latitude ?? NaN),
      filled.map((row) => row.longitude ?? NaN),
      ...choices.map((name, at) => filled.map((row) => legends[at]?.indexOf(row[name]) ?? 0)),
      filled.map(({ revision }) => revision),
    ],
    texts: [JSON.stringify(legends)],
  });
};

const none: Column = new Uint8Array();

/** Places as columns. */
export class PlacePlane {
  readonly bytes: number;
  readonly ids: Column;
  readonly capacities: Column;
  readonly ratings: Column;
  readonly reviews: Column;
  /** The calendar's id minus the listing's: 0 but for the rooms of a house. */
  readonly calendarSteps: Column;
  readonly latitudes: Column;
  readonly longitudes: Column;
  readonly types: Column;
  readonly provinces: Column;
  readonly currencies: Column;
  readonly times: Column;
  readonly teams: Column;
  /** Empty in a plane of before. */
  readonly revisions: Column;
  /** The values that `types`, `provinces`, `currencies`, `times` and `teams` are numbers of. */
  readonly legends: {
    types: string[];
    provinces: string[];
    currencies: string[];
    times: string[];
    teams: string[];
  };
  /** From the point of the last search. */
  #km = new Float64Array();
  #from: Point | undefined;

  constructor(packed: Uint8Array) {
    const { numbers: columns, texts, bytes } = unpackNumberColumns(packed);
    const [ids, capacities, ratings, reviews, steps, latitudes, longitudes, ...chosen] = columns;
    const [types, provinces, currencies, times, teams, revisions] = chosen;
    this.ids = ids ?? none;
    this.capacities = capacities ?? none;
    this.ratings = ratings ?? none;
    this.reviews = reviews ?? none;
    this.calendarSteps = steps ?? none;
    this.latitudes = latitudes ?? none;
    this.longitudes = longitudes ?? none;
    this.types = types ?? none;
    this.provinces = provinces ?? none;
    this.currencies = currencies ?? none;
    this.times = times ?? none;
    this.teams = teams ?? none;
    this.revisions = revisions ?? none;
    const legends = JSON.parse(texts[0] ?? '[[],[],[],[],[]]') as string[][];
    this.legends = {
      types: legends[0] ?? [],
      provinces: legends[1] ?? [],
      currencies: legends[2] ?? [],
      times: legends[3] ?? [],
      teams: legends[4] ?? [],
    };
    this.bytes = bytes + this.length * Float64Array.BYTES_PER_ELEMENT;
  }

  /** Returns the distances from a point. They are kept for the next: other pages and orders ask for the same. */
  distances(point: Point): Float64Array {
    if (this.#from?.latitude === point.latitude && this.#from.longitude === point.longitude) return this.#km;
    this.#from = point;
    this.#km = new Float64Array(this.length);
    const kmTo = distancesFrom(point);
    for (let slot = 0; slot < this.length; slot++)
      this.#km[slot] = kmTo(this.latitudes[slot] ?? NaN, this.longitudes[slot] ?? NaN);
    return this.#km;
  }

  /** Returns the listing of a slot; undefined if the slot is free. */
  row(slot: number): PlaceRow | undefined {
    const id = this.ids[slot] ?? 0;
    if (id === 0) return undefined;
    return {
      id,
      calendar_id: id + (this.calendarSteps[slot] ?? 0),
      latitude: orNull(this.latitudes[slot]),
      longitude: orNull(this.longitudes[slot]),
      capacity: this.capacities[slot] ?? 0,
      rating_average: this.ratings[slot] ?? 0,
      review_count: this.reviews[slot] ?? 0,
      property_type: this.legends.types[this.types[slot] ?? 0] ?? '',
      province: this.legends.provinces[this.provinces[slot] ?? 0] ?? '',
      currency: this.legends.currencies[this.currencies[slot] ?? 0] ?? '',
      times: this.legends.times[this.times[slot] ?? 0] ?? '',
      team: this.legends.teams[this.teams[slot] ?? 0] ?? '',
      revision: this.revisions[slot] ?? 0,
    };
  }

  get length(): number {
    return this.ids.length;
  }
}

const orNull = (value: number | undefined): number | null =>
  value === undefined || Number.isNaN(value) ? null : value;
