import type { Context } from '../../platform/context.ts';
import { invalid } from '../../platform/errors.ts';
import { addHours, hoursBetween } from '../../platform/time.ts';
import { CalendarDraft, calendarOf } from '../calendar/index.ts';
import { visibleListing } from '../listing/index.ts';
import { requireWithinCalendar } from './calendar-limits.ts';

const longestHours = 92 * 24;

/** The start of every taken hour slot in [start_time, end_time), written YYYY-MM-DDTHHmm, local time (D29). */
export const listUnavailableHours = async (
  ctx: Context,
  listingId: number,
  { start_time, end_time }: { start_time: string; end_time: string },
): Promise<string[]> => {
  const listing = await visibleListing(ctx, listingId);
  const time = {
    calendar_id: calendarOf(listing),
    listing_id: listing.id,
    start_at: localText(start_time),
    end_at: localText(end_time),
  };
  requireWithinCalendar({ start_time: time.start_at, end_time: time.end_at });
  const hours = hoursBetween(time.start_at, time.end_at);
  if (hours <= 0) throw invalid({ path: 'end_time', message: 'end_time is not after start_time' });
  if (hours > longestHours) throw invalid({ path: 'end_time', message: 'a range has at most 92 days' });
  const draft = await CalendarDraft.load(ctx.table, [time], ctx.clock.now());
  return draft.taken(time).flatMap(hourSlots);
};

const hourSlots = ({ start_at, end_at }: { start_at: string; end_at: string }): string[] => {
  const slots: string[] = [];
  for (let at = start_at; at < end_at; at = addHours(at, 1)) slots.push(at.slice(0, 16).replace(':', ''));
  return slots;
};

/** `2027-02-04T1400` as `2027-02-04T14:00:00`. */
const localText = (compact: string): string => `${compact.slice(0, 13)}:${compact.slice(13)}:00`;
