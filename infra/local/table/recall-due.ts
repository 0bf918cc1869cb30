import { type DueBooking, dueBookings } from '../../../shared/domain/booking/model.ts';
import { feedShards, type FollowedFeed, FollowedFeedEntity } from '../../../shared/domain/ical/model.ts';
import { type DueMail, dueMails } from '../../../shared/domain/notification/model.ts';
import { duePayments } from '../../../shared/domain/payment/model.ts';
import {
  type Delivery,
  DeliveryEntity,
  deliveryShards,
  enqueueDelayMs,
  retryDelayMs,
} from '../../../shared/domain/webhook/model.ts';
import type { Dependencies } from '../../../shared/platform/context.ts';
import { type DueItem, type DueList, duePartition, dueShards } from '../../../shared/platform/due/index.ts';
import {
  ConflictError,
  equals,
  type Kind,
  present,
  put,
  remove,
  sortable,
  type Write,
} from '../../../shared/platform/table/index.ts';
import { dayMs, hourMs, minuteMs } from '../../../shared/platform/time/time.ts';

type Deps = Pick<Dependencies, 'table' | 'clock'>;

/** The longest delay of a retry. */
const retryMs = hourMs;
const longestMailMs = dayMs;
const longestFeedMs = 30 * minuteMs;

/**
 * Makes due what waits longer than it can: it was put off before the test clock was turned back. What has a time of its own,
 * such as the end of a payment window or the reminder of a stay, keeps it. Returns the number.
 */
export const recallDue = async (deps: Deps): Promise<number> => {
  const recalled = await Promise.all([
    recallList(deps, dueBookings, retryMs, hasFailed),
    recallList(deps, duePayments, retryMs),
    recallList(deps, dueMails, longestMailMs, isPutOff),
    recallFeeds(deps),
    recallDeliveries(deps),
  ]);
  return recalled.reduce((sum, some) => sum + some, 0);
};

const hasFailed = ({ attempts = 0 }: DueBooking): boolean => attempts > 0;

const isPutOff = ({ kind, attempts = 0 }: DueMail): boolean => kind !== 'reminder' || attempts > 0;

const recallList = <Item extends DueItem>(
  deps: Deps,
  { partition, entity }: DueList<Item>,
  longestMs: number,
  isRelative: (item: Item) => boolean = () => true,
): Promise<number> =>
  recall(deps, entity, {
    partitions: Array.from({ length: dueShards }, (_, shard) => ({ pk: duePartition(partition, shard) })),
    longestMs,
    writes: (item, now) =>
      isRelative(item)
        ? [remove(entity, item, { when: present() }), put(entity, { ...item, due_at: now })]
        : [],
  });

const recallFeeds = (deps: Deps): Promise<number> =>
  recall<FollowedFeed>(deps, FollowedFeedEntity, {
    partitions: Array.from({ length: feedShards }, (_, shard) => ({
      pk: FollowedFeedEntity.partition({ shard }, 'by_audience'),
      index: 'by_audience',
    })),
    longestMs: longestFeedMs,
    writes: (feed, now) => {
      const due = { ...feed, version: feed.version + 1, next_sync_at: now, lease_until: 0 };
      return [put(FollowedFeedEntity, due, { when: equals('version', feed.version) })];
    },
  });

const recallDeliveries = (deps: Deps): Promise<number> =>
  recall<Delivery>(deps, DeliveryEntity, {
    partitions: Array.from({ length: deliveryShards }, (_, shard) => ({
      pk: DeliveryEntity.partition({ shard }, 'by_audience'),
      index: 'by_audience',
    })),
    longestMs: 0,
    writes: (delivery, now) => {
      const { due_at, look_at = 0, tries, looks = 0 } = delivery;
      const longestMs = Math.max(retryDelayMs(tries) ?? 0, enqueueDelayMs(looks));
      if (Math.max(due_at ?? 0, look_at) <= now + longestMs) return [];
      const due = { due_at: now, look_at: now, looks: 0, claimed_until: 0, version: delivery.version + 1 };
      return [put(DeliveryEntity, { ...delivery, ...due }, { when: equals('version', delivery.version) })];
    },
  });

interface Waiting<Item> {
  partitions: readonly { pk: string; index?: 'by_audience' }[];
  /** What waits longer is recalled. */
  longestMs: number;
  writes: (item: Item, now: number) => Write[];
}

const recall = async <Item extends object>(
  { table, clock }: Deps,
  kind: Kind<Item>,
  { partitions, longestMs, writes }: Waiting<Item>,
): Promise<number> => {
  const now = clock.now();
  let recalled = 0;
  for (const partition of partitions) {
    const from = `${sortable(now + longestMs)}~`;
    for (const item of await table.queryAll(kind, { ...partition, from, to: '~' })) {
      const some = writes(item, now);
      if (some.length > 0 && (await isWritten(() => table.transact(some)))) recalled++;
    }
  }
  return recalled;
};

/** Returns false where another writer was first. */
const isWritten = async (write: () => Promise<void>): Promise<boolean> => {
  try {
    await write();
    return true;
  } catch (error) {
    if (error instanceof ConflictError) return false;
    throw error;
  }
};
