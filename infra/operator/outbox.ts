import { EventBridgeClient, PutEventsCommand, type PutEventsRequestEntry } from '@aws-sdk/client-eventbridge';
import { marshall } from '@aws-sdk/util-dynamodb';
import { setTimeout as pause } from 'node:timers/promises';
import { ServiceError } from '../../shared/platform/errors.ts';
import { EventEntity, type EventMessage } from '../../shared/platform/events/index.ts';
import { entryOf, toRequests } from '../../shared/platform/events/put-events.ts';
import { eachItem, type Fields, type StoredItems } from './stored-items.ts';

/** Both inclusive, UTC. */
interface TimeRange {
  from: string;
  to: string;
}

/** The stored events of a stage, which can be published again. */
export interface Outbox {
  /** Returns every event of the range, the earliest first. Scans the whole table in parallel segments: for operators only. */
  find(range: TimeRange): Promise<EventMessage[]>;
  /** Publishes events in order. Throws SERVICE_UNAVAILABLE with the first event that was not accepted. */
  publish(events: readonly EventMessage[]): Promise<void>;
}

interface Settings {
  items: StoredItems;
  busName: string;
  bus?: EventBridgeClient;
  /** Called with the progress. */
  progress?: (text: string) => void;
}

const attempts = 6;

export const createOutbox = ({
  items,
  busName,
  bus = new EventBridgeClient({}),
  progress = () => undefined,
}: Settings): Outbox => {
  return {
    find: async (range) => {
      const found: EventMessage[] = [];
      await eachItem({ items, progress }, { ...eventsBetween(range), consistent: false }, (item) => {
        found.push(messageOf(item as Fields & EventMessage));
      });
      return found.sort((one, other) => (orderOf(one) < orderOf(other) ? -1 : 1));
    },
    publish: async (events) => {
      const entries = events.map((event) => ({ event, entry: entryOf(event, busName) }));
      let published = 0;
      for (const request of toRequests(entries)) {
        const left = await putAll(bus, request);
        if (left !== undefined)
          throw new ServiceError(
            'SERVICE_UNAVAILABLE',
            `The bus takes no more after ${published} events: continue with --from ${left.occurred_at}.`,
          );
        published += request.length;
        progress(`${published} of ${events.length} events published`);
      }
    },
  };
};

const orderOf = ({ occurred_at, id }: EventMessage): string => `${occurred_at} ${id}`;

const eventsBetween = ({ from, to }: TimeRange) => ({
  FilterExpression: '#entity = :event AND #at BETWEEN :from AND :to',
  ExpressionAttributeNames: { '#entity': 'entity', '#at': 'occurred_at' },
  ExpressionAttributeValues: marshall({ ':event': EventEntity.name, ':from': from, ':to': to }),
});

const messageOf = ({ id, event_type, occurred_at, team_id, actor, data }: EventMessage): EventMessage => ({
  id,
  event_type,
  occurred_at,
  team_id,
  actor,
  data,
});

interface Outgoing {
  event: EventMessage;
  entry: PutEventsRequestEntry;
}

/** Publishes entries and retries rejected ones. Returns the first event that was never accepted. */
const putAll = async (
  bus: EventBridgeClient,
  request: readonly Outgoing[],
): Promise<EventMessage | undefined> => {
  let left = request;
  for (let attempt = 1; attempt <= attempts && left.length > 0; attempt++) {
    if (attempt > 1) await pause(100 * 2 ** attempt);
    const { Entries = [] } = await bus.send(
      new PutEventsCommand({ Entries: left.map(({ entry }) => entry) }),
    );
    left = left.filter((_, at) => Entries[at]?.ErrorCode !== undefined);
  }
  return left[0]?.event;
};
