import { AlreadyHandled, markHandled } from '../../platform/events/run-once.ts';
import { inLanes } from '../../platform/in-lanes.ts';
import {
  all,
  ConflictError,
  create,
  equals,
  itemBytes,
  itemOf,
  maxWrites,
  put,
  retryOnConflict,
  type Table,
  type Write,
} from '../../platform/table/index.ts';
import { hourMs } from '../../platform/time/time.ts';
import { deliveryOf } from './attempt.ts';
import { type AppendDependencies, type Delivery, DeliveryEntity, messageOf } from './delivery.store.ts';
import { type EventPage, EventPageEntity, type FeedEntry, teamEventsPartition } from './event-page.entity.ts';
import {
  isForMembers,
  publicDataOf,
  type PublicEvent,
  teamForEvent,
  teamsOfEvent,
} from './partner-event.schema.ts';
import { type Subscriber, SubscriberEntity } from './webhook.store.ts';

interface Waiting<Item> {
  item: Item;
  done: () => void;
  failed: (error: unknown) => void;
}

/**
 * Collects items by key and runs `work` on up to `most` of them, one run for a key at a time; concurrent runs of one
 * process would only conflict. If a run fails, its items are retried one by one, so that a failing item does not hold up
 * others.
 */
const batchByKey = <Item>(most: number, work: (name: string, items: Item[]) => Promise<void>) => {
  const queued = new Map<string, Waiting<Item>[]>();
  const runBatch = async (name: string, some: Waiting<Item>[]): Promise<void> => {
    try {
      await work(
        name,
        some.map(({ item }) => item),
      );
      for (const { done } of some) done();
    } catch (error) {
      if (some.length === 1) some[0]?.failed(error);
      else for (const one of some) await runBatch(name, [one]);
    }
  };
  const run = async (name: string, waiting: Waiting<Item>[]): Promise<void> => {
    // The other messages of a batch arrive in the same turn of the event loop.
    await new Promise(setImmediate);
    while (waiting.length > 0) await runBatch(name, waiting.splice(0, most));
    queued.delete(name);
  };
  return (name: string, item: Item): Promise<void> =>
    new Promise((done, failed) => {
      const waiting = queued.get(name);
      if (waiting) return void waiting.push({ item, done, failed });
      const first = [{ item, done, failed }];
      queued.set(name, first);
      void run(name, first);
    });
};

/** A page stays below 1 KB, the unit of a write. */
const maxPageBytes = 1000;

/** What an event of a team needs: the subscribed webhooks and the last page of the feed. */
interface TeamEvents {
  subscribers: Subscriber[];
  lastPage: EventPage | undefined;
}

/** One read finds the last page behind up to three webhooks; behind more of them each read is four times as long. */
const firstReadSize = 4;

/** Reads backwards: subscribers sort after pages, so they come first, and the first page found is the last one. */
const readTeamEvents = async (table: Table, teamId: number): Promise<TeamEvents> => {
  const subscribers: Subscriber[] = [];
  let after: Record<string, unknown> | undefined;
  for (let limit = firstReadSize; ; limit *= 4) {
    const found = await table.queryMixed({
      pk: teamEventsPartition(teamId),
      descending: true,
      limit,
      after,
    });
    for (const entry of found.entries) {
      const subscriber = itemOf(SubscriberEntity, entry);
      if (!subscriber) return { subscribers, lastPage: itemOf(EventPageEntity, entry) };
      subscribers.push(subscriber);
    }
    after = found.next;
    if (!after) return { subscribers, lastPage: undefined };
  }
};

/**
 * Returns the writes that append events to a team's feed: to the last page while it has room, then to new ones. They
 * conflict with a concurrent append.
 */
const appendWrites = (
  teamId: number,
  last: EventPage | undefined,
  entries: readonly FeedEntry[],
  now: number,
): Write[] => {
  const pages: EventPage[] = last ? [{ ...last, entries: [...last.entries] }] : [];
  for (const entry of entries) {
    const open = pages.at(-1);
    if (open && hasRoom(open, entry, now)) open.entries.push(entry);
    else {
      const closedAt = open ? closingTime(open, now) : now;
      if (open) open.closed_at = closedAt;
      pages.push({
        team_id: teamId,
        number: (open?.number ?? 0) + 1,
        count: 0,
        entries: [entry],
        closed_at: null,
        ...(closedAt > Math.min(now, Date.parse(entry.occurred_at) + hourMs) ? { opened_at: closedAt } : {}),
      });
    }
  }
  return pages.map((page, at) => {
    const whole = { ...page, count: page.entries.length };
    return last && at === 0 ? replacePage(last, whole) : create(EventPageEntity, whole);
  });
};

/** Never before its events, nor before the page before it, though a clock may be behind: it is kept as long from then. */
const closingTime = ({ entries, opened_at = 0 }: EventPage, now: number): number =>
  Math.max(now, opened_at, ...entries.map(({ occurred_at }) => Date.parse(occurred_at)));

/** Both `count` and `closed_at` are checked: a closed page keeps its count, and readers rely on it never growing. */
const replacePage = (page: EventPage, after: EventPage): Write =>
  put(EventPageEntity, after, { when: all(equals('count', page.count), equals('closed_at', null)) });

