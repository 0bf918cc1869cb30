import { createHash } from 'node:crypto';
import * as z from 'zod';
import { defineEntity, type Entity } from '../table/entity.ts';

/** An item to process at a time, and again later after a failure. */
export const dueFields = () => ({
  /** Epoch milliseconds. */
  due_at: z.int(),
  /** Consecutive failures; absent means none. */
  attempts: z.int().exactOptional(),
});
export type DueItem = z.output<z.ZodObject<ReturnType<typeof dueFields>>>;

/** A list of items in the order of their due times, spread over 16 partitions. */
export interface DueList<Item extends DueItem> {
  /** The prefix of its partition keys: `DUE_BOOKINGS`. */
  partition: string;
  entity: Entity<Item, Item>;
  /** The metric of items that fail again and again; default that of all lists. */
  stuckMetric?: 'due_stuck' | 'payment_unreconciled';
}

/** The number of partitions: enough to spread the writes of bookings and payments, few enough to read all in each run. */
export const dueShards = 16;

/** Order ids are multiples of 16, so a hash is needed to spread them evenly. */
export const dueShardOf = (id: number): number =>
  (createHash('sha256').update(String(id)).digest()[0] ?? 0) % dueShards;

export const duePartition = (partition: string, shard: number): string => `${partition}#${shard}`;

/** Returns the entity as stored before sharding: one partition for all items. */
export const unsharded = <Item extends DueItem>({ partition, entity }: DueList<Item>): Entity<Item, Item> => {
  const { name, meaning, patterns, record, upgrades, example, keyTemplates } = entity;
  const key = keyTemplates.map(({ sk }) => ({ pk: partition, sk }));
  return defineEntity<Item, Item>({ name, meaning, patterns, record, upgrades, example, key });
};
