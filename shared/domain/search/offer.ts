import { type ItemQuote, tryQuoteItem } from '../pricing/index.ts';
import { shownKm } from './grid.ts';
import type { Located } from './locate.ts';
import type { SearchDocument } from './search-document.ts';
import type { FoundListing } from './search.schema.ts';
import { itemOf, type Party, type SearchCriteria } from './search-wish.ts';
import { isFree, type StayHours, type Stays } from './stay-hours.ts';

/** A search for one wish at one moment. */
export interface Searching {
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
