import { GetQueueAttributesCommand, SendMessageBatchCommand, type SQSClient } from '@aws-sdk/client-sqs';
import type { FeedIds } from '../../../shared/domain/ical/index.ts';

export interface SyncQueue {
  /** About how many messages wait. */
  waiting(): Promise<number>;
  /** A message a feed; one that is not accepted is due again a minute later. */
  send(feeds: readonly FeedIds[]): Promise<void>;
}

const messagesAtOnce = 10;
const requestsAtOnce = 4;

/** The queue of the worker `calendar-sync`. */
export const syncQueue = (client: Pick<SQSClient, 'send'>, QueueUrl: string): SyncQueue => ({
  waiting: async () => {
    const AttributeNames = ['ApproximateNumberOfMessages' as const];
    const reply = await client.send(new GetQueueAttributesCommand({ QueueUrl, AttributeNames }));
    return Number(reply.Attributes?.ApproximateNumberOfMessages ?? 0);
  },
  send: async (feeds) => {
    const requests = inParts(feeds, messagesAtOnce).map((part) => () => {
      const Entries = part.map((feed, at) => ({ Id: String(at), MessageBody: JSON.stringify(feed) }));
      return client.send(new SendMessageBatchCommand({ QueueUrl, Entries }));
    });
    for (const part of inParts(requests, requestsAtOnce)) await Promise.all(part.map((send) => send()));
  },
});

const inParts = <Item>(items: readonly Item[], size: number): Item[][] =>
  Array.from({ length: Math.ceil(items.length / size) }, (_, at) => items.slice(at * size, (at + 1) * size));
