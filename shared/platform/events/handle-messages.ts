import { BatchProcessor, EventType as Source, processPartialResponse } from '@aws-lambda-powertools/batch';
import type { SQSBatchResponse, SQSEvent, SQSRecord } from 'aws-lambda';
import type { Dependencies } from '../context.ts';

export type QueueHandler = (event: SQSEvent) => Promise<SQSBatchResponse>;

export interface Batching {
  /** False for messages of one batch that would only stand in each other's way. */
  processInParallel: boolean;
}

/**
 * The Lambda handler of a queue: every message of the batch runs on its own, and the ones that fail are reported, so that the
 * queue brings them again and no other (D67). What cannot be read fails like that too, and ends in the dead-letter queue.
 */
export const handleMessages =
  <Deps>(
    handle: (deps: Deps, record: SQSRecord) => Promise<void>,
    batching: Batching = { processInParallel: true },
  ) =>
  (deps: () => Deps & Pick<Dependencies, 'log'>): QueueHandler =>
  async (event) => {
    const { log } = deps();
    const handleRecord = async (record: SQSRecord): Promise<void> => {
      try {
        await handle(deps(), record);
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
      ...batching,
      throwOnFullBatchFailure: false,
    });
  };
