import type { Issue } from '../../platform/errors.ts';
import {
  addDays,
  addSeconds,
  atTime,
  dateOf,
  floorHour,
  existsInZone,
  timeOf,
  toLocal,
} from '../../platform/time/time.ts';
import { minHours } from './night-rate.rules.ts';
import type { ComboPrice } from './price-part.schema.ts';
import type { CheckoutItem, PricingType } from './quote.schema.ts';
import { defaultTimes, type ListingRates, type StayType } from './rate-card.rules.ts';

/** A checkout item with defaults applied: when it begins and ends, and how it is priced. */
export interface Stay {
  pricingType: PricingType;
  stayType: StayType;
  checkInDate: string;
  checkOutDate: string;
  /** Local time; the stay is the half-open interval [start, end) (D24). */
  start: string;
  end: string;
  nights: number;
  /** Hours of an hourly stay by the local clock, rounded up; null for other stays. */
  hours: number | null;
  combo: ComboPrice | null;
}

/**
 * Times of a booked stay that a change keeps, local: they stay as they were booked, whatever the listing's times are now, and
 * a start that is kept may have passed.
 */
export interface KeptTimes {
  start?: string;
  end?: string;
}

/** Times of day, both included: the earliest check-in and the latest check-out that a price covers. */
interface PricedHours {
  from: string;
  to: string;
}

const earlier = (one: string, other: string | null | undefined): string =>
  other && other < one ? other : one;

const later = (one: string, other: string | null | undefined): string => (other && other > one ? other : one);

/** A late overnight stay also includes the check-out hour that its host has set for it. */
const standardHours = (listing: ListingRates, { pricingType }: Stay): PricedHours => {
  const checkOut = listing.standard_check_out_time ?? defaultTimes.checkOut;
  return {
    from: listing.standard_check_in_time ?? defaultTimes.checkIn,
    to: pricingType === 'night_short' ? later(checkOut, listing.checkout_night_short_hour) : checkOut,
  };
};

const nightHours = (listing: ListingRates, stay: Stay): PricedHours => {
  const { from, to } = standardHours(listing, stay);
  return {
    from: earlier(from, listing.flexible_check_in_time),
    to: later(to, listing.flexible_check_out_time),
  };
};

/**
 * Whether a request for an overnight stay without combo names times beyond the standard ones, which have a fee (D41). A time
 * that it does not name has none, also where a change keeps it and the standard one is another by now.
 */
export const passedHours = (
  listing: ListingRates,
  stay: Stay,
  { check_in_time, check_out_time }: Pick<CheckoutItem, 'check_in_time' | 'check_out_time'>,
): { early: boolean; late: boolean } => {
  const { from, to } = standardHours(listing, stay);
  const isOvernight = stay.nights > 0 && !stay.combo;
  return {
    early: isOvernight && (check_in_time ?? from) < from,
    late: isOvernight && (check_out_time ?? to) > to,
  };
};

const dayHours = (listing: ListingRates): PricedHours => ({
  from: listing.flexible_check_in_time ?? defaultTimes.dayStart,
  to: listing.flexible_check_out_time ?? defaultTimes.dayEnd,
});

/** Returns null for hourly stays, which are paid by the hour, and combos, which have their own times. */
const pricedHours = (listing: ListingRates, stay: Stay): PricedHours | null => {
  if (stay.pricingType === 'combo' || stay.pricingType === 'hourly') return null;
  return stay.nights > 0 ? nightHours(listing, stay) : dayHours(listing);
};

/**
 * Returns an issue for hours that the price does not cover (D76): overnight stays run from the earlier of the listing's
 * standard and flexible check-in to the later of its check-outs, day use within the flexible times. All local.
 */
const unpricedHourIssues = (listing: ListingRates, stay: Stay, kept: KeptTimes): Issue[] => {
  const priced = pricedHours(listing, stay);
  if (priced === null) return [];
  const kind = stay.nights > 0 ? 'a night' : 'day use';
  return [
    ...(kept.start === undefined && timeOf(stay.start) < priced.from
      ? [
          {
            path: 'check_in_time',
            message: `must be ${priced.from} or later: ${kind} is priced from then on`,
          },
        ]
      : []),
    ...(kept.end === undefined && timeOf(stay.end) > priced.to
      ? [{ path: 'check_out_time', message: `must be ${priced.to} or earlier: ${kind} is priced until then` }]
      : []),
  ];
};

export const maxStayNights = 365;
export const bookableDaysAhead = 730;

