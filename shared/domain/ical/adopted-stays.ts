import { dateOf } from '../../platform/time/time.ts';
import type { AvailabilityEntry, LocalRange } from '../calendar/model.ts';
import type { FeedEvent } from './reading/read-feed.ts';
import { textOf } from './stretches.ts';

/** The entry of an adopted stay, and its event as the calendar has it now; undefined: it is there no more. */
export interface AdoptedStay {
  entry: AvailabilityEntry;
  event: FeedEvent | undefined;
}

/** Finds the events of adopted stays: by their keys, else by exactly their time, under another UID (D120). */
export const adoptedStays = (
  entries: readonly AvailabilityEntry[],
  events: readonly FeedEvent[],
): AdoptedStay[] => {
  const byKey = new Map(events.map((event) => [event.key, event]));
  const byTime = new Map(events.map((event) => [textOf(event), event]));
  return entries.map((entry) => ({
    entry,
    event: byKey.get(entry.event_key ?? '') ?? byTime.get(textOf(entry)),
  }));
};

const isOvernight = ({ start_at, end_at }: LocalRange): boolean => dateOf(start_at) < dateOf(end_at);

/**
 * Returns the time that an event gives its adopted stay; undefined: the one it has. Nights are their dates: the hours that a listing
 * has set since are not those of the stay. What has started keeps its beginning, since calendars cut what is past.
 */
export const timeByEvent = (entry: LocalRange, event: LocalRange, now: string): LocalRange | undefined => {
  const isByDates = isOvernight(entry) && isOvernight(event);
  const led = (was: string, is: string): string => (isByDates && dateOf(was) === dateOf(is) ? was : is);
  const startAt = hasBegun(entry, now) ? entry.start_at : led(entry.start_at, event.start_at);
  const endAt = led(entry.end_at, event.end_at);
  const isSame = startAt === entry.start_at && endAt === entry.end_at;
  return isSame || startAt >= endAt ? undefined : { start_at: startAt, end_at: endAt };
};

export const hasBegun = ({ start_at }: Pick<LocalRange, 'start_at'>, now: string): boolean => start_at <= now;

/** Whether an adopted stay is not as its event says. */
export const isToFollow = ({ entry, event }: AdoptedStay, now: string): boolean =>
  !event || timeByEvent(entry, event, now) !== undefined;
