import {
  all,
  any,
  atLeast,
  atMost,
  change,
  ConflictError,
  has,
  lacks,
  type Table,
  type Write,
} from '../../platform/table/index.ts';
import { CalendarMonthEntity, homeOf, isHome, type MonthIds } from './calendar.store.ts';
import { replaceMonths } from './replace-months.store.ts';
import { daysOf, type MonthSpan, monthSpans } from './hours.rules.ts';
import type { ListingTime } from './taken-time.rules.ts';

/** An order under its soft locks, as read. */
interface HeldOrder {
  items: readonly (ListingTime & { availability_id: number })[];
  /** Epoch milliseconds. */
  locked_until: number;
}

/**
 * Returns the writes that turn live soft locks into taken hours without reading the months. Their condition is that no
 * lock has expired by `now`, nor for a booking of the parent; of one that is gone, it fails too.
 */
export const confirmHolds = (table: Table, order: HeldOrder, now: number, onConflict: () => Error): Write[] =>
  rewriteHolds(table, order, { now }, onConflict);

/** Returns the writes that extend live soft locks until `until`, in epoch milliseconds. */
export const extendHolds = (
  table: Table,
  order: HeldOrder,
  times: { now: number; until: number },
  onConflict: () => Error,
): Write[] => rewriteHolds(table, order, times, onConflict);

/** A part of a held stay, in one month. */
interface HeldSpan extends MonthIds {
  availability_id: number;
  span: MonthSpan;
}

const spansOf = (hold: HeldOrder['items'][number]): HeldSpan[] =>
  monthSpans(hold).map((span) => ({ ...hold, month: span.month, span }));

const countsOf = (held: readonly HeldSpan[], name: string): Record<string, number> => {
  const counts: Record<string, number> = {};
  for (const day of held.flatMap(({ span }) => daysOf(span)))
    counts[`${name}.${day}`] = (counts[`${name}.${day}`] ?? 0) + 1;
  return counts;
};

/** One write for each month; what children change counts in the month of their parent. */
const rewriteHolds = (
  table: Table,
  { items, locked_until }: HeldOrder,
  { now, until }: { now: number; until?: number },
  onConflict: () => Error,
): Write[] => {
  const spans = items.flatMap(spansOf);
  const homes = Map.groupBy(spans, ({ calendar_id, month }) => `${calendar_id} ${month}`);
  const heldWrite = (ids: MonthIds, held: readonly HeldSpan[], ofChildren: readonly HeldSpan[]): Write => {
    const locks = held.map(({ availability_id }) => `locks.${availability_id}`);
    return change(
      CalendarMonthEntity,
      ids,
      {
        setAt: Object.fromEntries(
          locks.map((lock) => (until === undefined ? [lock, undefined] : [`${lock}.until`, until])),
        ),
        raise: { ...countsOf(held, 'changes'), ...countsOf(ofChildren, 'child_changes') },
      },
      {
        when: all(
          // A month of version 1 has none.
          has('changes'),
          ...locks.map((lock) => atLeast(`${lock}.until`, now + 1)),
          ...(ofChildren.length === 0
            ? []
            : [any(lacks('expired_by'), atMost('expired_by', locked_until - 1))]),
        ),
        onConflict: (current) =>
          current?.before
            ? new ConflictError('CalendarMonth', () => replaceMonths(table, [current]))
            : onConflict(),
      },
    );
  };
  return [...homes.values()].flatMap((family) => {
    const own = Map.groupBy(family, ({ listing_id }) => listing_id);
    const ofChildren = family.filter((held) => !isHome(held));
    const [first] = family;
    if (!first) return [];
    const home = own.get(first.calendar_id) ?? [];
    own.delete(first.calendar_id);
    return [
      heldWrite(homeOf(first), home, ofChildren),
      ...[...own.values()].map((held) => heldWrite(held[0] ?? first, held, [])),
    ];
  });
};
