import type { Dependencies } from '../../platform/context.ts';
import { put, remove, type Write } from '../../platform/table/index.ts';
import { recordEvent } from '../../record-event.ts';
import { overlaps } from '../calendar/model.ts';
import {
  type FeedConflict,
  type FeedConflicts,
  FeedConflictsEntity,
  feedsPartition,
  type FollowedFeed,
} from './ical.store.ts';

type Clock = Dependencies['clock'];
/** Those that ended beyond it, at once, are not announced: a transaction has 100 writes. */
const mostEnded = 40;

const importer = (clock: Clock) => ({
  clock,
  caller: { kind: 'system', name: 'calendar-import' } as const,
});

const about = ({ listing_id, team_id }: FollowedFeed) => ({ subject: feedsPartition(listing_id), team_id });

/** Names only the host of the feed's address: the rest may be a secret. */
const named = ({ feed_id: id, listing_id, team_id, url }: FollowedFeed) => ({
  id,
  listing_id,
  team_id,
  host: new URL(url).host,
});

export const stale = (clock: Clock, feed: FollowedFeed): Write => {
  const { problem, last_synced_at } = feed;
  const data = { ...named(feed), problem, last_synced_at };
  return recordEvent(importer(clock), { ...about(feed), event_type: 'calendar.stale', data });
};

/** Announces what of a feed that was just followed takes nothing, or more than it may mean (D114). */
export const readInPart = (clock: Clock, feed: FollowedFeed): Write[] => {
  const { free = 0, not_understood = 0 } = feed.read ?? {};
  if (free + not_understood === 0) return [];
  const data = { ...named(feed), free, not_understood, problems: feed.problems ?? [] };
  return [recordEvent(importer(clock), { ...about(feed), event_type: 'calendar.read_in_part', data })];
};

/**
 * What goes with a change of a feed (D118): an event for each conflict that begins or ends, and for a quarantine that begins;
 * the team's list of conflicts, which has the label too. A conflict whose time changes is the same one.
 * @param before - undefined: it was not followed
 * @param after - undefined: it is followed no more
 */
export const feedReports = (
  clock: Clock,
  before: FollowedFeed | undefined,
  after: FollowedFeed | undefined,
): Write[] => {
  const feed = after ?? before;
  if (!feed) return [];
  const [old, now] = [ringing(before), ringing(after)];
  const begun = now.filter((one) => !old.some((other) => overlaps(one, other)));
  const ended = old.filter((one) => !now.some((other) => overlaps(one, other)));
  const isQuarantined = after !== undefined && after.quarantined > 0 && !before?.quarantined;
  const by = importer(clock);
  const rung = (type: 'calendar.conflict' | 'calendar.conflict_ended', one: Conflict): Write =>
    recordEvent(by, { ...about(feed), event_type: type, data: { ...named(feed), ...one } });
  const quarantined = (nights: number): Write =>
    recordEvent(by, {
      ...about(feed),
      event_type: 'calendar.quarantined',
      data: { ...named(feed), nights },
    });
  return [
    ...begun.map((one) => rung('calendar.conflict', one)),
    ...ended.slice(0, mostEnded).map((one) => rung('calendar.conflict_ended', one)),
    ...(isQuarantined ? [quarantined(after.quarantined)] : []),
    ...relisted(before, after),
  ];
};

type Conflict = Omit<Required<FeedConflict>, 'held'>;

/** A soft lock is no conflict yet: it becomes a booking, or ends. */
const ringing = (feed: FollowedFeed | undefined): Conflict[] =>
  (feed?.conflicts ?? [])
    .filter(({ held }) => held !== true)
    .map(({ start_at, end_at, booking_id = null }) => ({ start_at, end_at, booking_id }));

/** What a feed has in its team's list of conflicts; undefined: nothing. */
const listed = (feed: FollowedFeed | undefined): FeedConflicts | undefined => {
  const conflicts = ringing(feed);
  if (!feed || conflicts.length === 0) return undefined;
  const { team_id, feed_id, listing_id, url, label } = feed;
  const named = label === undefined ? {} : { label };
  return { team_id, feed_id, listing_id, host: new URL(url).host, ...named, conflicts };
};

const relisted = (before: FollowedFeed | undefined, after: FollowedFeed | undefined): Write[] => {
  const [old, now] = [listed(before), listed(after)];
  if (JSON.stringify(old) === JSON.stringify(now)) return [];
  if (now) return [put(FeedConflictsEntity, now)];
  return old ? [remove(FeedConflictsEntity, old)] : [];
};
