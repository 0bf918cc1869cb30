import type { ComboPrice } from './combo-price.schema.ts';
import type { ExtraService } from './extra-service.schema.ts';
import type { PricingRule } from './pricing-rule.schema.ts';

type Unset = null | undefined;

/** The fields of a listing that decide a price or a refusal. Money is in `currency`, times are local in `timezone`. */
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
}

/** Everything a price is made of, but the request and the clock (D33–D43). */
export interface RateCard {
  readonly listing: ListingRates;
  readonly combos: readonly ComboPrice[];
  readonly services: readonly ExtraService[];
  readonly rules: readonly PricingRule[];
}

/** What a rule's `stay_type` is matched with: a stay within one date, or one with a night. */
export type StayType = 'DAY' | 'OVERNIGHT';
