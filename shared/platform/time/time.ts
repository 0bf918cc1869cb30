/**
 * Calendar dates (`YYYY-MM-DD`), times of day (`HH:MM:SS`) and local datetimes without zone (`YYYY-MM-DDTHH:MM:SS`) are text,
 * so that `<` compares them; instants are epoch milliseconds (D3). Nothing here reads the system clock or its time zone.
 */
const datePattern = /^\d{4}-\d{2}-\d{2}$/;
const timePattern = /^([01]\d|2[0-3]):[0-5]\d:[0-5]\d$/;

export const minuteMs = 60_000;
export const hourMs = 60 * minuteMs;
export const dayMs = 24 * hourMs;

const zero = '0'.charCodeAt(0);

/** Returns the number of two digits; NaN if they are none. */
const pairAt = (text: string, at: number): number => {
  const tens = text.charCodeAt(at) - zero;
  const units = text.charCodeAt(at + 1) - zero;
  return tens >= 0 && tens <= 9 && units >= 0 && units <= 9 ? tens * 10 + units : NaN;
};

/** Returns the first ten characters as `Date.parse` reads a date, but in a third of its time; NaN for a year below 100 too. */
const dayMsOf = (text: string): number => {
  const year = pairAt(text, 0) * 100 + pairAt(text, 2);
  const month = pairAt(text, 5);
  const day = pairAt(text, 8);
  const isDated = text[4] === '-' && text[7] === '-' && year >= 100;
  return isDated && month >= 1 && month <= 12 && day >= 1 && day <= 31 ? Date.UTC(year, month - 1, day) : NaN;
};

const midnight = (date: string): number => {
  const ms = date.length === 10 ? dayMsOf(date) : NaN;
  return Number.isNaN(ms) ? Date.parse(`${date}T00:00:00Z`) : ms;
};

/** Dates recur within requests and between them, and `toISOString` takes forty times as long. */
const dateTexts = new Map<number, string>();
const cachedDates = 4000;

const dateText = (ms: number): string => {
  const day = Math.floor(ms / dayMs);
  const known = dateTexts.get(day);
  if (known !== undefined) return known;
  if (dateTexts.size >= cachedDates) dateTexts.clear();
  const text = new Date(ms).toISOString().slice(0, 10);
  dateTexts.set(day, text);
  return text;
};

/** Returns a local datetime as milliseconds, as if its zone were UTC: for differences only, never an instant. */
const wallMs = (local: string): number => {
  const hour = pairAt(local, 11);
  const minute = pairAt(local, 14);
  const second = pairAt(local, 17);
  const isTimed = local[10] === 'T' && local[13] === ':' && local[16] === ':' && local.length === 19;
  const ms =
    isTimed && hour <= 23 && minute <= 59 && second <= 59
      ? dayMsOf(local) + hour * hourMs + minute * minuteMs + second * 1000
      : NaN;
  return Number.isNaN(ms) ? Date.parse(`${local}Z`) : ms;
};

const pairs = Array.from({ length: 60 }, (_, number) => String(number).padStart(2, '0'));
const pairOf = (number: number): string => pairs[Math.floor(number)] ?? '';

const firstOf9999 = Date.UTC(9999, 0);

const wallText = (ms: number): string => {
  // Years before 0 and after 9999 have more digits.
  if (!(ms >= 0 && ms < firstOf9999)) return new Date(ms).toISOString().slice(0, 19);
  const time = ms % dayMs;
  return `${dateText(ms)}T${pairOf(time / hourMs)}:${pairOf((time % hourMs) / minuteMs)}:${pairOf((time % minuteMs) / 1000)}`;
};

/** Returns whether the text is a calendar date that exists: 2027-02-30 does not. */
export const isDate = (text: string): boolean => {
  if (!datePattern.test(text)) return false;
  const ms = midnight(text);
  return !Number.isNaN(ms) && dateText(ms) === text;
};

export const isTime = (text: string): boolean => timePattern.test(text);

export const isLocalDateTime = (text: string): boolean =>
  text.charAt(10) === 'T' && isDate(text.slice(0, 10)) && isTime(text.slice(11));

/** Returns whether the text is an instant with its offset, `Z` or `+07:00`. */
export const isInstant = (text: string): boolean =>
  isLocalDateTime(text.slice(0, 19)) &&
  /^(\.\d{1,9})?(Z|[+-]\d{2}:\d{2})$/.test(text.slice(19)) &&
  !Number.isNaN(Date.parse(text));

export const addDays = (date: string, days: number): string => dateText(midnight(date) + days * dayMs);

/** Returns the nights between two dates; negative if `to` is earlier. */
export const nightsBetween = (from: string, to: string): number => (midnight(to) - midnight(from)) / dayMs;

/** Returns the dates from `from` up to, not including, `to`: the nights of a stay. */
export const datesBetween = (from: string, to: string): string[] => {
  const first = midnight(from);
  const nights = Math.max(0, nightsBetween(from, to));
  return Array.from({ length: nights }, (_, night) => dateText(first + night * dayMs));
};

/** Returns a date as the number of days since 1970. */
export const dayNumber = (date: string): number => midnight(date) / dayMs;

/** Returns the date of a number of days since 1970. */
export const dateOfDay = (day: number): string => dateText(day * dayMs);

