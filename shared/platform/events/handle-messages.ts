import type { SQSBatchResponse, SQSEvent, SQSRecord } from 'aws-lambda';
import type { Dependencies } from '../context.ts';
import { JoinedReads } from '../table/index.ts';
import { isConcurrencyConflict } from './concurrency-conflict.ts';

export type QueueHandler = (event: SQSEvent) => Promise<SQSBatchResponse>;

interface Batching {
  /** False if messages of one batch would conflict with each other. */
  processInParallel: boolean;
}

/** Messages that conflict as often are logged as errors, before their last receive. */
const suspiciousReceives = 3;

/**
 * Returns the Lambda handler of a queue. Each message is handled separately, and only failed ones are reported and redelivered
 * (D67). A message that cannot be parsed fails too and ends in the dead-letter queue. What the messages of a batch read of the
 * table at the same time is one request.
 */
export const handleMessages =
  <Deps extends Pick<Dependencies, 'table'>>(
    handle: (deps: Deps, record: SQSRecord) => Promise<void>,
    { processInParallel }: Batching = { processInParallel: true },
  ) =>
  (deps: () => Deps & Pick<Dependencies, 'log'>): QueueHandler =>
  async (event) => {
    const own = deps();
    const { log } = own;
    const joined = processInParallel ? { ...own, table: own.table.joiningReads(JoinedReads) } : own;
    const isHandled = async (record: SQSRecord): Promise<boolean> => {
      try {
        await handle(joined, record);
        return true;
      } catch (error) {
        const receives = record.attributes.ApproximateReceiveCount;
        const cause = String((error as Error).stack ?? error);
        const figures = { message_id: record.messageId, receives, cause };
        if (isConcurrencyConflict(error) && Number(receives) < suspiciousReceives)
          log.warn('A message is left to another delivery, and received again.', figures);
        else log.error('A message failed.', figures);
        return false;
      }
    };
    const failed: SQSRecord[] = [];
    const handleOne = async (record: SQSRecord): Promise<void> => {
      if (!(await isHandled(record))) failed.push(record);
    };
    if (processInParallel) await Promise.all(event.Records.map(handleOne));
    else for (const record of event.Records) await handleOne(record);
    return { batchItemFailures: failed.map(({ messageId }) => ({ itemIdentifier: messageId })) };
  };

/**
 * Returns the Lambda handler of a queue whose messages are handled in one call. If that fails, each message is handled alone, so
 * only those that cannot be handled are reported and redelivered (D67).
 */
export const handleTogether =
  <Deps extends Pick<Dependencies, 'table'>>(
    handle: (deps: Deps, records: readonly SQSRecord[]) => Promise<void>,
  ) =>
  (deps: () => Deps & Pick<Dependencies, 'log'>): QueueHandler => {
    const handleAlone = handleMessages<Deps>((own, record) => handle(own, [record]), {
      processInParallel: false,
    });
    return async (event) => {
      try {
        await handle(deps(), event.Records);
        return { batchItemFailures: [] };
      } catch {
        return handleAlone(deps)(event);
      }
    };
  };