/** Whether the page, once closed and with its expiry, would still be small enough. */
const hasRoom = (page: EventPage, entry: FeedEntry, now: number): boolean => {
  const entries = [...page.entries, entry];
  return (
    itemBytes(EventPageEntity, { ...page, entries, count: entries.length, closed_at: now }) <= maxPageBytes
  );
};

/**
 * Appends events to the feed of a team in their order: first their deliveries are created, then page and marks of
 * handled events are one transaction, and at last the delivery messages are sent. After a crash in between the event is
 * handled again: it creates the deliveries that are missing and sends the messages again; a completed delivery ignores
 * them. With the deliveries in it, a transaction would hold a single event of a team with 50 webhooks.
 */
const appendForTeam = async (
  deps: AppendDependencies,
  team: number,
  entries: readonly FeedEntry[],
): Promise<void> => {
  let left = [...new Map(entries.map((entry) => [entry.id, entry])).values()].sort(inOrder);
  const created = new Set<string>();
  while (left.length > 0) {
    const { appendedIds, deliveries } = await retryOnConflict(() =>
      appendSome(deps, team, { left, created }),
    );
    if (deliveries.length > 0) await deps.deliveries.send(deliveries.map(messageOf));
    left = left.filter(({ id }) => !appendedIds.has(id));
  }
};

/** Ids grow in the order in which events are written. */
const inOrder = (one: FeedEntry, other: FeedEntry): number => (one.id < other.id ? -1 : 1);

interface AppendedEntries {
  appendedIds: ReadonlySet<string>;
  deliveries: Delivery[];
}

/** Deliveries that are created at once: ten events of a team with 50 webhooks are 500. */
const deliveryLanes = 32;

/** What is to be appended, and the names of deliveries that exist: a conflict on the page does not write them again. */
interface Appending {
  left: readonly FeedEntry[];
  created: Set<string>;
}

/** Appends as many entries as fit into one transaction. */
const appendSome = async (
  { table, clock }: AppendDependencies,
  team: number,
  { left, created }: Appending,
): Promise<AppendedEntries> => {
  const { subscribers, lastPage } = await readTeamEvents(table, team);
  const now = clock.now();
  const deliveriesOf = (entry: FeedEntry): Delivery[] =>
    subscribersOf(subscribers, team, entry).map((one) => deliveryOf(one, { ...entry, team_id: team }, now));
  const some = left.slice(0, mostEntries);
  const deliveries = some.flatMap(deliveriesOf);
  const missing = deliveries.filter((delivery) => !created.has(nameOf(delivery)));
  await inLanes(
    missing,
    async (delivery) => {
      await createMissing(table, delivery);
      created.add(nameOf(delivery));
    },
    deliveryLanes,
  );
  try {
    await table.transact([
      ...some.map(({ id }) =>
        markHandled({ consumer: 'webhook', event_id: id, recipient: `team:${team}` }, now),
      ),
      ...appendWrites(team, lastPage, some, now),
    ]);
    return { appendedIds: new Set(some.map(({ id }) => id)), deliveries };
  } catch (error) {
    if (!(error instanceof AlreadyHandled)) throw error;
    const before = some.filter(({ id }) => id === error.handling?.event_id);
    return { appendedIds: new Set(before.map(({ id }) => id)), deliveries: before.flatMap(deliveriesOf) };
  }
};

/** An entry takes two writes, its mark and at most one page; closing the last page is one more. */
const mostEntries = Math.floor((maxWrites - 1) / 2);

const subscribersOf = (subscribers: readonly Subscriber[], team: number, entry: FeedEntry): Subscriber[] =>
  subscribers.filter(
    ({ event_types, team_ids }) =>
      !entry.for_members &&
      event_types.includes(entry.event_type) &&
      teamForEvent(entry.team_ids ?? [team], team_ids) === team,
  );

const nameOf = ({ webhook_id, event_id }: Delivery): string => `${webhook_id} ${event_id}`;

/** Creates a delivery if it does not exist. */
const createMissing = async (table: Table, delivery: Delivery): Promise<void> => {
  try {
    await table.put(create(DeliveryEntity, delivery));
  } catch (error) {
    if (!(error instanceof ConflictError)) throw error;
  }
};

/** The batch size of the queue. */
const maxBatch = 10;

/**
 * Appends an event to the feeds of its teams and creates its deliveries, once (D62, D62b). Concurrent events of one team
 * in a process share a transaction.
 */
export const appendEvent = async (deps: AppendDependencies, event: PublicEvent): Promise<void> => {
  const { id, event_type, occurred_at } = event;
  const teams = teamsOfEvent(event);
  const teamIds = teams.length > 1 ? { team_ids: teams } : {};
  const forMembers = isForMembers(event) ? { for_members: true as const } : {};
  const data = publicDataOf(event);
  const entry: FeedEntry = { id, event_type, occurred_at, data, ...teamIds, ...forMembers };
  const append = appenderOf(deps);
  for (const team of teams) await append(String(team), entry);
};

type AppendEntry = (team: string, entry: FeedEntry) => Promise<void>;

const byTable = new WeakMap<Table, AppendEntry>();

const appenderOf = (deps: AppendDependencies): AppendEntry => {
  const known = byTable.get(deps.table);
  if (known) return known;
  const made = batchByKey<FeedEntry>(maxBatch, (team, entries) => appendForTeam(deps, Number(team), entries));
  byTable.set(deps.table, made);
  return made;
};