const dateIssues = (stay: Stay, today: string, kept: KeptTimes): Issue[] => {
  const issues: Issue[] = [];
  if (stay.nights > maxStayNights)
    issues.push({
      path: 'check_out_date',
      message: `must be at most ${maxStayNights} nights after check-in`,
    });
  if (kept.start !== undefined) return issues;
  if (stay.checkInDate < today) issues.push({ path: 'check_in_date', message: 'must not be in the past' });
  if (stay.checkInDate > addDays(today, bookableDaysAhead))
    issues.push({ path: 'check_in_date', message: `must be at most ${bookableDaysAhead} days ahead` });
  return issues;
};

/** What decides when the guest of a stay may arrive. */
interface ArrivingStay extends Pick<Stay, 'checkInDate' | 'nights' | 'pricingType'> {
  combo: Pick<ComboPrice, 'start_time'> | null;
}

/** Returns when check-in opens for this kind of stay. */
const checkInOpening = (listing: ListingRates, stay: Omit<ArrivingStay, 'checkInDate'>): string => {
  if (stay.combo) return stay.combo.start_time;
  if (stay.pricingType === 'night_short' && listing.checkin_night_short_hour)
    return listing.checkin_night_short_hour;
  return stay.nights > 0
    ? (listing.standard_check_in_time ?? defaultTimes.checkIn)
    : (listing.flexible_check_in_time ?? defaultTimes.dayStart);
};

/** Returns the last moment to check in; a cut-off earlier than the opening (01:00) is on the following day (D24). */
export const checkInCutOff = (listing: ListingRates, stay: ArrivingStay): string | null => {
  const time = listing.no_checkin_after_hour;
  if (!time) return null;
  return atTime(time < checkInOpening(listing, stay) ? addDays(stay.checkInDate, 1) : stay.checkInDate, time);
};

const isByTheHour = (stay: Stay): boolean =>
  stay.pricingType === 'hourly' || stay.combo?.combo_type === 'hourly_block';

/** Returns issues of the clock: a stay that has ended, an hour that has passed, a check-in after the cut-off. */
const clockIssues = (listing: ListingRates, stay: Stay, localNow: string, kept: KeptTimes): Issue[] => {
  if (kept.start === undefined && stay.checkInDate < dateOf(localNow)) return [];
  const [startPath, endPath] = stay.combo ? ['combo_id', 'combo_id'] : ['check_in_time', 'check_out_time'];
  if (stay.end <= localNow) return [{ path: endPath, message: 'must be a time that has not passed' }];
  if (kept.start !== undefined) return [];
  if (isByTheHour(stay) && stay.start < floorHour(localNow))
    return [{ path: startPath, message: 'must not be before the current hour' }];
  const last = checkInCutOff(listing, stay);
  if (last === null) return [];
  if (stay.start > last)
    return [{ path: startPath, message: `must not be after ${last}, the check-in cut-off` }];
  if (localNow > last)
    return [{ path: 'check_in_date', message: `is closed since ${last}, the check-in cut-off` }];
  return [];
};

/** Returns an issue for a time that daylight saving skips: no stay begins or ends in it, unless its end equals its start. */
const skippedTimeIssues = ({ timezone }: ListingRates, { start, end }: Stay): Issue[] => {
  const message = `is a time that the clocks of ${timezone} skip that night`;
  return [
    ...(existsInZone(start, timezone) ? [] : [{ path: 'check_in_time', message }]),
    ...(existsInZone(end, timezone) || existsInZone(addSeconds(end, -1), timezone)
      ? []
      : [{ path: 'check_out_time', message }]),
  ];
};

const timeIssues = (listing: ListingRates, stay: Stay, localNow: string, kept: KeptTimes): Issue[] => {
  if (stay.end <= stay.start) {
    const path = stay.combo ? 'combo_id' : 'check_out_time';
    return [{ path, message: 'must end after the stay begins' }];
  }
  const skipped = stay.pricingType === 'hourly' ? skippedTimeIssues(listing, stay) : [];
  if (skipped.length > 0) return skipped;
  const least = minHours(listing);
  const tooShort = stay.hours !== null && stay.hours < least;
  const path = 'check_out_time';
  return [
    ...(tooShort ? [{ path, message: `must be at least ${least} hours after check_in_time` }] : []),
    ...unpricedHourIssues(listing, stay, kept),
    ...clockIssues(listing, stay, localNow, kept),
  ];
};

/**
 * Returns every reason of D24 and D36 to refuse the stay; `now` in epoch milliseconds, compared in the listing's zone. If
 * the combo does not exist, only the dates are checked.
 */
export const stayIssues = (
  listing: ListingRates,
  stay: Stay,
  now: number,
  { timesAreKnown = true, kept = {} }: { timesAreKnown?: boolean; kept?: KeptTimes | undefined } = {},
): Issue[] => {
  const localNow = toLocal(now, listing.timezone);
  const issues = dateIssues(stay, dateOf(localNow), kept);
  return timesAreKnown ? [...issues, ...timeIssues(listing, stay, localNow, kept)] : issues;
};
