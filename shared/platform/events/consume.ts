import type { SQSRecord } from 'aws-lambda';
import * as z from 'zod';
import type { Dependencies } from '../context.ts';
import { type EventMessage, eventTypes } from './event-types.ts';
import { handleMessages, type Batching, type QueueHandler } from './handle-messages.ts';

const Message = z.object({
  id: z.string().min(1),
  event_type: z.enum(eventTypes),
  occurred_at: z.string(),
  team_id: z.int().nullable(),
  actor: z.string(),
  data: z.looseObject({ id: z.int() }),
});

/** An event as EventBridge puts it into a queue. */
const Envelope = z.object({ detail: Message });

export type HandleEvent<Deps> = (deps: Deps, message: EventMessage) => Promise<void>;

/** The Lambda handler of a consumer: {@link handleMessages} for messages that EventBridge puts into its queue. */
export const consume = <Deps>(
  handleEvent: HandleEvent<Deps>,
  batching?: Batching,
): ((deps: () => Deps & Pick<Dependencies, 'log'>) => QueueHandler) =>
  handleMessages((deps, record) => handleEvent(deps, messageOf(record)), batching);

const messageOf = (record: SQSRecord): EventMessage => Envelope.parse(JSON.parse(record.body)).detail;
