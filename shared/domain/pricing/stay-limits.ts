import type { Issue } from '../../platform/errors.ts';
import {
  addDays,
  addHours,
  addSeconds,
  atTime,
  dateOf,
  floorHour,
  isShown,
  toLocal,
} from '../../platform/time.ts';
import { minHours } from './night-rate.ts';
import { unpaidHourIssues } from './paid-hours.ts';
import { usualTimes } from './pricing-type.ts';
import type { ListingRates } from './rate-card.ts';
import type { Stay } from './stay.ts';

export const longestStayNights = 365;
export const bookableDaysAhead = 730;

const dateIssues = (stay: Stay, today: string): Issue[] => {
  const issues: Issue[] = [];
  if (stay.nights > longestStayNights)
    issues.push({
      path: 'check_out_date',
      message: `must be at most ${longestStayNights} nights after check-in`,
    });
  if (stay.checkInDate < today) issues.push({ path: 'check_in_date', message: 'must not be in the past' });
  if (stay.checkInDate > addDays(today, bookableDaysAhead))
    issues.push({ path: 'check_in_date', message: `must be at most ${bookableDaysAhead} days ahead` });
  return issues;
};

/** When check-in opens for this kind of stay. */
const opening = (listing: ListingRates, stay: Stay): string => {
  if (stay.combo) return stay.combo.start_time;
  if (stay.pricingType === 'night_short' && listing.checkin_night_short_hour)
    return listing.checkin_night_short_hour;
  return stay.nights > 0
    ? (listing.standard_check_in_time ?? usualTimes.checkIn)
    : (listing.flexible_check_in_time ?? usualTimes.dayStart);
};

/** The last moment to check in; a cut-off earlier in the day than check-in opens (01:00) is the following day's (D24). */
const cutOff = (listing: ListingRates, stay: Stay): string | null => {
  const time = listing.no_checkin_after_hour;
  if (!time) return null;
  return atTime(time < opening(listing, stay) ? addDays(stay.checkInDate, 1) : stay.checkInDate, time);
};

const isByTheHour = (stay: Stay): boolean =>
  stay.pricingType === 'hourly' || stay.combo?.combo_type === 'hourly_block';

/** What the clock refuses: a stay that is over, an hour that has gone, a check-in after the cut-off. */
const clockIssues = (listing: ListingRates, stay: Stay, localNow: string): Issue[] => {
  if (stay.checkInDate < dateOf(localNow)) return [];
  const [startPath, endPath] = stay.combo ? ['combo_id', 'combo_id'] : ['check_in_time', 'check_out_time'];
  if (stay.end <= localNow) return [{ path: endPath, message: 'must be a time that has not passed' }];
  if (isByTheHour(stay) && stay.start < floorHour(localNow))
    return [{ path: startPath, message: 'must not be before the current hour' }];
  const last = cutOff(listing, stay);
  if (last === null) return [];
  if (stay.start > last)
    return [{ path: startPath, message: `must not be after ${last}, the check-in cut-off` }];
  if (localNow > last)
    return [{ path: 'check_in_date', message: `is closed since ${last}, the check-in cut-off` }];
  return [];
};

/** Daylight saving skips an hour of one night a year: nothing begins in it, and nothing ends in it but what ends as it begins. */
const skippedTimeIssues = ({ timezone }: ListingRates, { start, end }: Stay): Issue[] => {
  const message = `is a time that the clocks of ${timezone} skip that night`;
  return [
    ...(isShown(start, timezone) ? [] : [{ path: 'check_in_time', message }]),
    ...(isShown(end, timezone) || isShown(addSeconds(end, -1), timezone)
      ? []
      : [{ path: 'check_out_time', message }]),
  ];
};

const timeIssues = (listing: ListingRates, stay: Stay, localNow: string): Issue[] => {
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
    ...unpaidHourIssues(listing, stay),
    ...clockIssues(listing, stay, localNow),
  ];
};

/**
 * Every reason of D24 and D36 to refuse the stay; `now` in epoch milliseconds, compared in the listing's zone.
 * Of a stay whose times hang on a combo that does not exist only the dates are judged.
 */
export const stayIssues = (
  listing: ListingRates,
  stay: Stay,
  now: number,
  timesAreKnown: boolean,
): Issue[] => {
  const localNow = toLocal(now, listing.timezone);
  const issues = dateIssues(stay, dateOf(localNow));
  return timesAreKnown ? [...issues, ...timeIssues(listing, stay, localNow)] : issues;
};

/** Whether the clock lets an hourly stay begin at a local datetime (D24); `now` in epoch milliseconds. */
export const mayBeginAt = (listing: ListingRates, start: string, now: number): boolean => {
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
  return stayIssues(listing, shortest, now, true).length === 0;
};
