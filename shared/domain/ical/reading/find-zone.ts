import { hourMs, isTimeZone, minuteMs } from '../../../platform/time/time.ts';
import { type FeedComponent, FeedProblem } from './components.ts';
import { expandRecurrence } from './expand-recurrence.ts';
import { type FeedZone, fixedZone, ianaZone, momentOf, utc, type ZoneOf } from './moment.ts';
import type { ReadingBudget } from './reading-budget.ts';
import { recurrenceRule } from './recurrence-rule.ts';
import { windowsZones } from './windows-zones.ts';

interface Onset {
  /** On the wall clock. */
  from: string;
  offsetMs: number;
}

const textOf = ({ properties }: FeedComponent, name: string): string | undefined =>
  properties.find((property) => property.name === name)?.value.trim();

/** `/example.org/Olson/Asia/Ho_Chi_Minh` as well as `Asia/Ho_Chi_Minh`. */
const ianaNameIn = (text: string | undefined): string | undefined => {
  const parts = (text ?? '').split('/').filter((part) => part !== '');
  const tails = parts.map((_, position) => parts.slice(position).join('/'));
  return tails.find((tail) => (tail.includes('/') || tail === text) && isTimeZone(tail));
};

/** `+07:00`, `GMT+0700`, `UTC-3`: east of Greenwich is positive. */
const offsetZone = (text: string): FeedZone | undefined => {
  const [, sign, hours, minutes = '0'] = /^(?:UTC|GMT)?([+-])(\d{1,2}):?(\d{2})?$/i.exec(text) ?? [];
  if (hours === undefined) return undefined;
  return fixedZone((sign === '-' ? -1 : 1) * (Number(hours) * hourMs + Number(minutes) * minuteMs));
};

const namedZone = (text: string | undefined): FeedZone | undefined => {
  const name = text?.trim() ?? '';
  const offset = offsetZone(name);
  if (offset) return offset;
  const iana = ianaNameIn(name) ?? windowsZones[name];
  return iana === undefined ? undefined : ianaZone(iana);
};

/**
 * Finds the zone of a TZID (D114): the one of that name, whether or not the feed describes it; else what its VTIMEZONE says; else
 * the one that Windows calls so, by the Unicode CLDR. One that is none of these is unknown, and may be any. A value without a
 * zone is read in that of the calendar (X-WR-TIMEZONE), else in the listing's.
 */
export const zonesOf = (
  calendars: readonly FeedComponent[],
  listingZone: string,
  { until, budget }: { until: string; budget: ReadingBudget },
): ZoneOf => {
  const floating =
    calendars.map((calendar) => namedZone(textOf(calendar, 'X-WR-TIMEZONE'))).find((zone) => zone) ??
    ianaZone(listingZone);
  const described = new Map(
    calendars
      .flatMap(({ children }) => children)
      .filter(({ name }) => name === 'VTIMEZONE')
      .map((component) => [textOf(component, 'TZID') ?? '', component]),
  );
  const known = new Map<string, FeedZone>();
  const find = (tzid: string): FeedZone => {
    const component = described.get(tzid);
    const iana = ianaNameIn(tzid) ?? ianaNameIn(component && textOf(component, 'X-LIC-LOCATION'));
    if (iana !== undefined) return ianaZone(iana);
    const zone = (component && describedZone(component, until, budget)) ?? namedZone(tzid);
    return zone ?? { ...floating, unknown: tzid };
  };
  return (tzid) => {
    if (tzid === undefined || tzid === '') return floating;
    const zone = known.get(tzid) ?? find(tzid);
    known.set(tzid, zone);
    return zone;
  };
};

/** Returns the zone that a VTIMEZONE describes: each rule applies from its onset to the next one. */
const describedZone = (
  component: FeedComponent,
  until: string,
  budget: ReadingBudget,
): FeedZone | undefined => {
  const onsets = component.children
    .flatMap((rule) => onsetsOf(rule, until, budget))
    .sort((one, other) => (one.from < other.from ? -1 : 1));
  const [first] = onsets;
  if (!first) return undefined;
  const offsetAt = (local: string): number => (lastUntil(onsets, local) ?? first).offsetMs;
  return {
    toInstant: (local) => utc.toInstant(local) - offsetAt(local),
    toLocal: (instant) => {
      const guess = utc.toLocal(instant + offsetAt(utc.toLocal(instant)));
      return utc.toLocal(instant + offsetAt(guess));
    },
  };
};

/** Returns the last onset at or before a local time, by bisection: each time of a calendar is looked up. */
const lastUntil = (onsets: readonly Onset[], local: string): Onset | undefined => {
  let [low, high] = [0, onsets.length];
  while (low < high) {
    const middle = (low + high) >> 1;
    if ((onsets[middle]?.from ?? '') <= local) low = middle + 1;
    else high = middle;
  }
  return onsets[low - 1];
};

/** Outlook starts zones in 1601; no stay is that old. */
const earliestYear = '1970';

const onsetsOf = (rule: FeedComponent, until: string, budget: ReadingBudget): Onset[] => {
  const start = rule.properties.find(({ name }) => name === 'DTSTART');
  const offset = /^([+-])(\d{2})(\d{2})(\d{2})?$/.exec(textOf(rule, 'TZOFFSETTO') ?? '');
  if (!start || !offset) throw new FeedProblem('has a VTIMEZONE that cannot be read');
  const [, sign, hours, minutes, seconds = '0'] = offset;
  const offsetMs =
    (sign === '-' ? -1000 : 1000) * (Number(hours) * 3600 + Number(minutes) * 60 + Number(seconds));
  const text = start.value.replace(/^\d{4}/, (year) => (year < earliestYear ? earliestYear : year));
  const from = momentOf(text, start, () => utc).local;
  const recurrence = textOf(rule, 'RRULE');
  budget.spend(1);
  if (recurrence === undefined) return [{ from, offsetMs }];
  const parsed = recurrenceRule(recurrence);
  const ends = parsed.until?.slice(0, 8).replace(/^(....)(..)(..)$/, '$1-$2-$3') ?? '9999';
  return [...expandRecurrence(from, parsed, { from, until }, budget)]
    .filter((local) => local.slice(0, 10) <= ends)
    .map((local) => ({ from: local, offsetMs }));
};
