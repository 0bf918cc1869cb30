import type { Message } from '@aws-sdk/client-sqs';
import type { SQSBatchResponse, SQSEvent } from 'aws-lambda';
import { setTimeout as sleep } from 'node:timers/promises';
import { type Log, reason } from '../log.ts';
import { asSqsEvent } from './sqs-event.ts';
import type { SqsActions } from './sqs-actions.ts';

// oxlint-disable-next-line typescript/no-invalid-void-type -- as Lambda takes it
export type QueueHandler = (event: SQSEvent) => Promise<SQSBatchResponse | undefined | void>;

export interface QueuePolling {
  queue: { url: string; arn: string };
  actions: SqsActions;
  handler: QueueHandler;
  log: Log;
  /** Default 10. */
  batchSize?: number;
  /** Returns the seconds until the next delivery after a number of failures. */
  pauseSeconds: (failures: number) => number;
  /** Interrupts a wait for messages. */
  interruptWait?: () => void;
}

export interface Poller {
  /** Stops polling and waits for the current batch. */
  stop: () => Promise<void>;
}

/** SQS returns no more at once. */
const mostReceived = 10;
const waitSeconds = 20;
const failurePauseMs = 500;

const failedIn = (event: SQSEvent, answer: SQSBatchResponse | undefined): ReadonlySet<string> => {
  const known = new Set(event.Records.map(({ messageId }) => messageId));
  const named = (answer?.batchItemFailures ?? []).map(({ itemIdentifier }) => itemIdentifier);
  // As in Lambda, an unknown id in the response fails the whole batch.
  return named.every((id) => known.has(id)) ? new Set(named) : known;
};

const entriesOf = (messages: readonly Message[]) =>
  messages.map((message, at) => ({ Id: String(at), ReceiptHandle: message.ReceiptHandle }));

/** SQS takes no more at once. */
const inTens = (messages: readonly Message[]): Message[][] =>
  Array.from({ length: Math.ceil(messages.length / mostReceived) }, (_, at) =>
    messages.slice(at * mostReceived, (at + 1) * mostReceived),
  );

class QueueConsumer {
  readonly #polling: QueuePolling;
  readonly #stopped = new AbortController();

  constructor(polling: QueuePolling) {
    this.#polling = polling;
  }

  async run(): Promise<void> {
    while (!this.#isStopped()) {
      try {
        const messages = await this.#receive();
        if (messages.length > 0) this.#settle(messages, await this.#handle(messages));
      } catch (error) {
        if (this.#isStopped()) break;
        this.#polling.log(`Polling ${this.#polling.queue.url} failed: ${reason(error)}`);
        await sleep(failurePauseMs, undefined, { signal: this.#stopped.signal }).catch(() => undefined);
      }
    }
  }

  stop(): void {
    this.#stopped.abort();
  }

  #isStopped(): boolean {
    return this.#stopped.signal.aborted;
  }

  /** Waits for messages, then takes what else there is, up to the size of a batch. */
  async #receive(): Promise<Message[]> {
    const { actions, queue, batchSize = mostReceived } = this.#polling;
    const messages: Message[] = [];
    do {
      const wanted = Math.min(batchSize - messages.length, mostReceived);
      const { Messages: received = [] } = await actions.receiveMessage({
        QueueUrl: queue.url,
        MaxNumberOfMessages: wanted,
        WaitTimeSeconds: messages.length === 0 ? waitSeconds : 0,
        MessageSystemAttributeNames: ['All'],
        MessageAttributeNames: ['All'],
      });
      messages.push(...received);
      if (received.length < wanted) break;
    } while (messages.length < batchSize);
    return messages;
  }

  /** Returns the ids of failed messages. */
  async #handle(messages: readonly Message[]): Promise<ReadonlySet<string>> {
    const event = asSqsEvent(messages, this.#polling.queue.arn);
    try {
      return failedIn(event, (await this.#polling.handler(event)) ?? undefined);
    } catch (error) {
      this.#polling.log(`${new URL(this.#polling.queue.url).pathname}: ${reason(error)}`);
      return new Set(event.Records.map(({ messageId }) => messageId));
    }
  }

  #settle(messages: readonly Message[], failed: ReadonlySet<string>): void {
    const { actions, queue, pauseSeconds } = this.#polling;
    const QueueUrl = queue.url;
    const again = messages.filter(({ MessageId = '' }) => failed.has(MessageId));
    const done = messages.filter((message) => !again.includes(message));
    for (const some of inTens(done)) actions.deleteMessageBatch({ QueueUrl, Entries: entriesOf(some) });
    for (const some of inTens(again)) {
      const Entries = entriesOf(some).map((entry, at) => ({
        ...entry,
        VisibilityTimeout: pauseSeconds(Number(some[at]?.Attributes?.ApproximateReceiveCount ?? 1)),
      }));
      actions.changeMessageVisibilityBatch({ QueueUrl, Entries });
    }
  }
}

/** Emulates Lambda's event source mapping of a queue. */
export const pollQueue = (polling: QueuePolling): Poller => {
  const consumer = new QueueConsumer(polling);
  const running = consumer.run();
  return {
    stop: async () => {
      consumer.stop();
      const nudge = setInterval(() => polling.interruptWait?.(), 10);
      await running;
      clearInterval(nudge);
    },
  };
};
