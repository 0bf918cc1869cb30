import { BatchProcessor, EventType as Source, processPartialResponse } from '@aws-lambda-powertools/batch';
import type { SQSBatchResponse, SQSEvent, SQSRecord } from 'aws-lambda';
import * as z from 'zod';
import type { Dependencies } from '../context.ts';
import { type EventMessage, eventTypes } from './event-types.ts';

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
export type QueueHandler = (event: SQSEvent) => Promise<SQSBatchResponse>;

/**
 * The Lambda handler of a consumer: every message of the batch runs on its own, and the ones that fail are reported, so that
 * the queue brings them again and no other (D67). What cannot be read fails like that too, and ends in the dead-letter queue.
 */
export const consume =
  <Deps>(handleEvent: HandleEvent<Deps>) =>
  (deps: () => Deps & Pick<Dependencies, 'log'>): QueueHandler =>
  async (event) => {
    const { log } = deps();
    const handleRecord = async (record: SQSRecord): Promise<void> => {
      try {
        await handleEvent(deps(), messageOf(record));
      } catch (error) {
        log.error('A message failed.', {
          message_id: record.messageId,
          receives: record.attributes.ApproximateReceiveCount,
          cause: String((error as Error).stack ?? error),
        });
        throw error;
      }
    };
    return processPartialResponse(event, handleRecord, new BatchProcessor(Source.SQS), {
      throwOnFullBatchFailure: false,
    });
  };

const messageOf = (record: SQSRecord): EventMessage => Envelope.parse(JSON.parse(record.body)).detail;
