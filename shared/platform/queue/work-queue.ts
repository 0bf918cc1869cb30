import { GetQueueAttributesCommand, SendMessageBatchCommand, SQSClient } from '@aws-sdk/client-sqs';
import { timeLimits } from '../sdk/time-limits.ts';

/** A queue of work for its producers. */
export interface WorkQueue<Message> {
  /** Returns the approximate number of waiting messages. */
  waiting(): Promise<number>;
  /** Sends messages, delivered no sooner than `delaySeconds` (at most 900) from now. */
  send(messages: readonly Message[], options?: { delaySeconds?: number }): Promise<void>;
}

const messagesAtOnce = 10;
const requestsAtOnce = 4;

/** Returns the queue with a URL. Throws if the queue does not accept a message; the sender retries. */
export const workQueue = <Message>(
  client: Pick<SQSClient, 'send'>,
  QueueUrl: string,
): WorkQueue<Message> => ({
  waiting: async () => {
    const AttributeNames = ['ApproximateNumberOfMessages' as const];
    const reply = await client.send(new GetQueueAttributesCommand({ QueueUrl, AttributeNames }));
    return Number(reply.Attributes?.ApproximateNumberOfMessages ?? 0);
  },
  send: async (messages, { delaySeconds } = {}) => {
    const requests = inParts(messages, messagesAtOnce).map((part) => async () => {
      const Entries = part.map((message, at) => ({
        Id: String(at),
        MessageBody: JSON.stringify(message),
        ...(delaySeconds === undefined ? {} : { DelaySeconds: delaySeconds }),
      }));
      const reply = await client.send(new SendMessageBatchCommand({ QueueUrl, Entries }));
      const refused = reply.Failed?.[0];
      if (refused) throw new Error(`a message was not taken: ${refused.Code} ${refused.Message ?? ''}`);
    });
    for (const part of inParts(requests, requestsAtOnce)) await Promise.all(part.map((send) => send()));
  },
});

/** Returns the client that the queues of a function share. */
export const queueClient = (): SQSClient =>
  new SQSClient({
    useQueueUrlAsEndpoint: false,
    requestHandler: timeLimits({ requestTimeout: 5000, connectionTimeout: 1000 }),
  });

const inParts = <Item>(items: readonly Item[], size: number): Item[][] =>
  Array.from({ length: Math.ceil(items.length / size) }, (_, at) => items.slice(at * size, (at + 1) * size));
