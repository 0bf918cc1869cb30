import { datesBetween, dayNumber } from '../../platform/time/time.ts';
import { isStayAllowed, type RateCard, tryTotalOf } from '../pricing/model.ts';
import { type ChunkView, pricesIn, viewOf } from './chunk-view.ts';
import { shownKm } from './grid.ts';
import type { Located } from './locate.ts';
import { type PlacePlane, timesText } from './place-plane.ts';
import { type PricePlane, pricesOf } from './price-plane.ts';
import { type PricedStay, quickTotal, unitOf, weekdayOf } from './quick-total.ts';
import { itemOf, type Party, type SearchCriteria } from './search-criteria.ts';
import type { ShownDocument } from './search-document.ts';
import type { FoundListing } from './search.schema.ts';
import { type SearchStay, Stays, timesIn } from './stay-hours.ts';

type Dates = NonNullable<SearchCriteria['dates']>;

/** The located listings for the dates of a search, by their row. */
export class Offers {
  readonly located: Located;
  readonly criteria: SearchCriteria;
  readonly #now: number;
  readonly #views: (ChunkView | undefined)[];
  readonly #days: number[];
  readonly #weekdays: number[];
  /** Most listings of a search have the same times. */
  #last: { stay: SearchStay; party: Party; priced: PricedStay } | undefined;
  readonly #stays: Stays;

  constructor(located: Located, criteria: SearchCriteria, now: number) {
    const stays = new Stays(criteria, now);
    this.#stays = stays;
    this.located = located;
    this.criteria = criteria;
    this.#now = now;
    this.#views = located.chunks.map((chunk) => viewOf(chunk, criteria, stays));
    this.#days = criteria.dates ? daysOf(criteria.dates) : [];
    this.#weekdays = this.#days.map(weekdayOf);
  }

  get rows(): number {
    return this.located.rows;
  }

