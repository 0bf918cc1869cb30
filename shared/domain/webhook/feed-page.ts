import { create, equals, put, type Table, type Write } from '../../platform/table/index.ts';
import { type EventPage, EventPageEntity, type FeedEntry, teamEventsPartition } from './event-page.entity.ts';
import { type Subscriber, SubscriberEntity } from './webhook.entity.ts';

/** With its keys a page stays below 1 KB, the unit that a write is counted in. */
const mostBytes = 840;

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
 * The writes that put an event behind all others of its team: into the last page while it has room, else onto a new one. They
 * lose the race when another event took that place meanwhile.
 */
export const appendWrites = (
  team_id: number,
  last: EventPage | undefined,
  entry: FeedEntry,
  now: number,
): Write[] => {
  if (last && bytesOf([...last.entries, entry]) <= mostBytes)
    return [grown(last, { count: last.count + 1, entries: [...last.entries, entry] })];
  const number = (last?.number ?? 0) + 1;
  const next = { team_id, number, count: 1, entries: [entry], closed_at: null };
  return [create(EventPageEntity, next), ...(last ? [grown(last, { closed_at: now })] : [])];
};

const grown = (page: EventPage, changed: Partial<EventPage>): Write =>
  put(EventPageEntity, { ...page, ...changed }, { when: equals('count', page.count) });

const bytesOf = (entries: readonly FeedEntry[]): number => Buffer.byteLength(JSON.stringify(entries));
