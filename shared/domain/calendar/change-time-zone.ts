import type { Table, Write } from '../../platform/table/index.ts';
import { addDays } from '../../platform/time/time.ts';
import { CalendarDraft } from './calendar-draft.store.ts';
import { homeOf, maxLookBackDays, readFamily } from './calendar.store.ts';
import { rangeOf } from './hours.rules.ts';
import type { ListingTime } from './taken-time.rules.ts';

/**
 * Returns the writes that give the calendar of a listing without parent and children another time zone, in every month of the
 * window, in which a booking may begin. Months beside it that name an earlier zone name the new one too: they would refuse the
 * bookings that reach into them.
 */
export const changeTimeZone = async (
  table: Table,
  window: ListingTime & { timezone: string },
  now: number,
): Promise<Write[]> => {
  const first = addDays(window.start_at.slice(0, 10), -maxLookBackDays).slice(0, 7);
  const months = await readFamily(table, window.calendar_id, { first });
  const draft = new CalendarDraft(now);
  draft.add(months.map(homeOf), months);
  await draft.complete(table, [window]);
  for (const month of months)
    if (month.timezone !== undefined) draft.changeTimeZone({ ...window, ...rangeOf(month) });
  draft.changeTimeZone(window);
  return draft.writes();
};
