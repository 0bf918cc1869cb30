import { all, atLeast, change, type Write } from '../../platform/table/index.ts';
import type { ListingTime } from './calendar-draft.store.ts';
import { CalendarMonthEntity } from './calendar.store.ts';
import { monthSpans } from './hours.rules.ts';

type Held = ListingTime & { availability_id: number };

/**
 * Returns the writes that turn live soft locks into taken hours without reading the months. Their condition is that no
 * claim has expired by `now`; of one that is gone, or taken already, it fails too. The next write that reads a month merges its claims into the bitmap.
 */
export const confirmHolds = (holds: readonly Held[], now: number, onConflict: () => Error): Write[] =>
  rewriteHolds(holds, now, null, onConflict);

/** Returns the writes that extend live soft locks until `until`, in epoch milliseconds. */
export const extendHolds = (
  holds: readonly Held[],
  until: number,
  now: number,
  onConflict: () => Error,
): Write[] => rewriteHolds(holds, now, until, onConflict);

/** One write for each month: stays of one family may share it. */
const rewriteHolds = (
  holds: readonly Held[],
  now: number,
  until: number | null,
  onConflict: () => Error,
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
        when: all(...claims.map((claim) => atLeast(`${claim}.until`, now + 1))),
        onConflict: onConflict,
      },
    );
  });
};
