import { AlreadyHandled, markHandled } from '../../platform/events/handle-once.ts';
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
import { deliveryOf } from './attempt.ts';
import { type AppendDependencies, type Delivery, DeliveryEntity, messageOf } from './delivery.store.ts';
import { type EventPage, EventPageEntity, type FeedEntry, teamEventsPartition } from './event-page.entity.ts';
import { publicDataOf, type PublicEvent, teamForEvent, teamsOfEvent } from './partner-event.schema.ts';
import { type Subscriber, SubscriberEntity } from './webhook.store.ts';

interface Waiting<Item> {
  item: Item;
  done: () => void;
  failed: (error: unknown) => void;
}

/**
 * Runs `work` for what has gathered under a name: one run at a time, each with all that came meanwhile, at most `most`. One by one,
 * and at once, the runs of a process would only lose races to each other. What fails in company is tried alone, so that an item
 * which cannot be worked on holds up no other.
 */
const batchByKey = <Item>(most: number, work: (name: string, items: Item[]) => Promise<void>) => {
  const gathered = new Map<string, Waiting<Item>[]>();
  const settle = async (name: string, some: Waiting<Item>[]): Promise<void> => {
    try {
      await work(
        name,
        some.map(({ item }) => item),
      );
      for (const { done } of some) done();
    } catch (error) {
      if (some.length === 1) some[0]?.failed(error);
      else for (const one of some) await settle(name, [one]);
    }
  };
  const run = async (name: string, waiting: Waiting<Item>[]): Promise<void> => {
    // The other messages of a batch come in the same turn of the loop.
    await new Promise(setImmediate);
    while (waiting.length > 0) await settle(name, waiting.splice(0, most));
    gathered.delete(name);
  };
  return (name: string, item: Item): Promise<void> =>
    new Promise((done, failed) => {
      const waiting = gathered.get(name);
      if (waiting) return void waiting.push({ item, done, failed });
      const first = [{ item, done, failed }];
      gathered.set(name, first);
      void run(name, first);
    });
};

/** A page of several entries stays below 1 KB, the unit that a write is counted in. */
const mostBytes = 1000;

/** What an event of a team meets: who hears of it, and where the team's feed ends. */
interface TeamEvents {
  subscribers: Subscriber[];
  lastPage: EventPage | undefined;
}

const atOnce = 4;

/** Subscribers sort behind pages: read backwards, they come first, and the first page that comes is the last one. */
const readTeamEvents = async (table: Table, team_id: number): Promise<TeamEvents> => {
  const subscribers: Subscriber[] = [];
  let after: Record<string, unknown> | undefined;
  do {
    const found = await table.queryMixed({
      pk: teamEventsPartition(team_id),
      descending: true,
      limit: atOnce,
      after,
    });
    for (const entry of found.entries) {
      const subscriber = itemOf(SubscriberEntity, entry);
      if (!subscriber) return { subscribers, lastPage: itemOf(EventPageEntity, entry) };
      subscribers.push(subscriber);
    }
    after = found.next;
  } while (after);
  return { subscribers, lastPage: undefined };
};

/**
 * The writes that put events behind all others of their team: into the last page while it has room, else onto new ones. They
 * lose the race when another event took that place meanwhile.
 */
