import type { SQSRecord } from 'aws-lambda';
import * as z from 'zod';
import type { EventOf, EventRows, EventType } from './events.ts';
import type { Dependencies } from './platform/context.ts';
import { withOptionalData } from './platform/events/event-row.ts';
import { handleMessages, handleTogether, type QueueHandler } from './platform/events/handle-messages.ts';
import type { Consumer, Subscribed } from './subscriptions.ts';

/** Handles one event that the consumer subscribes to. */
type HandleEvent<Deps, Name extends Consumer> = (
  deps: Deps,
  event: EventOf<Subscribed<Name>>,
) => Promise<void>;

type Logging = Pick<Dependencies, 'log'>;
type Reading = Pick<Dependencies, 'table'>;

/** A row of the subscriptions. */
interface SubscriptionOf<Name extends Consumer> {
  consumer: Name;
  event_types: readonly Subscribed<Name>[];
}

/**
 * Returns the Lambda handler of a consumer: {@link handleMessages} for its event types. A message of another type fails and
 * ends in the dead-letter queue. Data that does not fit its type is reduced to the id of its record.
 * @param events - the declarations of its event types, of their nouns only: they are in the bundle of the worker
 */
export const consume = <Deps extends Reading, Name extends Consumer>(
  subscription: SubscriptionOf<Name>,
  events: EventRows<Subscribed<Name>>,
  handleEvent: HandleEvent<Deps, Name>,
): ((deps: () => Deps & Logging) => QueueHandler) => {
  const eventIn = eventReader(subscription.event_types, events);
  return handleMessages<Deps & Logging>((deps, record) =>
    handleEvent(deps, eventIn(record, deps.log) as EventOf<Subscribed<Name>>),
  );
};

/**
 * Returns the Lambda handler of a consumer that handles the events of a batch together: {@link handleTogether}. Otherwise like
 * {@link consume}.
 */
export const consumeTogether = <Deps extends Reading, Name extends Consumer>(
  subscription: SubscriptionOf<Name>,
  events: EventRows<Subscribed<Name>>,
  handleEvents: (deps: Deps, events: readonly EventOf<Subscribed<Name>>[]) => Promise<void>,
): ((deps: () => Deps & Logging) => QueueHandler) => {
  const eventIn = eventReader(subscription.event_types, events);
  return handleTogether<Deps & Logging>((deps, records) =>
    handleEvents(
      deps,
      records.map((record) => eventIn(record, deps.log) as EventOf<Subscribed<Name>>),
    ),
  );
};

const RecordId = z.object({ id: z.int() });

/** Returns a parser of the events that EventBridge puts into the queue of a consumer. */
const eventReader = (types: readonly EventType[], events: Partial<EventRows<EventType>>) => {
  const Envelope = z.object({
    detail: z.object({
      id: z.string().min(1),
      event_type: z.enum(types),
      occurred_at: z.string(),
      team_id: z.int().nullable(),
      actor: z.string(),
      data: z.looseObject(RecordId.shape),
    }),
  });
  const dataOf = new Map(Object.entries(events).map(([type, { data }]) => [type, withOptionalData(data)]));
  return ({ body }: SQSRecord, log: Logging['log']): EventOf => {
    const { detail } = Envelope.parse(JSON.parse(body));
    const read = dataOf.get(detail.event_type)?.safeParse(detail.data);
    if (read?.error)
      log.warn('The data of an event does not fit its type.', {
        event: detail.id,
        cause: read.error.message,
      });
    return { ...detail, data: read?.data ?? RecordId.parse(detail.data) } as EventOf;
  };
};
