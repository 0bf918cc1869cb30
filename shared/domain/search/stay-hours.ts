import { hourNumber, type HourStretch, type LocalRange, wholeHours } from '../calendar/model.ts';
import { type RateCard, resolveStay } from '../pricing/model.ts';
import { itemOf, type SearchCriteria } from './search-criteria.ts';

/** A stay in local time, with its whole hours (D25). */
export interface StayHours extends LocalRange {
  hours: HourStretch;
}

/** The stays of one search, computed once for each combination of times and zone. */
export class Stays {
  readonly #dates: SearchCriteria['dates'];
  readonly #now: number;
  readonly #known = new Map<string, StayHours | null>();

  constructor({ dates }: SearchCriteria, now: number) {
    this.#dates = dates;
    this.#now = now;
  }

  /** Returns the stay; null if the listing's own rules refuse it (D24), or without dates. */
  in(rateCard: RateCard): StayHours | null {
    if (this.#dates === null) return null;
    const { listing } = rateCard;
    const key = [
      listing.timezone,
      listing.standard_check_in_time,
      listing.standard_check_out_time,
      listing.flexible_check_in_time,
      listing.flexible_check_out_time,
      listing.no_checkin_after_hour,
    ].join(' ');
    const known = this.#known.get(key);
    if (known !== undefined) return known;
    const item = itemOf(listing.id, this.#dates, { guests: 1, adults: null, children: null });
    const { stay } = resolveStay({ rateCard, item, now: this.#now });
    const hours = stay && hoursOf({ start_at: stay.start, end_at: stay.end });
    this.#known.set(key, hours);
    return hours;
  }
}

export const hoursOf = (stay: LocalRange): StayHours => {
  const { start_at, end_at } = wholeHours(stay);
  return { ...stay, hours: [hourNumber(start_at), hourNumber(end_at)] };
};

/** Whether a stay overlaps no taken stretch; all are half-open (D24, D25). */
export const isFree = (taken: readonly HourStretch[], [from, to]: HourStretch): boolean => {
  let [low, high] = [0, taken.length];
  // Binary search for the first stretch that ends after the stay begins.
  while (low < high) {
    const middle = (low + high) >> 1;
    if ((taken[middle]?.[1] ?? 0) <= from) low = middle + 1;
    else high = middle;
  }
  const next = taken[low];
  return next === undefined || next[0] >= to;
};
