import type { SQSEvent } from 'aws-lambda';
import type { EventMessage } from '../../../shared/platform/events/index.ts';
import type { QueueHandler } from '../../../shared/platform/events/handle-messages.ts';
import type { Subscription } from '../../../shared/subscriptions.ts';
import { queueEvent } from '../../support/events.ts';
import type { SimulatedTime } from './simulated-time.ts';

interface Queued {
  event: EventMessage;
  arrivedAt: number;
  /** From when a worker may take it. */
  visibleAt: number;
}

/** The batches that run at once where a subscription says nothing else: the production stage's. */
const stageConcurrency = 20;
/** How often a worker that has found nothing looks again. */
const pollMs = 20;

/** A queue with its workers, in simulated time: batches, window and concurrency are those of the subscription. */
export class SimulatedQueue {
  readonly lags: number[] = [];
  failures = 0;
  readonly #time: SimulatedTime;
  readonly #subscription: Subscription;
  readonly #instance: () => QueueHandler;
  readonly #waiting: Queued[] = [];
  #isOpen = true;
  #held = 0;

  /** @param instance - returns a worker with caches of its own */
  constructor(time: SimulatedTime, subscription: Subscription, instance: () => QueueHandler) {
    this.#time = time;
    this.#subscription = subscription;
    this.#instance = instance;
  }

  start(): void {
    for (let worker = 0; worker < (this.#subscription.concurrency ?? stageConcurrency); worker++)
      void this.#work(this.#instance());
  }

  send(event: EventMessage): void {
    const now = this.#time.now();
    this.#waiting.push({ event, arrivedAt: now, visibleAt: now });
  }

  /** No further message comes: the workers end once all are handled. */
  close(): void {
    this.#isOpen = false;
  }

  async #work(handler: QueueHandler): Promise<void> {
    const { batchWindowSeconds = 0, batchSize } = this.#subscription;
    while (this.#isOpen || this.#waiting.length + this.#held > 0) {
      if (!this.#waiting.some(({ visibleAt }) => visibleAt <= this.#time.now())) {
        await this.#time.sleep(pollMs);
        continue;
      }
      // The window ends with a full batch.
      const end = this.#time.now() + batchWindowSeconds * 1000;
      while (this.#time.now() < end && this.#waiting.length < batchSize) await this.#time.sleep(pollMs);
      await this.#handle(handler, this.#take());
    }
  }

  #take(): Queued[] {
    const now = this.#time.now();
    const batch: Queued[] = [];
    for (let at = 0; at < this.#waiting.length && batch.length < this.#subscription.batchSize;)
      if (this.#waiting[at]!.visibleAt <= now) batch.push(...this.#waiting.splice(at, 1));
      else at++;
    return batch;
  }

  async #handle(handler: QueueHandler, batch: readonly Queued[]): Promise<void> {
    if (batch.length === 0) return;
    this.#held += batch.length;
    const { batchItemFailures } = await handler(eventOf(batch));
    this.#held -= batch.length;
    const failed = new Set(batchItemFailures.map(({ itemIdentifier }) => itemIdentifier));
    const now = this.#time.now();
    batch.forEach((message, at) => {
      if (!failed.has(`message-${at}`)) return void this.lags.push(now - message.arrivedAt);
      this.failures++;
      this.#waiting.push({ ...message, visibleAt: now + this.#subscription.timeoutSeconds * 6000 });
    });
  }
}

const eventOf = (batch: readonly Queued[]): SQSEvent => queueEvent(...batch.map(({ event }) => event));
