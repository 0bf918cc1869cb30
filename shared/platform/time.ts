/**
 * Calendar dates (`YYYY-MM-DD`), times of day (`HH:MM:SS`) and local datetimes without zone
 * (`YYYY-MM-DDTHH:MM:SS`) as text, so that they compare with `<`; instants are epoch milliseconds (D3).
 * Nothing here reads the machine's clock or its time zone.
 */
const hourMs = 3_600_000;
const dayMs = 24 * hourMs;

const datePattern = /^\d{4}-\d{2}-\d{2}$/;
const timePattern = /^([01]\d|2[0-3]):[0-5]\d:[0-5]\d$/;

const midnight = (date: string): number => Date.parse(`${date}T00:00:00Z`);
const dateText = (ms: number): string => new Date(ms).toISOString().slice(0, 10);

/** A local datetime counted as if its zone were UTC: good for differences of wall-clock time, never an instant. */
const wallMs = (local: string): number => Date.parse(`${local}Z`);
const wallText = (ms: number): string => new Date(ms).toISOString().slice(0, 19);

/** Whether the text is a real calendar date: 2027-02-30 is not. */
export const isDate = (text: string): boolean => {
  if (!datePattern.test(text)) return false;
  const ms = midnight(text);
  return !Number.isNaN(ms) && dateText(ms) === text;
};

export const isTime = (text: string): boolean => timePattern.test(text);

export const isLocalDateTime = (text: string): boolean =>
  text.charAt(10) === 'T' && isDate(text.slice(0, 10)) && isTime(text.slice(11));

/** Whether the text is an instant with its offset, `Z` or `+07:00`, on a real calendar date. */
export const isInstant = (text: string): boolean =>
  isLocalDateTime(text.slice(0, 19)) &&
  /^(\.\d{1,9})?(Z|[+-]\d{2}:\d{2})$/.test(text.slice(19)) &&
  !Number.isNaN(Date.parse(text));

export const addDays = (date: string, days: number): string => dateText(midnight(date) + days * dayMs);

/** Nights from one date to another; negative when `to` comes first. */
export const nightsBetween = (from: string, to: string): number => (midnight(to) - midnight(from)) / dayMs;

/** Every date from `from` up to, not including, `to`: the nights of a stay. */
export const datesBetween = (from: string, to: string): string[] => {
  const first = midnight(from);
  const nights = Math.max(0, nightsBetween(from, to));
  return Array.from({ length: nights }, (_, night) => dateText(first + night * dayMs));
};

/** 0 is Sunday, 6 is Saturday. */
export const weekday = (date: string): number => new Date(midnight(date)).getUTCDay();

export const atTime = (date: string, time: string): string => `${date}T${time}`;

export const dateOf = (local: string): string => local.slice(0, 10);

export const timeOf = (local: string): string => local.slice(11, 19);

/** Wall-clock hours between two local datetimes, with fractions. */
export const hoursBetween = (from: string, to: string): number => (wallMs(to) - wallMs(from)) / hourMs;

/** The same without the hours that daylight saving skips in a zone; those that pass twice count once. */
export const realHoursBetween = (from: string, to: string, zone: string): number =>
  Math.min(hoursBetween(from, to), (toInstant(to, zone) - toInstant(from, zone)) / hourMs);

/** Moves a local datetime on the wall clock, daylight saving not regarded. */
export const addHours = (local: string, hours: number): string => wallText(wallMs(local) + hours * hourMs);

export const addSeconds = (local: string, seconds: number): string =>
  wallText(wallMs(local) + seconds * 1000);

/** The beginning of the hour. */
export const floorHour = (local: string): string => `${local.slice(0, 13)}:00:00`;

/** The beginning of the next hour, or the datetime itself when it is a whole hour. */
export const ceilHour = (local: string): string =>
  local.endsWith(':00:00') ? local : addHours(floorHour(local), 1);

/** Clocks change at whole quarters of an hour UTC since 1973, so an offset holds for its quarter. */
const quarterMs = hourMs / 4;
const quartersFrom = Date.UTC(1973, 0, 1);
const cachedQuarters = 2000;

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

/** Whether the text names an IANA time zone; offsets such as `+07:00` do not. */
export const isTimeZone = (text: string): boolean => {
  if (!/^[A-Za-z]/.test(text)) return false;
  try {
    zoneOf(text);
    return true;
  } catch {
    return false;
  }
};

/** Whether two names stand for one zone, as `Asia/Saigon` and `Asia/Ho_Chi_Minh` do. */
export const isSameTimeZone = (one: string, other: string): boolean =>
  one === other || primaryName(one) === primaryName(other);

const primaryName = (name: string): string => zoneOf(name).format.resolvedOptions().timeZone;

const readOffset = (format: Intl.DateTimeFormat, instant: number): number => {
  const parts: Partial<Record<Intl.DateTimeFormatPartTypes, number>> = {};
  for (const { type, value } of format.formatToParts(instant)) parts[type] = Number(value);
  const { year = 0, month = 1, day = 1, hour = 0, minute = 0, second = 0 } = parts;
  return Date.UTC(year, month - 1, day, hour, minute, second) - Math.floor(instant / 1000) * 1000;
};

/** Milliseconds that the zone's wall clock is ahead of UTC at an instant. */
const offsetAt = (instant: number, zoneName: string): number => {
  const { format, offsets } = zoneOf(zoneName);
  if (instant < quartersFrom) return readOffset(format, instant);
  const quarter = Math.floor(instant / quarterMs);
  const known = offsets.get(quarter);
  if (known !== undefined) return known;
  if (offsets.size >= cachedQuarters) offsets.clear();
  const offset = readOffset(format, quarter * quarterMs);
  offsets.set(quarter, offset);
  return offset;
};

/** The wall clock of a zone at an instant, whole seconds. */
export const toLocal = (instant: number, zone: string): string => wallText(instant + offsetAt(instant, zone));

/**
 * The instant of a local datetime. A time that daylight saving skips moves forward by the length of the gap;
 * a time that happens twice is the earlier one.
 */
export const toInstant = (local: string, zone: string): number => {
  const wall = wallMs(local);
  const before = offsetAt(wall - dayMs, zone);
  const after = offsetAt(wall + dayMs, zone);
  const real = [wall - before, wall - after].filter((instant) => instant + offsetAt(instant, zone) === wall);
  return real.length > 0 ? Math.min(...real) : wall - before;
};

/** Whether the wall clock of a zone ever shows the local datetime: daylight saving skips some. */
export const existsInZone = (local: string, zone: string): boolean =>
  toLocal(toInstant(local, zone), zone) === local;

/** The calendar date in a zone at an instant. */
export const today = (instant: number, zone: string): string => dateOf(toLocal(instant, zone));
