import { all, atLeast, change, has, type Write } from '../../platform/table/index.ts';
import type { ListingTime } from './calendar-draft.store.ts';
import { CalendarMonthEntity } from './calendar.store.ts';
import { monthSpans } from './hours.rules.ts';

type Held = ListingTime & { availability_id: number };

/**
 * Turns live soft locks into taken hours without reading the months first: the condition asks whether every claim still
 * stands and has not expired by the given time. The next write that reads a month folds its claims into the bitmap.
 */
export const confirmHolds = (holds: readonly Held[], now: number, lost: () => Error): Write[] =>
  rewriteHolds(holds, now, null, lost);

/** Gives live soft locks a later end, in epoch milliseconds. */
export const extendHolds = (holds: readonly Held[], until: number, now: number, lost: () => Error): Write[] =>
  rewriteHolds(holds, now, until, lost);

/** One write a month: stays of one family may share it. */
const rewriteHolds = (
  holds: readonly Held[],
  now: number,
  until: number | null,
  lost: () => Error,
): Write[] => {
  const months = Map.groupBy(
    holds.flatMap((hold) => monthSpans(hold).map(({ month }) => ({ ...hold, month }))),
    ({ calendar_id, month }) => `${calendar_id} ${month}`,
  );
  return [...months.values()].map((held) => {
    const claims = held.map(({ availability_id }) => `claims.${availability_id}`);
    const [{ calendar_id, month } = { calendar_id: 0, month: '' }] = held;
    return change(
      CalendarMonthEntity,
      { calendar_id, month },
      { setAt: Object.fromEntries(claims.map((claim) => [`${claim}.until`, until])), add: { version: 1 } },
      {
        when: all(...claims.flatMap((claim) => [has(claim), atLeast(`${claim}.until`, now + 1)])),
        onConflict: lost,
      },
    );
  });
};
