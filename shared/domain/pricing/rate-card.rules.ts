import type { Issue } from '../../platform/errors.ts';
import { addDays, atTime, ceilHour, dateOf, floorHour, toLocal } from '../../platform/time/time.ts';
import type { ComboPrice, PricingRule } from './price-part.schema.ts';
import type { ExtraService } from './extra-service.schema.ts';
import type { CheckoutItem, PricingType } from './quote.schema.ts';
import type { ListedStayRules } from './stay-rules.schema.ts';

type Unset = null | undefined;

/** The fields of a listing that decide a price or a refusal. Money is in `currency`, times are local. */
export interface ListingRates {
  readonly id: number;
  readonly name: string;
  readonly currency: string;
  readonly timezone: string;
  readonly capacity: number;
  readonly maximum_guest?: number | Unset;
  readonly guest_included_in_rate?: number | Unset;
  readonly full_rate: number;
  readonly minimum_rate?: number | Unset;
  /** Keys '0' (Sunday) to '6' (Saturday). */
  readonly prices_by_week?: Readonly<Record<string, number | Unset>> | Unset;
  readonly extra_adult_rate?: number | Unset;
  readonly extra_child_rate?: number | Unset;
  readonly cleaning_fee?: number | Unset;
  readonly early_check_in_fee?: number | Unset;
  readonly late_check_out_fee?: number | Unset;
  readonly security_deposit?: number | Unset;
  readonly commission_rate?: number | Unset;
  readonly monthly_price?: number | Unset;
  readonly last_minute_hour?: number | Unset;
  readonly last_minute_discount?: number | Unset;
  readonly allow_hourly_booking?: boolean | Unset;
  readonly min_hours?: number | Unset;
  readonly price_first_hours?: number | Unset;
  readonly extra_hour_price?: number | Unset;
  readonly price_per_hour?: number | Unset;
  readonly price_rate_in_day?: number | Unset;
  readonly checkin_night_short_hour?: string | Unset;
  readonly checkout_night_short_hour?: string | Unset;
  readonly night_short_discount?: number | Unset;
  readonly standard_check_in_time?: string | Unset;
  readonly standard_check_out_time?: string | Unset;
  readonly flexible_check_in_time?: string | Unset;
  readonly flexible_check_out_time?: string | Unset;
  readonly no_checkin_after_hour?: string | Unset;
  readonly preparation_hours?: number | Unset;
}

/** All inputs of a price except the request and the clock (D33–D43). */
export interface RateCard {
  readonly listing: ListingRates;
  readonly combos: readonly ComboPrice[];
  readonly services: readonly ExtraService[];
  readonly rules: readonly PricingRule[];
  /** Absent: every stay is taken. */
  readonly stayRules?: ListedStayRules;
}

/** The kind of stay that a rule's `stay_type` matches: within one date, or overnight. */
export type StayType = 'DAY' | 'OVERNIGHT';

/** Defaults where neither the request nor the listing has a time (D24). */
export const defaultTimes = {
  checkIn: '14:00:00',
  checkOut: '12:00:00',
  dayStart: '09:00:00',
  dayEnd: '18:00:00',
} as const;

/**
 * One night with a late check-in and an early check-out; without `checkout_night_short_hour` the standard check-out is
 * the limit.
 */
const isNightShort = (listing: ListingRates, item: CheckoutItem): boolean => {
  const opens = listing.checkin_night_short_hour;
  if (!opens || !item.check_in_time || item.check_in_time < opens) return false;
  const closes =
    listing.checkout_night_short_hour ?? listing.standard_check_out_time ?? defaultTimes.checkOut;
  return !item.check_out_time || item.check_out_time <= closes;
};

/** Returns how a stay of that many nights is priced (D33). */
export const pricingTypeOf = (listing: ListingRates, item: CheckoutItem, nights: number): PricingType => {
  if (item.combo_id) return 'combo';
  if (nights === 0) {
    const hourly = listing.allow_hourly_booking === true && item.check_in_time && item.check_out_time;
    return hourly ? 'hourly' : 'daily';
  }
  return nights === 1 && isNightShort(listing, item) ? 'night_short' : 'nightly';
};

/** Returns the most guests of a listing: `maximum_guest` if set, else `capacity` (D39). */
export const maximumGuests = ({ maximum_guest, capacity }: ListingRates): number => maximum_guest || capacity;

/** Returns the number of guests beyond those that the rate includes; children count (D39). */
export const extraGuests = (listing: ListingRates, item: Pick<CheckoutItem, 'guest_number'>): number =>
  Math.max(0, item.guest_number - (listing.guest_included_in_rate ?? 0));

export const guestIssues = (listing: ListingRates, item: CheckoutItem): Issue[] => {
  const { guest_number: guests, adult_number: adults, children_number: children } = item;
  const issues: Issue[] = [];
  if (guests < 1) issues.push({ path: 'guest_number', message: 'must be at least 1' });
  const max = maximumGuests(listing);
  if (guests > max) issues.push({ path: 'guest_number', message: `must be at most ${max}` });
  if (adults != null && children != null) {
    if (adults + children !== guests)
      issues.push({ path: 'adult_number', message: 'and children_number must add up to guest_number' });
  } else if ((adults ?? 0) > guests || (children ?? 0) > guests) {
    const path = adults != null ? 'adult_number' : 'children_number';
    issues.push({ path, message: 'must not be above guest_number' });
  }
  return issues;
};

/**
 * Returns the interval of the night that begins on a date: from check-in to the check-out of the next day, local, in
 * whole hours (D24, D25).
 */
export const nightOf = (
  {
    standard_check_in_time,
    standard_check_out_time,
  }: Pick<ListingRates, 'standard_check_in_time' | 'standard_check_out_time'>,
  date: string,
): { start_at: string; end_at: string } => ({
  start_at: floorHour(atTime(date, standard_check_in_time ?? defaultTimes.checkIn)),
  end_at: ceilHour(atTime(addDays(date, 1), standard_check_out_time ?? defaultTimes.checkOut)),
});

/**
 * Returns what blocked dates take, from the first to before the last (D116): their nights; of a listing that is sold by the hour their
 * whole days too. Local.
 */
export const blockedTime = (
  listing: Pick<ListingRates, 'standard_check_in_time' | 'standard_check_out_time' | 'allow_hourly_booking'>,
  from: string,
  to: string,
): { start_at: string; end_at: string } => ({
  start_at:
    listing.allow_hourly_booking === true ? atTime(from, '00:00:00') : nightOf(listing, from).start_at,
  end_at: nightOf(listing, addDays(to, -1)).end_at,
});

/**
 * Returns when a night that is booked at a moment begins: at its check-in, or tonight, after the check-in time, with the
 * current hour (D24). Local; `now` in epoch milliseconds.
 */
export const nightStart = (
  { timezone }: Pick<ListingRates, 'timezone'>,
  checkIn: string,
  now: number,
): string => {
  const hour = floorHour(toLocal(now, timezone));
  return dateOf(hour) === dateOf(checkIn) && checkIn < hour ? hour : checkIn;
};
