import type { SQSBatchResponse, SQSEvent } from 'aws-lambda';
import type { FunctionPool } from './function-pool.ts';
import type { Simulation } from './simulation.ts';
import type { Weather } from './weather.ts';

interface Message {
  id: string;
  body: string;
  receives: number;
  /** When a worker might first receive it. */
  dueAt: number;
  visibleAt: number;
}

interface Settings {
  name: string;
  batchSize: number;
  maxReceives: number;
  visibilityMs: number;
  /** Invocations at a time. */
  atOnce: number;
}

/**
 * A standard queue with its worker: messages come in any order, some late, some twice. One that is received is hidden for the
 * visibility timeout; one that was received too often is a dead letter.
 */
export class Queue {
  readonly #sim: Simulation;
  readonly #weather: Weather;
  readonly #settings: Settings;
  readonly #worker: FunctionPool<SQSEvent, SQSBatchResponse>;
  readonly #messages = new Map<string, Message>();
  readonly deadLetters: string[] = [];
  #ids = 0;
  #running = 0;

  constructor(
    sim: Simulation,
    weather: Weather,
    worker: FunctionPool<SQSEvent, SQSBatchResponse>,
    settings: Settings,
  ) {
    this.#sim = sim;
    this.#weather = weather;
    this.#worker = worker;
    this.#settings = settings;
  }

  /** The number of messages that are not handled, dead letters excepted. */
  get size(): number {
    return this.#messages.size;
  }

  /** Returns the number of messages that are not handled although a worker might have received them before a moment. */
  overdue(before: number): number {
    return [...this.#messages.values()].filter(({ dueAt }) => dueAt < before).length;
  }

  send(body: string, delayMs = 0): void {
    const copies = this.#weather.happens('a message twice', 0.02) ? 2 : 1;
    for (let copy = 0; copy < copies; copy++) {
      const late = this.#weather.happens('a message late', 0.03) ? this.#sim.between(1000, 300_000) : 0;
      const waitMs = delayMs + late + this.#sim.between(5, 400);
      const id = `${this.#settings.name}-${++this.#ids}`;
      const dueAt = Math.floor(this.#sim.now() + waitMs);
      this.#messages.set(id, { id, body, receives: 0, dueAt, visibleAt: dueAt });
      this.#sim.later(waitMs, () => this.#poll());
    }
  }

  /** Has the dead letters handled again. */
  redrive(): number {
    const bodies = this.deadLetters.splice(0);
    for (const body of bodies) this.send(body);
    return bodies.length;
  }

  #poll(): void {
    if (this.#running >= this.#settings.atOnce) return;
    const batch = this.#receive();
    if (batch.length === 0) return;
    this.#running++;
    void this.#handle(batch).finally(() => {
      this.#running--;
      this.#sim.later(this.#sim.between(1, 20), () => this.#poll());
    });
    this.#sim.later(this.#sim.between(1, 20), () => this.#poll());
  }

  /** Receives up to a batch in any order. */
  #receive(): Message[] {
    const now = this.#sim.now();
    const ready: Message[] = [];
    for (const message of this.#messages.values()) {
      if (message.visibleAt > now) continue;
      if (message.receives >= this.#settings.maxReceives) {
        this.#messages.delete(message.id);
        this.deadLetters.push(message.body);
        this.#weather.happens('a dead letter', 1);
        this.#sim.note(`${this.#settings.name} dead letter ${message.id}`);
        continue;
      }
      ready.splice(this.#sim.whole(ready.length + 1), 0, message);
    }
    const batch = ready.slice(0, this.#settings.batchSize);
    const { visibilityMs } = this.#settings;
    for (const message of batch) {
      message.receives++;
      message.visibleAt = now + visibilityMs;
    }
    if (batch.length > 0) this.#sim.later(visibilityMs, () => this.#poll());
    return batch;
  }

  async #handle(batch: readonly Message[]): Promise<void> {
    const event = { Records: batch.map(recordOf) } as unknown as SQSEvent;
    try {
      const { batchItemFailures } = await this.#worker.invoke(event);
      const failed = new Set(batchItemFailures.map(({ itemIdentifier }) => itemIdentifier));
      for (const { id } of batch) if (!failed.has(id)) this.#done(id);
    } catch (error) {
      this.#sim.note(`${this.#settings.name} failed a batch: ${(error as Error).message}`);
    }
  }

  #done(id: string): void {
    if (!this.#weather.happens('a handled message again', 0.01)) this.#messages.delete(id);
  }
}

const recordOf = ({ id, body, receives }: Message) => ({
  messageId: id,
  receiptHandle: id,
  body,
  attributes: { ApproximateReceiveCount: String(receives) },
  messageAttributes: {},
  eventSource: 'aws:sqs',
});
