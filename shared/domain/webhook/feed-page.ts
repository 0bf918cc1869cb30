import { all, create, equals, itemBytes, put, type Table, type Write } from '../../platform/table/index.ts';
import { type EventPage, EventPageEntity, type FeedEntry, teamEventsPartition } from './event-page.entity.ts';
import { type Subscriber, SubscriberEntity } from './webhook.entity.ts';

/** A page of several entries stays below 1 KB, the unit that a write is counted in. */
const mostBytes = 1000;

/** What an event of a team meets: who hears of it, and where the team's feed ends. */
export interface TeamEvents {
  subscribers: Subscriber[];
  lastPage: EventPage | undefined;
}

const atOnce = 4;

/** Subscribers sort behind pages: read backwards, they come first, and the first page that comes is the last one. */
export const readTeamEvents = async (table: Table, team_id: number): Promise<TeamEvents> => {
  const subscribers: Subscriber[] = [];
  let after: Record<string, unknown> | undefined;
  do {
    const found = await table.query({
      pk: teamEventsPartition(team_id),
      descending: true,
      limit: atOnce,
      ...(after ? { after } : {}),
    });
    for (const [at, item] of found.items.entries()) {
      if (found.kinds[at] !== SubscriberEntity.name)
        return { subscribers, lastPage: item as unknown as EventPage };
      subscribers.push(item as unknown as Subscriber);
    }
    after = found.next;
  } while (after);
  return { subscribers, lastPage: undefined };
};

/**
 * The writes that put events behind all others of their team: into the last page while it has room, else onto new ones. They
 * lose the race when another event took that place meanwhile.
 */
export const appendWrites = (
  team_id: number,
  last: EventPage | undefined,
  entries: readonly FeedEntry[],
  now: number,
): Write[] => {
  const pages: EventPage[] = last ? [{ ...last, entries: [...last.entries] }] : [];
  for (const entry of entries) {
    const open = pages.at(-1);
    if (open && hasRoom(open, entry, now)) open.entries.push(entry);
    else {
      if (open) open.closed_at = now;
      pages.push({ team_id, number: (open?.number ?? 0) + 1, count: 0, entries: [entry], closed_at: null });
    }
  }
  return pages.map((page, at) => {
    const whole = { ...page, count: page.entries.length };
    return last && at === 0 ? grown(last, whole) : create(EventPageEntity, whole);
  });
};

/** A page that has closed keeps its count, so both are asked for: readers have passed it, and it never grows again. */
const grown = (page: EventPage, after: EventPage): Write =>
  put(EventPageEntity, after, { when: all(equals('count', page.count), equals('closed_at', null)) });

/** As it is once it has closed, with the time at which it may be swept. */
const hasRoom = (page: EventPage, entry: FeedEntry, now: number): boolean => {
  const entries = [...page.entries, entry];
  return itemBytes(EventPageEntity, { ...page, entries, count: entries.length, closed_at: now }) <= mostBytes;
};
