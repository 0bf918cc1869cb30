import { createHash } from 'node:crypto';
import { defineEntity, type Entity, sortable, type TableKey } from '../table/entity.ts';

/** Something to be done at its time, and again later when it fails. */
export interface DueItem {
  /** Epoch milliseconds. */
  due_at: number;
  /** How often it failed in a row; absent: never. */
  attempts?: number;
}

/** Work that waits for its time, spread over partitions of which each is in the order of time. */
export interface DueList<Item extends DueItem> {
  /** The beginning of its partitions' keys: `DUE_BOOKINGS`. */
  partition: string;
  entity: Entity<Item, Item>;
}

/** No partition takes more than a sixteenth of what is booked and paid; few enough to look at all of them in each run. */
export const dueShards = 16;

/** Ids follow each other in steps of 16, so it is their hash that spreads them evenly. */
const shardOf = (id: number): number =>
  (createHash('sha256').update(String(id)).digest()[0] ?? 0) % dueShards;

export const duePartition = (partition: string, shard: number): string => `${partition}#${shard}`;

export const dueKey = (partition: string, due_at: number, id: number): TableKey => ({
  pk: duePartition(partition, shardOf(id)),
  sk: `${sortable(due_at)}#${id}`,
});

/** The same items where they stood before there were shards: one partition for all of them. */
export const unsharded = <Item extends DueItem>({ partition, entity }: DueList<Item>): Entity<Item, Item> =>
  defineEntity<Item, Item>({ ...entity, key: (item) => ({ pk: partition, sk: entity.key(item).sk }) });