/** Returns the weekday: 0 is Sunday, 6 is Saturday. */
export const weekday = (date: string): number => new Date(midnight(date)).getUTCDay();

export const atTime = (date: string, time: string): string => `${date}T${time}`;

export const dateOf = (local: string): string => local.slice(0, 10);

export const timeOf = (local: string): string => local.slice(11, 19);

/** Returns the wall-clock hours between two local datetimes, with fractions. */
export const hoursBetween = (from: string, to: string): number => (wallMs(to) - wallMs(from)) / hourMs;

/** Returns the hours between two local datetimes without those that daylight saving skips; repeated hours count once. */
export const realHoursBetween = (from: string, to: string, zone: string): number =>
  Math.min(hoursBetween(from, to), (toInstant(to, zone) - toInstant(from, zone)) / hourMs);

/** Adds hours to a local datetime on the wall clock, without daylight saving. */
export const addHours = (local: string, hours: number): string => wallText(wallMs(local) + hours * hourMs);

export const addSeconds = (local: string, seconds: number): string =>
  wallText(wallMs(local) + seconds * 1000);

/** Returns the start of the hour. */
export const floorHour = (local: string): string => `${local.slice(0, 13)}:00:00`;

/** Returns the start of the next hour, or the datetime itself if it is a whole hour. */
export const ceilHour = (local: string): string =>
  local.endsWith(':00:00') ? local : addHours(floorHour(local), 1);

/** Since 1973 UTC offsets change at whole minutes only, not always at whole quarters, so an offset holds for its minute. */
const minutesFrom = Date.UTC(1973, 0, 1);
const cachedMinutes = 2000;

interface Zone {
  format: Intl.DateTimeFormat;
  offsets: Map<number, number>;
}

const zones = new Map<string, Zone>();

const zoneOf = (name: string): Zone => {
  const known = zones.get(name);
  if (known) return known;
  const format = new Intl.DateTimeFormat('en-US', {
    timeZone: name,
    hourCycle: 'h23',
    era: 'short',
    year: 'numeric',
    month: '2-digit',
    day: '2-digit',
    hour: '2-digit',
    minute: '2-digit',
    second: '2-digit',
  });
  const zone = { format, offsets: new Map<number, number>() };
  zones.set(name, zone);
  return zone;
};

/** Returns whether the text names an IANA time zone; offsets such as `+07:00` do not. */
export const isTimeZone = (text: string): boolean => {
  if (text === defaultTimeZone) return true;
  if (!/^[A-Za-z]/.test(text)) return false;
  try {
    zoneOf(text);
    return true;
  } catch {
    return false;
  }
};

/** Returns whether two names mean the same zone, as `Asia/Saigon` and `Asia/Ho_Chi_Minh` do. */
export const isSameTimeZone = (one: string, other: string): boolean =>
  one === other || primaryName(one) === primaryName(other);

const primaryName = (name: string): string => zoneOf(name).format.resolvedOptions().timeZone;

const readOffset = (format: Intl.DateTimeFormat, instant: number): number => {
  const parts: Partial<Record<Intl.DateTimeFormatPartTypes, number>> = {};
  for (const { type, value } of format.formatToParts(instant)) parts[type] = Number(value);
  const { year = 0, month = 1, day = 1, hour = 0, minute = 0, second = 0 } = parts;
  return Date.UTC(year, month - 1, day, hour, minute, second) - Math.floor(instant / 1000) * 1000;
};

/** Listings without another zone are in this one. */
export const defaultTimeZone = 'Asia/Ho_Chi_Minh';
/** Since 1976 it is at UTC+7, without daylight saving. The first formatter of a process takes 12 ms of its start. */
const defaultZone = { from: Date.UTC(1976, 0), offset: 7 * hourMs };

/** Returns the zone's UTC offset at an instant, in milliseconds. */
const offsetAt = (instant: number, zoneName: string): number => {
  if (zoneName === defaultTimeZone && instant >= defaultZone.from) return defaultZone.offset;
  const { format, offsets } = zoneOf(zoneName);
  if (instant < minutesFrom) return readOffset(format, instant);
  const minute = Math.floor(instant / minuteMs);
  const known = offsets.get(minute);
  if (known !== undefined) return known;
  if (offsets.size >= cachedMinutes) offsets.clear();
  const offset = readOffset(format, minute * minuteMs);
  offsets.set(minute, offset);
  return offset;
};

/** Returns the local datetime of an instant in a zone, in whole seconds. */
export const toLocal = (instant: number, zone: string): string => wallText(instant + offsetAt(instant, zone));

/**
 * Returns the instant of a local datetime. A time that daylight saving skips moves forward by the gap; of a time that occurs
 * twice, the earlier instant is returned.
 */
export const toInstant = (local: string, zone: string): number => {
  const wall = wallMs(local);
  const before = offsetAt(wall - dayMs, zone);
  const after = offsetAt(wall + dayMs, zone);
  const real = [wall - before, wall - after].filter((instant) => instant + offsetAt(instant, zone) === wall);
  return real.length > 0 ? Math.min(...real) : wall - before;
};

/** Returns whether the local datetime exists in the zone: daylight saving skips some. */
export const existsInZone = (local: string, zone: string): boolean =>
  toLocal(toInstant(local, zone), zone) === local;

/** Returns the calendar date of an instant in a zone. */
export const today = (instant: number, zone: string): string => dateOf(toLocal(instant, zone));