  #view(row: number): ChunkView {
    const view = this.#views[this.located.chunkAt[row] ?? 0];
    if (!view) throw new RangeError(`row ${row} has no chunk`);
    return view;
  }

  #slot(row: number): number {
    return this.located.slots[row] ?? 0;
  }

  id(row: number): number {
    return this.#view(row).place.ids[this.#slot(row)] ?? 0;
  }

  /** Whether a listing is of the wanted kind, and accepts so many guests on these dates by its rules and the indexed hours. */
  isWanted(row: number, guests: number): boolean {
    const view = this.#view(row);
    const { place, stays, filters } = view;
    const slot = this.#slot(row);
    if (guests > (place.capacities[slot] ?? 0)) return false;
    for (const { column, isWanted } of filters) if (isWanted[column[slot] ?? 0] !== true) return false;
    const { amenityIds, dates } = this.criteria;
    if (amenityIds.length > 0 && !view.amenities?.hasAll(slot, amenityIds)) return false;
    if (dates === null) return true;
    const stay = stays[place.times[slot] ?? 0];
    if (!stay) return false;
    const limits = view.stayRules?.limits(slot);
    if (limits && !isStayAllowed(limits, stay.limited)) return false;
    for (const { plane, from, to } of stay.hours) if (plane.isTaken(slot, from, to)) return false;
    return true;
  }

  /** Null if the listing's own rules refuse the dates, or without dates. */
  stay(row: number): SearchStay | null {
    const { place, stays } = this.#view(row);
    return stays[place.times[this.#slot(row)] ?? 0] ?? null;
  }

  /** The currency of all that is wanted; undefined where there may be several. */
  get onlyCurrency(): string | undefined {
    if (this.criteria.currency !== null) return this.criteria.currency;
    const codes = this.#views.flatMap((view) => view?.place.legends.currencies ?? []);
    const [only, ...others] = new Set(codes.filter((code) => code !== ''));
    return others.length === 0 ? only : undefined;
  }

  currency(row: number): string {
    const { place } = this.#view(row);
    return place.legends.currencies[place.currencies[this.#slot(row)] ?? 0] ?? '';
  }

  /** How the listing is rated: its average, 0 without reviews, and their number. */
  rating(row: number): { average: number; reviews: number } {
    const { ratings, reviews } = this.#view(row).place;
    const slot = this.#slot(row);
    return { average: ratings[slot] ?? 0, reviews: reviews[slot] ?? 0 };
  }

  /** Undefined for a listing whose prices were not read: an eventually consistent read may find its place before them. */
  #prices(row: number): PricePlane | undefined {
    const prices = pricesIn(this.#view(row));
    return prices && this.#slot(row) < prices.length ? prices : undefined;
  }

  /** Null while the prices of the listing are unknown. */
  fullRate(row: number): number | null {
    return this.#prices(row)?.prices.full_rate[this.#slot(row)] ?? null;
  }

  /**
   * Returns the price of the stay that a checkout computes (D41); null if it would refuse, without dates, and while the prices of
   * the listing are unknown.
   */
  totalFor(row: number, party: Party): number | null {
    const { dates } = this.criteria;
    const view = this.#view(row);
    const { place, stays, units } = view;
    const prices = pricesIn(view);
    const slot = this.#slot(row);
    const stay = stays[place.times[slot] ?? 0];
    if (!dates || !stay || !prices || slot >= prices.length) return null;
    if (party.guests > (place.capacities[slot] ?? 0)) return null;
    const unit = units[place.currencies[slot] ?? 0] ?? 1;
    const quick = quickTotal(prices, slot, this.#priced(stay, dates, party), unit);
    if (quick !== undefined) return quick;
    const { times, ...identity } = place.row(slot) ?? { id: 0, capacity: 0, currency: 'VND', times: '[]' };
    const rateCard = prices.rateCard(slot, { ...identity, times: timesIn(times) });
    return this.#exactTotal(rateCard, party);
  }

  /** Returns the price of the stay by a document, likewise. */
  totalOf(document: ShownDocument, party: Party): number | null {
    const { rateCard, capacity } = document;
    const { dates } = this.criteria;
    const stay = this.#stays.of(timesText(rateCard.listing));
    if (!dates || !stay || party.guests > capacity) return null;
    const priced = this.#priced(stay, dates, party);
    const quick = quickTotal(pricesOf(document), 0, priced, unitOf(rateCard.listing.currency));
    return quick === undefined ? this.#exactTotal(rateCard, party) : quick;
  }

  #priced(stay: SearchStay, { nights }: Dates, party: Party): PricedStay {
    if (this.#last?.stay === stay && this.#last.party === party) return this.#last.priced;
    const { guests, children } = party;
    const { beginsIn } = stay.limited;
    const dated = { days: this.#days, weekdays: this.#weekdays, nights };
    const priced = { ...dated, guests, children: children ?? 0, beginsIn };
    this.#last = { stay, party, priced };
    return priced;
  }

  #exactTotal(rateCard: RateCard, party: Party): number | null {
    const { dates } = this.criteria;
    if (!dates) return null;
    const item = itemOf(rateCard.listing.id, dates, party);
    return tryTotalOf({ rateCard, item, now: this.#now });
  }

  /** Returns the listings of the wanted kind that accept so many guests, each once. */
  freeFor(guests: number): Offer[] {
    const found = new Map<number, Offer>();
    for (let row = 0; row < this.rows; row++)
      if (this.isWanted(row, guests)) found.set(this.id(row), this.offer(row));
    return [...found.values()];
  }

  offer(row: number): Offer {
    return new Offer(this, row, this.#view(row), this.#slot(row));
  }
}

const daysOf = ({ check_in, check_out }: Dates): number[] =>
  (check_in === check_out ? [check_in] : datesBetween(check_in, check_out)).map(dayNumber);

/** One located listing for the dates of a search. */
export class Offer {
  readonly id: number;
  readonly calendar_id: number;
  readonly capacity: number;
  /** Null without coordinates. */
  readonly km: number | null;
  readonly row: number;
  readonly #offers: Offers;
  readonly #place: PlacePlane;
  readonly #prices: PricePlane | undefined;
  readonly #slot: number;

  constructor(offers: Offers, row: number, view: ChunkView, slot: number) {
    const { place } = view;
    this.id = offers.id(row);
    this.calendar_id = this.id + (place.calendarSteps[slot] ?? 0);
    this.capacity = place.capacities[slot] ?? 0;
    const km = offers.located.km[row] ?? NaN;
    this.km = Number.isNaN(km) ? null : km;
    this.row = row;
    this.#offers = offers;
    this.#place = place;
    this.#prices = pricesIn(view);
    this.#slot = slot;
  }

  /** That of its document, as far as the index is known. */
  get revision(): number {
    return this.#place.revisions[this.#slot] ?? 0;
  }

  get latitude(): number {
    return this.#place.latitudes[this.#slot] ?? 0;
  }

  get longitude(): number {
    return this.#place.longitudes[this.#slot] ?? 0;
  }

  get currency(): string {
    return this.#offers.currency(this.row);
  }

  get stay(): SearchStay | null {
    return this.#offers.stay(this.row);
  }

  /** Infinity while the prices of the listing are unknown. */
  get fullRate(): number {
    return this.#offers.fullRate(this.row) ?? Infinity;
  }

  totalFor(party: Party): number | null {
    return this.#offers.totalFor(this.row, party);
  }

  /** Returns the same text for listings of the same place, size, times and prices; those with rules or services are unique. */
  get kind(): string {
    const prices = this.#prices?.row(this.#slot);
    const own = prices && prices.rules.length + prices.services.length > 0 ? this.id : 0;
    const times = this.#place.times[this.#slot] ?? 0;
    const zoned = this.#place.legends.times[times];
    return JSON.stringify([
      own,
      this.capacity,
      this.latitude,
      this.longitude,
      this.currency,
      zoned,
      prices?.prices,
    ]);
  }

  /** Returns the offer as the response shows it (D58). */
  present(
    { summary, capacity, rateCard, latitude, longitude }: ShownDocument,
    total: number | null,
  ): FoundListing {
    return {
      ...summary,
      capacity,
      currency: rateCard.listing.currency,
      total_price: total,
      nights: this.#offers.criteria.dates?.nights ?? null,
      distance_km: this.km === null ? null : shownKm(this.km),
      latitude,
      longitude,
    };
  }

  /** Returns the price of the stay by the document (D41). */
  totalOf(document: ShownDocument, party: Party): number | null {
    return this.#offers.totalOf(document, party);
  }
}
