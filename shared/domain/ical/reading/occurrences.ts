import { FeedProblem, type FeedProperty } from './components.ts';
import { expandRecurrence } from './expand-recurrence.ts';
import { identityOf, type Moment, momentOf, momentsOf, type ZoneOf } from './moment.ts';
import type { ReadingBudget } from './reading-budget.ts';
import { mostOccurrences, type RecurrenceRule, recurrenceRule, tooMany } from './recurrence-rule.ts';

interface Expanding {
  zoneOf: ZoneOf;
  budget: ReadingBudget;
  /** Occurrences that other events replace. */
  absent: ReadonlySet<string>;
  stretch: { from: string; until: string };
  isOfInterest: (start: Moment) => boolean;
}

/** When an event begins: once, or as often as RRULE and RDATE say, without EXDATE and the occurrences that other events replace. */
export function* occurrencesOf(
  { start, properties }: { start: Moment; properties: readonly FeedProperty[] },
  { zoneOf, budget, absent, stretch, isOfInterest }: Expanding,
): Generator<Moment> {
  const named = (name: string) => properties.filter((property) => property.name === name);
  const excluded = named('EXDATE').flatMap((property) => momentsOf(property, zoneOf));
  budget.spend(excluded.length);
  const left = new Set([...absent, ...excluded.map(identityOf)]);
  const leftDates = new Set(excluded.filter(({ isDate }) => isDate).map(({ local }) => local.slice(0, 10)));
  const rules = named('RRULE');
  if (rules.length > 1) throw new FeedProblem('has an event with two RRULEs');
  const [rule] = rules;
  const series = rule ? repeated(start, recurrenceRule(rule.value), { stretch, budget, zoneOf }) : [start];
  const seen = new Set<string>();
  for (const moments of [series, named('RDATE').flatMap((property) => momentsOf(property, zoneOf))])
    for (const moment of moments) {
      budget.spend(1);
      const identity = identityOf(moment);
      if (left.has(identity) || leftDates.has(moment.local.slice(0, 10)) || seen.has(identity)) continue;
      if (!isOfInterest(moment)) continue;
      seen.add(identity);
      if (seen.size > mostOccurrences) throw tooMany();
      yield moment;
    }
}

function* repeated(
  start: Moment,
  rule: RecurrenceRule,
  { stretch, budget, zoneOf }: Pick<Expanding, 'stretch' | 'budget' | 'zoneOf'>,
): Generator<Moment> {
  const isOver = untilOf(start, rule, zoneOf);
  let count = 0;
  for (const local of expandRecurrence(start.local, rule, stretch, budget)) {
    const moment = { ...start, local };
    if (isOver(moment) || (rule.count !== undefined && count >= rule.count)) return;
    count += 1;
    yield moment;
  }
}

/** UNTIL is a date, an instant, or a time on the event's own wall clock; the occurrence at it is the last. */
const untilOf = (start: Moment, { until }: RecurrenceRule, zoneOf: ZoneOf): ((moment: Moment) => boolean) => {
  if (until === undefined) return () => false;
  const end = momentOf(until, { name: 'UNTIL', params: {}, value: until }, zoneOf);
  const date = end.local.slice(0, 10);
  if (end.isDate || start.isDate) return ({ local }) => local.slice(0, 10) > date;
  if (!until.endsWith('Z')) return ({ local }) => local > end.local;
  const instant = end.zone.toInstant(end.local);
  return ({ zone, local }) => zone.toInstant(local) > instant;
};
