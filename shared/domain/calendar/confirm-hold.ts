import { all, atLeast, change, has, type Write } from '../../platform/table/index.ts';
import { type Hold } from './calendar-draft.ts';
import { CalendarMonthEntity } from './calendar.entity.ts';
import { monthSpans } from './hours.ts';

/**
 * Turns a live soft lock into taken hours without reading the months first: the condition asks whether the claim still
 * stands and has not expired by the given time. The next write that reads the month folds it into the bitmap.
 */
export const confirmHold = (hold: Omit<Hold, 'until'>, now: number, lost: () => Error): Write[] =>
  rewriteHold(hold, now, null, lost);

/** Gives a live soft lock a later end. */
export const extendHold = (hold: Hold, now: number, lost: () => Error): Write[] =>
  rewriteHold(hold, now, hold.until, lost);

const rewriteHold = (
  hold: Omit<Hold, 'until'>,
  now: number,
  until: number | null,
  lost: () => Error,
): Write[] => {
  const claim = `claims.${hold.availability_id}`;
  return monthSpans(hold).map(({ month }) =>
    change(
      CalendarMonthEntity,
      { calendar_id: hold.calendar_id, month },
      { setAt: { [`${claim}.until`]: until }, add: { version: 1 } },
      { when: all(has(claim), atLeast(`${claim}.until`, now + 1)), otherwise: lost },
    ),
  );
};
