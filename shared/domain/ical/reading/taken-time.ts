import {
  addDays,
  addHours,
  ceilHour,
  dateOf,
  floorHour,
  hourMs,
  toLocal,
} from '../../../platform/time/time.ts';
import { nightOf } from '../../pricing/model.ts';
import { instantOf, type Moment, utc } from './moment.ts';

/** The fields of a listing that decide how an event is read. */
export interface FeedListing {
  timezone: string;
  standard_check_in_time?: string | null | undefined;
  standard_check_out_time?: string | null | undefined;
}

/** Taken time in whole hours of the listing's local time. */
export interface TakenHours {
  start_at: string;
  end_at: string;
  /** The dates of an event from midnight to midnight; the last one exclusive. */
  dates?: { from: string; to: string };
}

/**
 * What an event takes (D115): from local midnight to local midnight, or to the last minute of a day, its nights from check-in to
 * check-out; any other one the hours that it touches, at least one.
 */
export const takenHours = (start: Moment, end: Moment, listing: FeedListing): TakenHours => {
  const localOf = (moment: Moment) => toLocal(instantOf(moment), listing.timezone);
  const dates = datesBy(start.local, end.local) ?? datesBy(localOf(start), localOf(end));
  if (dates) {
    return {
      dates,
      start_at: nightOf(listing, dates.from).start_at,
      end_at: nightOf(listing, addDays(dates.to, -1)).end_at,
    };
  }
  const [earliest, latest] =
    start.zone.unknown === undefined ? [localOf(start), localOf(end)] : anywhere(start, end, listing);
  const startAt = floorHour(earliest);
  const endAt = ceilHour(latest);
  return { start_at: startAt, end_at: endAt > startAt ? endAt : addHours(startAt, 1) };
};

/** The listing's local time of a stretch of the wall clock, wherever that clock is: clocks differ from UTC by +14 to −12 hours. */
const anywhere = (start: Moment, end: Moment, { timezone }: FeedListing): [string, string] => [
  toLocal(utc.toInstant(start.local) - 14 * hourMs, timezone),
  toLocal(utc.toInstant(end.local) + 12 * hourMs, timezone),
];

const datesBy = (start: string, end: string): TakenHours['dates'] => {
  if (!start.endsWith('T00:00:00')) return undefined;
  const [from, last] = [dateOf(start), dateOf(end)];
  if (/T23:59:(00|59)$/.test(end)) return { from, to: addDays(last, 1) };
  return end.endsWith('T00:00:00') && from < last ? { from, to: last } : undefined;
};
