import { type LocalRange, monthSpans, preparationOf } from '../calendar/model.ts';
import { type LimitedStay, limitedStay, type RateCard, resolveStay } from '../pricing/model.ts';
import { timeFields } from './place-plane.ts';
import { itemOf, type SearchCriteria } from './search-criteria.ts';

/** A stay in local time, with the hours that it takes of each of its months (D25). */
export interface SearchStay extends LocalRange {
  /** Hours after it that it takes too (D77). */
  preparation_hours?: number;
  months: ReturnType<typeof monthSpans>;
  /** What stay rules ask of it. */
  limited: LimitedStay;
}

/** The stays of one search, computed once for each combination of times and zone. */
export class Stays {
  readonly #dates: SearchCriteria['dates'];
  readonly #now: number;
  readonly #known = new Map<string, SearchStay | null>();

  constructor({ dates }: Pick<SearchCriteria, 'dates'>, now: number) {
    this.#dates = dates;
    this.#now = now;
  }

  /** Returns the stay; null if the listing's own rules refuse it (D24), or without dates. */
  of(times: string): SearchStay | null {
    if (this.#dates === null) return null;
    const known = this.#known.get(times);
    if (known !== undefined) return known;
    const found = this.#stayOf({ ...anyListing, ...timesIn(times) }, this.#dates);
    this.#known.set(times, found);
    return found;
  }

  #stayOf(listing: RateCard['listing'], dates: NonNullable<SearchCriteria['dates']>): SearchStay | null {
    const item = itemOf(listing.id, dates, { guests: 1, adults: null, children: null });
    const { stay } = resolveStay({ rateCard: { listing, combos: [] }, item, now: this.#now });
    if (!stay) return null;
    const preparation = preparationOf({ preparation_hours: listing.preparation_hours ?? 0 });
    const taken = { start_at: stay.start, end_at: stay.end, ...preparation };
    return {
      ...taken,
      months: monthSpans(taken),
      limited: limitedStay(listing.timezone, { ...item, start_at: stay.start }, this.#now),
    };
  }
}

const anyListing = { id: 1, name: '', currency: 'VND', capacity: 1, full_rate: 0 };

/** Returns the fields of a value of {@link timeFields}. */
export const timesIn = (times: string): Pick<RateCard['listing'], (typeof timeFields)[number]> => {
  const values = JSON.parse(times) as (string | number | null)[];
  const [timezone] = values;
  const fields = Object.fromEntries(timeFields.map((field, at) => [field, values[at]]));
  return { ...fields, timezone: typeof timezone === 'string' ? timezone : 'UTC' };
};
