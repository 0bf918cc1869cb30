import { randomUUID } from 'node:crypto';
import type { Dependencies } from '../../platform/context.ts';
import type { WorkQueue } from '../../platform/queue/work-queue.ts';
import { ConflictError } from '../../platform/table/index.ts';
import { enqueueDelayMs } from './webhook-retry.rules.ts';
import {
  putIfUnchanged,
  type Delivery,
  type DeliveryMessage,
  dueDeliveries,
  deliveryShards,
  messageOf,
} from './delivery.store.ts';

export interface EnqueueDependencies extends Pick<Dependencies, 'table' | 'clock' | 'log'> {
  queue: WorkQueue<DeliveryMessage>;
}

/** Above this queue length nothing is enqueued: the workers are behind, and the deliveries stay due. */
const maxWaiting = 5000;
/** Shorter than the timeout of the schedule; the next run continues. */
const maxRunMs = 20_000;

/**
 * Enqueues the due deliveries (D62) and returns their number. Each is deferred before it is enqueued, longer every time,
 * so that those without a result do not block others. Claimed ones are skipped.
 */
export const enqueueDueDeliveries = async (deps: EnqueueDependencies): Promise<{ queued: number }> => {
  const { clock, log, queue } = deps;
  const waiting = await queue.waiting();
  if (waiting > maxWaiting) {
    log.warn('The workers are behind; nothing is enqueued.', { waiting });
    return { queued: 0 };
  }
  const until = clock.now() + maxRunMs;
  const shards = Array.from({ length: deliveryShards }, (_, shard) => enqueueShard(deps, shard, until));
  const enqueued = await Promise.all(shards);
  return { queued: enqueued.reduce((sum, count) => sum + count, 0) };
};

const enqueueShard = async (deps: EnqueueDependencies, shard: number, until: number): Promise<number> => {
  const { table, clock, queue } = deps;
  let enqueued = 0;
  for await (const due of dueDeliveries(table, shard, clock.now())) {
    const free = due.filter(({ claimed_until }) => claimed_until <= clock.now());
    const deferred = await Promise.all(free.map((delivery) => defer(deps, delivery)));
    const messages = free.filter((_, at) => deferred[at]).map(messageOf);
    if (messages.length > 0) await queue.send(messages);
    enqueued += messages.length;
    if (clock.now() >= until) break;
  }
  return enqueued;
};

/** Defers a delivery; returns false if another write was first. */
const defer = async (
  { table, clock }: Pick<EnqueueDependencies, 'table' | 'clock'>,
  delivery: Delivery,
): Promise<boolean> => {
  const looks = delivery.looks ?? 0;
  const later = { look_at: clock.now() + enqueueDelayMs(looks), looks: looks + 1 };
  const next = { ...delivery, ...later, version: delivery.version + 1, claim: randomUUID() };
  try {
    await table.put(putIfUnchanged(next, delivery));
    return true;
  } catch (error) {
    if (error instanceof ConflictError) return false;
    throw error;
  }
};
