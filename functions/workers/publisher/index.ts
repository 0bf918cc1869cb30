import { EventBridgeClient, PutEventsCommand, type PutEventsRequestEntry } from '@aws-sdk/client-eventbridge';
import type { AttributeValue } from '@aws-sdk/client-dynamodb';
import { unmarshall } from '@aws-sdk/util-dynamodb';
import type { DynamoDBBatchResponse, DynamoDBRecord, DynamoDBStreamEvent } from 'aws-lambda';
import type { Dependencies } from '../../../shared/platform/context.ts';
import { type DomainEvent, EventEntity, type EventMessage } from '../../../shared/platform/events/index.ts';
import { readEnv } from '../../../shared/platform/environment/env.ts';
import { once } from '../../../shared/platform/once.ts';
import { log } from '../../../shared/platform/metrics/log.ts';
import { PublisherEnv } from './env.ts';
import { entryOf, toRequests } from '../../../shared/platform/events/put-events.ts';
import { timeLimits } from '../../../shared/platform/sdk/time-limits.ts';

export interface PublisherDependencies extends Pick<Dependencies, 'log'> {
  bus: Pick<EventBridgeClient, 'send'>;
  busName: string;
}

/** An entry of PutEvents, with the place in the stream that it came from. */
interface OutgoingEvent {
  sequenceNumber: string;
  entry: PutEventsRequestEntry;
}

/**
 * Publishes the events of the table's stream on the bus, in the order of the stream (D61). At the first one that the bus does not
 * take it stops and names its place: the stream begins there again, so an event may be published twice but is never omitted. A
 * record that is no event fails its batch before anything is sent: Lambda halves the batch until the record is alone.
 */
export const publisher =
  (deps: () => PublisherDependencies) =>
  async ({ Records }: DynamoDBStreamEvent): Promise<DynamoDBBatchResponse> => {
    const { bus, busName, log } = deps();
    const events = Records.filter(isNewEvent).map((record) => outgoing(record, busName));
    for (const request of toRequests(events)) {
      const failed = await firstRefused(bus, request, log);
      if (failed) return { batchItemFailures: [{ itemIdentifier: failed.sequenceNumber }] };
    }
    return { batchItemFailures: [] };
  };

/** The stream's filter lets nothing else through; this holds without it too. */
const isNewEvent = ({ eventName, dynamodb }: DynamoDBRecord): boolean =>
  eventName === 'INSERT' && dynamodb?.NewImage?.['entity']?.S === EventEntity.name;

const outgoing = ({ dynamodb }: DynamoDBRecord, busName: string): OutgoingEvent => {
  const item = unmarshall((dynamodb?.NewImage ?? {}) as Record<string, AttributeValue>) as DomainEvent;
  const { id, event_type, occurred_at, team_id, actor, data } = item;
  const message: EventMessage = { id, event_type, occurred_at, team_id, actor, data };
  if (!event_type || Number.isNaN(Date.parse(occurred_at)))
    throw new Error(`The record ${dynamodb?.SequenceNumber} is no event: ${id}.`);
  return { sequenceNumber: dynamodb?.SequenceNumber ?? '', entry: entryOf(message, busName) };
};

const firstRefused = async (
  bus: PublisherDependencies['bus'],
  request: readonly OutgoingEvent[],
  log: PublisherDependencies['log'],
): Promise<OutgoingEvent | undefined> => {
  try {
    const reply = await bus.send(new PutEventsCommand({ Entries: request.map(({ entry }) => entry) }));
    const position = (reply.Entries ?? []).findIndex(({ ErrorCode }) => ErrorCode !== undefined);
    if (position === -1) return undefined;
    log.warn('The bus refused an event; it is published again.', { refusal: reply.Entries?.[position] });
    return request[position];
  } catch (error) {
    log.warn('The bus does not answer; its events are published again.', { cause: String(error) });
    return request[0];
  }
};

const fromEnvironment = (): PublisherDependencies => ({
  bus: new EventBridgeClient({
    requestHandler: timeLimits({ requestTimeout: 5000, connectionTimeout: 1000 }),
  }),
  busName: readEnv(PublisherEnv).EVENT_BUS_NAME,
  log,
});

/** The Lambda handler of the table's stream. */
export const handler = publisher(once(fromEnvironment));
