import { dateOf } from '../../platform/time/time.ts';
import type { AvailabilityEntry, LocalRange } from '../calendar/model.ts';
import type { FollowedFeed } from './ical.store.ts';
import { isBlockText } from './imported-stay.rules.ts';
import type { KeptEvent } from './kept-events.ts';
import type { FeedEvent } from './reading/read-feed.ts';
import { textOf } from './stretches.ts';

/** The entry of an adopted stay, and its event as the calendar has it now; undefined: it is there no more. */
export interface AdoptedStay {
  entry: AvailabilityEntry;
  event: LedEvent | undefined;
}

type LedEvent = FeedEvent & Partial<Pick<KeptEvent, 'misses'>>;

/** Finds the events of adopted stays: by their keys, else by exactly their time, under another UID (D120). */
export const adoptedStays = (
  entries: readonly AvailabilityEntry[],
  events: readonly LedEvent[],
  isStay: (event: LedEvent) => boolean,
): AdoptedStay[] => {
  const byKey = new Map(events.map((event) => [event.key, event]));
  const led = new Set(entries.map(({ event_key }) => event_key));
  const free = events.filter((event) => !led.has(event.key) && isStay(event));
  const byTime = new Map(free.flatMap((event) => timesOf(event).map((text) => [text, event])));
  return entries.map((entry) => ({
    entry,
    event:
      byKey.get(entry.event_key ?? '') ??
      byTime.get(textOf(bookedTime(entry))) ??
      (isOvernight(entry) ? byTime.get(datesText(entry)) : undefined),
  }));
};

const timesOf = (event: LedEvent): string[] =>
  event.dates ? [textOf(event), datesText(event)] : [textOf(event)];
/** Returns the time of an adopted stay as it was booked, which its event leads (D148). */
const bookedTime = ({ booked_from, start_at, end_at }: LedTime): LocalRange => ({
  start_at: booked_from ?? start_at,
  end_at,
});

type LedTime = LocalRange & Pick<AvailabilityEntry, 'booked_from'>;

const datesText = ({ start_at, end_at }: LocalRange): string => `${dateOf(start_at)} ${dateOf(end_at)}`;

const isOvernight = ({ start_at, end_at }: LocalRange): boolean => dateOf(start_at) < dateOf(end_at);

/**
 * Returns the time that an event gives its adopted stay; undefined: the one it has. Nights are their dates: the hours that a listing
 * has set since are not those of the stay. What has started keeps its beginning where calendars may have cut what is past.
 */
export const timeByEvent = (led: LedTime, event: LedEvent, now: string): LocalRange | undefined => {
  const entry = bookedTime(led);
  if (event.misses !== undefined && event.misses !== 0) return undefined;
  const isByDates = event.dates !== undefined && isOvernight(entry);
  const follows = (was: string, is: string): string => (isByDates && dateOf(was) === dateOf(is) ? was : is);
  const isCut = hasBegun(entry, now) && dateOf(event.start_at) <= dateOf(now);
  const startAt = isCut ? entry.start_at : follows(entry.start_at, event.start_at);
  const endAt = follows(entry.end_at, event.end_at);
  const isSame = startAt === entry.start_at && endAt === entry.end_at;
  return isSame || startAt >= endAt ? undefined : { start_at: startAt, end_at: endAt };
};

export const hasBegun = ({ start_at }: Pick<LocalRange, 'start_at'>, now: string): boolean => start_at <= now;

/**
 * Whether the text of an event, which said that a guest has booked it, says now that its time is only closed: the guest has cancelled,
 * and the platform or its host keeps the nights closed. What the host says of the whole calendar is no such text.
 */
export const isClosed = (
  { entry, event }: AdoptedStay,
  { counts_as = 'BY_TEXT' }: Pick<FollowedFeed, 'counts_as'>,
): boolean =>
  entry.by_text === true &&
  counts_as === 'BY_TEXT' &&
  event?.summary !== undefined &&
  isBlockText(event.summary);

/**
 * Whether the texts of a calendar say at once of more than half of its adopted stays, and of two at least, that their time is only
 * closed: the calendar has other texts by now, and no guest is known to have cancelled (as D117 of nights that vanish).
 */
export const closesTooMany = (
  adopted: readonly AdoptedStay[],
  feed: Pick<FollowedFeed, 'counts_as'>,
): boolean => {
  const closed = adopted.filter((one) => isClosed(one, feed)).length;
  return closed > 1 && 2 * closed > adopted.length;
};

/** Whether an adopted stay is not as its event says. */
export const isToFollow = (
  adopted: AdoptedStay,
  { feed, now }: { feed: Pick<FollowedFeed, 'counts_as'>; now: string },
): boolean => {
  const { entry, event } = adopted;
  return !event || isClosed(adopted, feed) || timeByEvent(entry, event, now) !== undefined;
};