const appendWrites = (
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

/**
 * Enters events into the feed of a team, the earliest first, and makes their deliveries: page, deliveries and the marks that the
 * events are entered are one transaction. Then the deliveries' messages go out. A process that dies in between is no loss: the
 * event comes again and brings the messages again, and a delivery that is done takes no notice.
 */
const appendForTeam = async (
  deps: AppendDependencies,
  team: number,
  entries: readonly FeedEntry[],
): Promise<void> => {
  let left = [...new Map(entries.map((entry) => [entry.id, entry])).values()].sort(inOrder);
  while (left.length > 0) {
    const { entered, deliveries } = await retryOnConflict(() => enterSome(deps, team, left));
    if (deliveries.length > 0) await deps.deliveries.send(deliveries.map(messageOf));
    left = left.filter(({ id }) => !entered.has(id));
  }
};

const inOrder = (one: FeedEntry, other: FeedEntry): number => (orderOf(one) < orderOf(other) ? -1 : 1);
const orderOf = ({ occurred_at, id }: FeedEntry): string => `${occurred_at} ${id}`;

interface Entered {
  entered: ReadonlySet<string>;
  deliveries: Delivery[];
}

/** Enters as many as fit into a transaction; the others wait for the next one. */
const enterSome = async (
  { table, clock }: AppendDependencies,
  team: number,
  left: readonly FeedEntry[],
): Promise<Entered> => {
  const { subscribers, lastPage } = await readTeamEvents(table, team);
  const now = clock.now();
  const deliveriesOf = (entry: FeedEntry): Delivery[] =>
    hearing(subscribers, team, entry).map((one) => deliveryOf(one, { ...entry, team_id: team }, now));
  const some = left.slice(0, Math.max(1, Math.floor(room / (writesOfEntry + subscribers.length))));
  const deliveries = some.flatMap(deliveriesOf);
  await makeBefore(table, deliveries.slice(room - writesOfEntry));
  try {
    await table.transact([
      ...some.map(({ id }) =>
        markHandled({ consumer: 'webhook', event_id: id, recipient: `team:${team}` }, now),
      ),
      ...appendWrites(team, lastPage, some, now),
      ...deliveries.slice(0, room - writesOfEntry).map((one) => create(DeliveryEntity, one)),
    ]);
    return { entered: new Set(some.map(({ id }) => id)), deliveries };
  } catch (error) {
    if (!(error instanceof AlreadyHandled)) throw error;
    const before = some.filter(({ id }) => id === error.handling?.event_id);
    return { entered: new Set(before.map(({ id }) => id)), deliveries: before.flatMap(deliveriesOf) };
  }
};

/** The mark and the page of an entry; the last page that closes is one write more. */
const writesOfEntry = 2;
const room = maxWrites - 1;

const hearing = (subscribers: readonly Subscriber[], team: number, entry: FeedEntry): Subscriber[] =>
  subscribers.filter(
    ({ event_types, team_ids }) =>
      event_types.includes(entry.event_type) && teamForEvent(entry.team_ids ?? [team], team_ids) === team,
  );

/** Deliveries that no transaction has room for, each by itself: one that is there already is the same. */
const makeBefore = async (table: Table, deliveries: readonly Delivery[]): Promise<void> => {
  for (const delivery of deliveries)
    await table.put(create(DeliveryEntity, delivery)).catch((error: unknown) => {
      if (!(error instanceof ConflictError)) throw error;
    });
};

/** As many as a queue hands over at once. */
const mostTogether = 10;

/**
 * Enters an event into the feeds of its teams and makes its deliveries, once, however often it comes (D62, D62b); then each
 * delivery is a message of its own. What a process has to enter for a team at one time goes into one transaction.
 */
export const appendEvent = async (deps: AppendDependencies, event: PublicEvent): Promise<void> => {
  const { id, event_type, occurred_at } = event;
  const teams = teamsOfEvent(event);
  const team_ids = teams.length > 1 ? { team_ids: teams } : {};
  const entry: FeedEntry = { id, event_type, occurred_at, data: publicDataOf(event), ...team_ids };
  const enter = entering(deps);
  for (const team of teams) await enter(String(team), entry);
};

type Enter = (team: string, entry: FeedEntry) => Promise<void>;

const byTable = new WeakMap<Table, Enter>();

const entering = (deps: AppendDependencies): Enter => {
  const known = byTable.get(deps.table);
  if (known) return known;
  const made = batchByKey<FeedEntry>(mostTogether, (team, entries) =>
    appendForTeam(deps, Number(team), entries),
  );
  byTable.set(deps.table, made);
  return made;
};
