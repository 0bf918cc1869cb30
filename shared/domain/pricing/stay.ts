import type { Issue } from '../../platform/errors.ts';
import { atTime, nightsBetween, realHoursBetween } from '../../platform/time.ts';
import type { ComboPrice } from './combo-price.schema.ts';
import { guestIssues } from './guests.ts';
import { openFrom } from './night.ts';
import { pricingTypeOf, usualTimes } from './pricing-type.ts';
import type { CheckoutItem, PricingType } from './quote.schema.ts';
import type { ListingRates, RateCard, StayType } from './rate-card.ts';
import { stayIssues } from './stay-limits.ts';

/** A checkout item with its open ends closed: when it begins and ends, and how it is priced. */
export interface Stay {
  pricingType: PricingType;
  stayType: StayType;
  checkInDate: string;
  checkOutDate: string;
  /** The listing's local time, without zone; the stay is the half-open interval [start, end) (D24). */
  start: string;
  end: string;
  nights: number;
  /** Hours of an hourly stay that the listing's clock shows, rounded up; null for every other one. */
  hours: number | null;
  combo: ComboPrice | null;
}

export type StayResolution = { stay: Stay; issues: [] } | { stay: null; issues: Issue[] };

const timesOf = (listing: ListingRates, item: CheckoutItem, nights: number): [string, string] =>
  nights > 0
    ? [
        item.check_in_time ?? listing.standard_check_in_time ?? usualTimes.checkIn,
        item.check_out_time ?? listing.standard_check_out_time ?? usualTimes.checkOut,
      ]
    : [
        item.check_in_time ?? listing.flexible_check_in_time ?? usualTimes.dayStart,
        item.check_out_time ?? listing.flexible_check_out_time ?? usualTimes.dayEnd,
      ];

const comboIssues = (combo: ComboPrice | undefined, nights: number): Issue[] => {
  const path = 'combo_id';
  if (!combo?.is_active) return [{ path, message: 'must be an active combo of the listing' }];
  const { combo_type } = combo;
  if (combo_type === 'overnight' && nights < 1)
    return [{ path, message: 'is an overnight combo and needs at least one night' }];
  if ((combo_type === 'day_use' || combo_type === 'hourly_block') && nights > 0)
    return [{ path, message: `is a ${combo_type} combo and needs check-in and check-out on one date` }];
  return [];
};

interface StayRequest {
  rateCard: Pick<RateCard, 'listing' | 'combos'>;
  item: CheckoutItem;
  /** Epoch milliseconds. */
  now: number;
}

const settle = (listing: ListingRates, item: CheckoutItem, combo: ComboPrice | null, now: number): Stay => {
  const nights = nightsBetween(item.check_in_date, item.check_out_date);
  const pricingType = pricingTypeOf(listing, item, nights);
  const [from, to] = combo ? [combo.start_time, combo.end_time] : timesOf(listing, item, nights);
  const usual = atTime(item.check_in_date, from);
  const isOpen = nights > 0 && !combo && !item.check_in_time;
  const start = isOpen ? openFrom(listing, usual, now) : usual;
  const end = atTime(item.check_out_date, to);
  return {
    pricingType,
    stayType: nights > 0 ? 'OVERNIGHT' : 'DAY',
    checkInDate: item.check_in_date,
    checkOutDate: item.check_out_date,
    start,
    end,
    nights,
    hours: pricingType === 'hourly' ? Math.ceil(realHoursBetween(start, end, listing.timezone)) : null,
    combo,
  };
};

/** The stay an item asks for, or every reason to refuse it; paths are relative to the item (D24, D33, D37, D39). */
export const resolveStay = ({ rateCard: { listing, combos }, item, now }: StayRequest): StayResolution => {
  const issues = guestIssues(listing, item);
  const nights = nightsBetween(item.check_in_date, item.check_out_date);
  if (nights < 0) {
    issues.push({ path: 'check_out_date', message: 'must not be before check_in_date' });
    return { stay: null, issues };
  }
  const combo = combos.find(({ id, listing_id }) => id === item.combo_id && listing_id === listing.id);
  const comboProblems = item.combo_id ? comboIssues(combo, nights) : [];
  const stay = settle(listing, item, (item.combo_id ? combo : null) ?? null, now);
  const timesAreKnown = comboProblems.length === 0;
  issues.push(...comboProblems, ...stayIssues(listing, stay, now, timesAreKnown));
  return issues.length > 0 ? { stay: null, issues } : { stay, issues: [] };
};
