import { randomUUID } from 'node:crypto';
import type { Dependencies } from '../../platform/context.ts';
import type { WorkQueue } from '../../platform/queue/work-queue.ts';
import { ConflictError } from '../../platform/table/index.ts';
import {
  asItStands,
  type Delivery,
  type DeliveryMessage,
  dueDeliveries,
  dueShards,
  lookDelayMs,
  messageOf,
} from './delivery.store.ts';

export interface EnqueueDependencies extends Pick<Dependencies, 'table' | 'clock' | 'log'> {
  queue: WorkQueue<DeliveryMessage>;
}

/** With so many messages waiting, the workers are behind: deliveries stay due, and more messages would not help them. */
const mostWaiting = 5000;
/** Shorter than the schedule may run; what is left is the next run's. */
const longestRunMs = 20_000;

/**
 * Puts each delivery that is due into the queue of attempts (D62), until none is left; answers how many. Each is put off first,
 * for longer every time, so that those whose attempts fail without an outcome stand in nobody's way; an attempt sets its own
 * time. One whose attempt is under way is left alone.
 */
export const enqueueDueDeliveries = async (deps: EnqueueDependencies): Promise<{ queued: number }> => {
  const { clock, log, queue } = deps;
  const waiting = await queue.waiting();
  if (waiting > mostWaiting) {
    log.warn('The workers are behind; nothing is added to their queue.', { waiting });
    return { queued: 0 };
  }
  const until = clock.now() + longestRunMs;
  const shards = Array.from({ length: dueShards }, (_, shard) => bringShard(deps, shard, until));
  const brought = await Promise.all(shards);
  return { queued: brought.reduce((sum, count) => sum + count, 0) };
};

const bringShard = async (deps: EnqueueDependencies, shard: number, until: number): Promise<number> => {
  const { table, clock, queue } = deps;
  let brought = 0;
  for await (const due of dueDeliveries(table, shard, clock.now())) {
    const free = due.filter(({ claimed_until }) => claimed_until <= clock.now());
    const putOff = await Promise.all(free.map((delivery) => lookLater(deps, delivery)));
    const messages = free.filter((_, at) => putOff[at]).map(messageOf);
    if (messages.length > 0) await queue.send(messages);
    brought += messages.length;
    if (clock.now() >= until) break;
  }
  return brought;
};

/** False: another write was faster, and has set the next look. */
const lookLater = async (
  { table, clock }: Pick<EnqueueDependencies, 'table' | 'clock'>,
  delivery: Delivery,
): Promise<boolean> => {
  const looks = delivery.looks ?? 0;
  const later = { look_at: clock.now() + lookDelayMs(looks), looks: looks + 1 };
  const next = { ...delivery, ...later, version: delivery.version + 1, claim: randomUUID() };
  try {
    await table.put(asItStands(next, delivery));
    return true;
  } catch (error) {
    if (error instanceof ConflictError) return false;
    throw error;
  }
};
