import { hourNumber, type HourStretch, type LocalRange, wholeHours } from '../calendar/index.ts';
import { type ItemQuote, resolveStay, tryQuoteItem } from '../pricing/index.ts';
import { shownKm } from './grid.ts';
import type { Located } from './locate.ts';
import type { FoundListing } from './search.schema.ts';
import { itemOf, type Party, type Wish } from './search-wish.ts';

/** A located listing for the dates of a wish. What it costs is worked out when somebody asks. */
export class Offer {
  readonly id: number;
  readonly located: Located;
  readonly #dates: Wish['dates'];
  readonly #now: number;
  readonly #quotes = new Map<string, ItemQuote | null>();
  #stay: LocalRange | null | undefined;

  constructor(located: Located, { dates }: Wish, now: number) {
    this.id = located.id;
    this.located = located;
    this.#dates = dates;
    this.#now = now;
  }

  get document() {
    return this.located.document;
  }

  /** When the stay would be, in the listing's local time; null where its own rules refuse the dates, or without dates. */
  get stay(): LocalRange | null {
    if (this.#stay !== undefined) return this.#stay;
    return (this.#stay = this.#dates && this.#stayOn(this.#dates));
  }

  #stayOn(dates: NonNullable<Wish['dates']>): LocalRange | null {
    const item = itemOf(this.id, dates, { guests: 1, adults: null, children: null });
    const { stay } = resolveStay({ rateCard: this.document.rateCard, item, now: this.#now });
    return stay && { start_at: stay.start, end_at: stay.end };
  }

  /** Whether the listing takes so many people on these dates, by its own rules and as far as search knows its calendar. */
  isFreeFor({ guests }: Pick<Party, 'guests'>): boolean {
    if (guests > this.document.capacity) return false;
    if (this.#dates === null) return true;
    const { stay } = this;
    return stay !== null && isFree(this.document.taken, stay);
  }

  /** The price of the stay by the function that prices a checkout (D41); null where it would refuse, or without dates. */
  quoteFor(party: Party): ItemQuote | null {
    if (this.#dates === null) return null;
    const key = `${party.guests} ${party.adults} ${party.children}`;
    const known = this.#quotes.get(key);
    if (known !== undefined) return known;
    const item = itemOf(this.id, this.#dates, party);
    const { quote } = tryQuoteItem({ rateCard: this.document.rateCard, item, now: this.#now });
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
      nights: this.#dates?.nights ?? null,
      distance_km: km === null ? null : shownKm(km),
      latitude,
      longitude,
    };
  }
}

/** Whether a stay shares no hour with what is taken; both are half-open (D24, D25). */
export const isFree = (taken: readonly HourStretch[], stay: LocalRange): boolean => {
  const { start_at, end_at } = wholeHours(stay);
  const [from, to] = [hourNumber(start_at), hourNumber(end_at)];
  let [low, high] = [0, taken.length];
  // Of the stretches that end after the stay begins, the first decides.
  while (low < high) {
    const middle = (low + high) >> 1;
    if ((taken[middle]?.[1] ?? 0) <= from) low = middle + 1;
    else high = middle;
  }
  const next = taken[low];
  return next === undefined || next[0] >= to;
};
