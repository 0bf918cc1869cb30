import type { Issue } from '../../platform/errors.ts';
import { addHours, atTime, dateOf, nightsBetween, realHoursBetween } from '../../platform/time/time.ts';
import { minHours } from './night-rate.rules.ts';
import type { ComboPrice } from './price-part.schema.ts';
import type { CheckoutItem } from './quote.schema.ts';
import {
  guestIssues,
  type ListingRates,
  nightStart,
  pricingTypeOf,
  type RateCard,
  defaultTimes,
} from './rate-card.rules.ts';
import { type KeptTimes, type Stay, stayIssues } from './stay.rules.ts';

/** Whether an hourly stay may begin at a local datetime (D24); `now` in epoch milliseconds. */
export const canStartHourlyStay = (listing: ListingRates, start: string, now: number): boolean => {
  const date = dateOf(start);
  const hours = minHours(listing);
  const shortest: Stay = {
    pricingType: 'hourly',
    stayType: 'DAY',
    checkInDate: date,
    checkOutDate: date,
    start,
    end: addHours(start, hours),
    nights: 0,
    hours,
    combo: null,
  };
  return stayIssues(listing, shortest, now).length === 0;
};

type StayResolution = { stay: Stay; issues: [] } | { stay: null; issues: Issue[] };

const timesOf = (listing: ListingRates, item: CheckoutItem, nights: number): [string, string] =>
  nights > 0
    ? [
        item.check_in_time ?? listing.standard_check_in_time ?? defaultTimes.checkIn,
        item.check_out_time ?? listing.standard_check_out_time ?? defaultTimes.checkOut,
      ]
    : [
        item.check_in_time ?? listing.flexible_check_in_time ?? defaultTimes.dayStart,
        item.check_out_time ?? listing.flexible_check_out_time ?? defaultTimes.dayEnd,
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
  kept?: KeptTimes | undefined;
}

const toStay = (
  listing: ListingRates,
  item: CheckoutItem,
  combo: ComboPrice | null,
  { now, kept = {} }: Pick<StayRequest, 'now' | 'kept'>,
): Stay => {
  const nights = nightsBetween(item.check_in_date, item.check_out_date);
  const pricingType = pricingTypeOf(listing, item, nights);
  const [from, to] = combo ? [combo.start_time, combo.end_time] : timesOf(listing, item, nights);
  const usual = atTime(item.check_in_date, from);
  const isOpen = nights > 0 && !combo && !item.check_in_time;
  const start = kept.start ?? (isOpen ? nightStart(listing, usual, now) : usual);
  const end = kept.end ?? atTime(item.check_out_date, to);
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

/**
 * Returns the stay that an item requests, or every reason to refuse it; paths are relative to the item (D24, D33, D37,
 * D39).
 */
export const resolveStay = ({ rateCard, item, now, kept }: StayRequest): StayResolution => {
  const { listing, combos } = rateCard;
  const issues = guestIssues(listing, item);
  const nights = nightsBetween(item.check_in_date, item.check_out_date);
  if (nights < 0) {
    issues.push({ path: 'check_out_date', message: 'must not be before check_in_date' });
    return { stay: null, issues };
  }
  const combo = combos.find(({ id, listing_id }) => id === item.combo_id && listing_id === listing.id);
  const comboProblems = item.combo_id ? comboIssues(combo, nights) : [];
  const stay = toStay(listing, item, (item.combo_id ? combo : null) ?? null, { now, kept });
  const timesAreKnown = comboProblems.length === 0;
  issues.push(...comboProblems, ...stayIssues(listing, stay, now, { timesAreKnown, kept }));
  return issues.length > 0 ? { stay: null, issues } : { stay, issues: [] };
};
