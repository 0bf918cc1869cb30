import { type Period, periodAt, periodsUntil } from './recurrence-period.ts';
import type { ReadingBudget } from './reading-budget.ts';
import type { RecurrenceRule } from './recurrence-rule.ts';

interface Stretch {
  /** Occurrences that end before it are omitted; rules with COUNT are expanded from their start all the same. */
  from: string;
  until: string;
}

/**
 * The local datetimes of a recurrence in order: its DTSTART, which is the first, and those within the stretch, endless ones
 * as well. COUNT and UNTIL are for the caller to judge, who may stop at any one.
 */
export function* expandRecurrence(
  start: string,
  rule: RecurrenceRule,
  { from, until }: Stretch,
  budget: ReadingBudget,
): Generator<string> {
  yield start;
  const skipped = rule.count === undefined ? Math.max(0, periodsUntil(start, rule, from) - 1) : 0;
  for (let number = skipped; ; number++) {
    const period = periodAt(start, rule, number);
    budget.spend(period?.cost ?? 1);
    if (!period || period.first >= until) return;
    for (const local of localsOf(period, rule, start)) {
      if (local >= until) return;
      if (local > start) yield local;
    }
  }
}

/** Whether a rule selects the DTSTART of its event. */
export const selectsStart = (start: string, rule: RecurrenceRule): boolean => {
  const first = periodAt(start, rule, 0);
  return first !== undefined && localsOf(first, rule, start).includes(start);
};

const localsOf = (period: Period, { positions }: RecurrenceRule, start: string): string[] => {
  if (period.time !== undefined) return [period.time];
  const dates = period.dates().toSorted();
  const chosen =
    positions.length === 0
      ? dates
      : [
          ...new Set(positions.flatMap((position) => dates.at(position > 0 ? position - 1 : position) ?? [])),
        ].toSorted();
  return chosen.map((date) => `${date}${start.slice(10)}`);
};
