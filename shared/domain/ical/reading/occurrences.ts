import { dateOf } from '../../../platform/time/time.ts';
import type { FeedProperty } from './components.ts';
import { expandRecurrence, selectsStart } from './expand-recurrence.ts';
import {
  identityOf,
  instantOf,
  type Moment,
  momentOf,
  type Span,
  spansOf,
  utc,
  type ZoneOf,
} from './moment.ts';
import type { ReadingBudget } from './reading-budget.ts';
import { type RecurrenceRule, recurrenceRule } from './recurrence-rule.ts';

interface Expanding {
  zoneOf: ZoneOf;
  budget: ReadingBudget;
  /** Occurrences that end before it, or begin after it, are left out. */
  stretch: { from: string; until: string };
}

/** When an event takes place: once, or as often as RRULE and RDATE say, without its EXDATEs; each once. */
export function* occurrencesOf(
  { start, properties }: { start: Moment; properties: readonly FeedProperty[] },
  { zoneOf, budget, stretch }: Expanding,
): Generator<Span> {
  const named = (name: string) => properties.filter((property) => property.name === name);
  const spans = (name: string) => named(name).flatMap((property) => spansOf(property, zoneOf));
  const excluded = spans('EXDATE').map((span) => span.start);
  budget.spend(excluded.length);
  const isExcluded = among(excluded, zoneOf);
  const rules = named('RRULE');
  const series = rules.map(({ value }) =>
    repeated(start, recurrenceRule(value), { stretch, budget, zoneOf }),
  );
  const seen = new Set<string>();
  for (const found of [...(rules.length === 0 ? [[{ start }]] : series), spans('RDATE')])
    for (const span of found) {
      budget.spend(1);
      const identity = identityOf(span.start);
      if (seen.has(identity) || isExcluded(span.start)) continue;
      seen.add(identity);
      yield span;
    }
}

/** Whether a moment is one of others: by instant; by date where one of both is a DATE. */
export const among = (moments: readonly Moment[], zoneOf: ZoneOf): ((moment: Moment) => boolean) => {
  const instants = new Set(moments.filter(({ isDate }) => !isDate).map(instantOf));
  const dates = new Set(moments.filter(({ isDate }) => isDate).map(({ local }) => dateOf(local)));
  const allDates = new Set(moments.map((moment) => dateWritten(moment, zoneOf)));
  return (moment) =>
    moment.isDate
      ? allDates.has(dateOf(moment.local))
      : instants.has(instantOf(moment)) || dates.has(dateOf(moment.local));
};

/** The date of a moment as the calendar's owner sees it: of an instant by the calendar's zone. */
export const dateWritten = (moment: Moment, zoneOf: ZoneOf): string =>
  dateOf(moment.zone === utc ? zoneOf(undefined).toLocal(instantOf(moment)) : moment.local);

function* repeated(
  start: Moment,
  rule: RecurrenceRule,
  { stretch, budget, zoneOf }: Expanding,
): Generator<Span> {
  const isOver = untilOf(start, rule, zoneOf);
  // A DTSTART that the rule does not select counts for some programs and not for others: it does not shorten the series.
  let count = rule.count === undefined || selectsStart(start.local, rule) ? 0 : -1;
  for (const local of expandRecurrence(start.local, rule, stretch, budget)) {
    const moment = { ...start, local };
    if (isOver(moment) || (rule.count !== undefined && count >= rule.count)) return;
    count += 1;
    yield { start: moment };
  }
}

/**
 * UNTIL is a date, an instant, or a time on the event's own wall clock; the occurrence at it is the last. An instant that ends
 * a series of dates counts by its date in UTC or in the calendar's zone, whichever is later.
 */
const untilOf = (start: Moment, { until }: RecurrenceRule, zoneOf: ZoneOf): ((moment: Moment) => boolean) => {
  if (until === undefined) return () => false;
  const end = momentOf(until, { name: 'UNTIL', params: {}, value: until }, zoneOf);
  const [date, written] = [dateOf(end.local), dateWritten(end, zoneOf)];
  const last = start.isDate && written > date ? written : date;
  if (end.isDate || start.isDate) return ({ local }) => dateOf(local) > last;
  if (end.zone !== utc) return ({ local }) => local > end.local;
  const instant = instantOf(end);
  return (moment) => instantOf(moment) > instant;
};
