import { AlreadyHandled, markHandled } from '../../platform/events/handle-once.ts';
import { create, ConflictError, maxWrites, type Table, retryOnConflict } from '../../platform/table/index.ts';
import { type Delivery, DeliveryEntity } from './delivery.entity.ts';
import { deliveryOf } from './delivery-of.ts';
import { messageOf } from './delivery.store.ts';
import type { AppendDependencies } from './dependencies.ts';
import type { FeedEntry } from './event-page.entity.ts';
import { appendWrites, readTeamEvents } from './feed-page.ts';
import { teamForEvent } from './partner-event.ts';
import type { Subscriber } from './webhook.entity.ts';

/**
 * Enters events into the feed of a team, the earliest first, and makes their deliveries: page, deliveries and the marks that the
 * events are entered are one transaction. Then the deliveries' messages go out. A process that dies in between is no loss: the
 * event comes again and brings the messages again, and a delivery that is done takes no notice.
 */
export const appendForTeam = async (
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
