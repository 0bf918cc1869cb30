import { addDays, dateOf, isLocalDateTime, toInstant, toLocal } from '../../../platform/time/time.ts';
import { FeedProblem, type FeedProperty } from './components.ts';

/** A time zone as an event needs it. */
export interface FeedZone {
  toInstant(local: string): number;
  toLocal(instant: number): string;
  /** The name of an unknown zone, which may be any. */
  unknown?: string;
}

export const utc: FeedZone = {
  toInstant: (local) => Date.parse(`${local}Z`),
  toLocal: (instant) => new Date(instant).toISOString().slice(0, 19),
};

export const ianaZone = (name: string): FeedZone => ({
  toInstant: (local) => toInstant(local, name),
  toLocal: (instant) => toLocal(instant, name),
});

export const fixedZone = (offsetMs: number): FeedZone => ({
  toInstant: (local) => utc.toInstant(local) - offsetMs,
  toLocal: (instant) => utc.toLocal(instant + offsetMs),
});

/** A DATE, or a DATE-TIME on the wall clock of its zone; floating ones are given the listing's. */
export interface Moment {
  /** `YYYY-MM-DDTHH:MM:SS`; of a DATE midnight. */
  local: string;
  isDate: boolean;
  zone: FeedZone;
}

/** Finds the zone of a TZID; undefined: none is named. */
export type ZoneOf = (tzid: string | undefined) => FeedZone;

const pattern = /^(\d{4})(\d{2})(\d{2})(?:T(\d{2})(\d{2})(\d{2})(Z)?)?$/;

const firstYear = '1600';
const lastYear = '2199';

/** Parses a value of DTSTART, DTEND, EXDATE and the like; a DATE is recognised by its form, not by VALUE. */
export const momentOf = (text: string, { name, params }: FeedProperty, zoneOf: ZoneOf): Moment => {
  const parts = pattern.exec(text.trim());
  if (!parts) throw new FeedProblem(`has a ${name} that is no date: ${text.slice(0, 40)}`);
  const [, year = '', month = '', day = '', hour, minute = '', second = '', isUtc] = parts;
  const isDate = hour === undefined;
  const time = isDate ? '00:00:00' : `${hour}:${minute}:${second === '60' ? '59' : second}`;
  // Some birthdays begin in 1604, some blocks end in 9999; texts of the years between compare as times.
  const local = `${year > lastYear ? `${lastYear}-12-31` : `${year}-${month}-${day}`}T${time}`;
  if (!isLocalDateTime(local) || year < firstYear)
    throw new FeedProblem(`has a ${name} that is no date: ${text.slice(0, 40)}`);
  return { local, isDate, zone: isUtc ? utc : zoneOf(isDate ? undefined : params['TZID']) };
};

/** When something takes place; without an end as long as its event. */
export interface Span {
  start: Moment;
  end?: Moment;
}

/** The values of RDATE, EXDATE or FREEBUSY: moments, or periods to another moment or for a duration. */
export const spansOf = (property: FeedProperty, zoneOf: ZoneOf): Span[] =>
  property.value
    .split(',')
    .filter((text) => text.trim() !== '')
    .map((text) => {
      const [from = '', to] = text.split('/');
      const start = momentOf(from, property, zoneOf);
      if (to === undefined) return { start };
      const end = to.includes('P') ? later(start, durationOf(to)) : momentOf(to, property, zoneOf);
      return { start, end };
    });

export const instantOf = ({ zone, local }: Moment): number => zone.toInstant(local);

/** Distinguishes occurrences of one event: the date, or the instant. */
export const identityOf = ({ local, isDate, zone }: Moment): string =>
  isDate ? dateOf(local) : String(zone.toInstant(local));

const durationPattern =
  /^\+?P(?:(\d{1,4})W)?(?:(\d{1,5})D)?(?:T(?:(\d{1,6})H)?(?:(\d{1,6})M)?(?:(\d{1,8})S)?)?$/;

interface Duration {
  /** Days of the calendar. */
  days: number;
  /** Exact time beside them. */
  ms: number;
}

export const durationOf = (text: string): Duration => {
  const parts = durationPattern.exec(text.trim());
  if (!parts) throw new FeedProblem(`has a DURATION that cannot be read: ${text.slice(0, 40)}`);
  const [weeks = 0, days = 0, hours = 0, minutes = 0, seconds = 0] = parts
    .slice(1)
    .map((part) => Number(part || 0));
  return { days: 7 * weeks + days, ms: ((hours * 60 + minutes) * 60 + seconds) * 1000 };
};

/** Returns the moment a duration later: days in local time, hours in exact time, which distinguishes an hour that occurs twice. */
export const later = (moment: Moment, { days, ms }: Duration): Moment => {
  const wall = `${addDays(moment.local.slice(0, 10), days)}${moment.local.slice(10)}`;
  if (ms === 0) return { ...moment, local: wall };
  const instant = moment.zone.toInstant(wall) + ms;
  const local = moment.zone.toLocal(instant);
  return { ...moment, local, zone: fixedZone(utc.toInstant(local) - instant) };
};
