import { addDays, nightsBetween } from '../../platform/time/time.ts';
import type { ImportedStay, LocalRange } from '../calendar/model.ts';
import type { Listing } from '../listing/model.ts';
import { stayOf } from './imported-stay.rules.ts';
import type { FeedEvent } from './reading/read-feed.ts';
import { mergedTimes, textOf } from './stretches.ts';

const longestNights = 365;

/** Time that a feed wants, with what it says of it. */
export type WantedTime = LocalRange & {
  /** What the calendar says of it now (D120); null: it is no stay; undefined: as it was. */
  imported?: ImportedStay | null | undefined;
};

/**
 * The time that events take, as blocks: those that overlap are one, and none is longer than a stay. One with exactly the time of a
 * stay is that stay (D120).
 */
export const wantedTimes = (
  events: readonly (LocalRange & Pick<FeedEvent, 'summary'>)[],
  feed: Parameters<typeof stayOf>[0],
  listing: Pick<Listing, 'timezone'>,
): WantedTime[] => {
  const said = new Map<string, WantedTime['imported']>();
  for (const { summary, ...time } of events) {
    const key = textOf(time);
    said.set(key, said.get(key) ?? (summary === undefined ? undefined : stayOf(feed, listing, summary)));
  }
  const saidOf = (time: LocalRange) => (said.has(textOf(time)) ? said.get(textOf(time)) : null);
  return mergedTimes(events)
    .flatMap(cut)
    .map((time) => ({ ...time, imported: saidOf(time) }));
};

const cut = ({ start_at, end_at }: LocalRange): LocalRange[] => {
  if (nightsBetween(start_at.slice(0, 10), end_at.slice(0, 10)) <= longestNights)
    return [{ start_at, end_at }];
  const middle = `${addDays(start_at.slice(0, 10), longestNights)}${start_at.slice(10)}`;
  return [{ start_at, end_at: middle }, ...cut({ start_at: middle, end_at })];
};
