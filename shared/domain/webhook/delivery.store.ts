import * as z from 'zod';
import type { Clock } from '../../platform/time/clock.ts';
import type { Dependencies } from '../../platform/context.ts';
import type { Resolve } from '../../platform/outgoing/index.ts';
import type { WorkQueue } from '../../platform/queue/work-queue.ts';
import {
  defineEntity,
  equals,
  put,
  readOf,
  sortable,
  type Table,
  type Write,
  defineRecord,
  type RecordOf,
} from '../../platform/table/index.ts';
import { eventType } from './event-page.entity.ts';
import { type Webhook, WebhookEntity, type WebhookIds } from './webhook.store.ts';

/** One attempt of a delivery. */
const AttemptRecord = defineRecord(() => ({
  /** UTC. */
  at: z.string(),
  /** `retry`: automatic, the first one included; `manual`: requested by the partner. */
  kind: z.enum(['retry', 'manual']),
  /** Null: no response. */
  response_code: z.int().nullable(),
  /** Null: success. */
  error: z.string().nullable(),
  duration_ms: z.int(),
}));
export type Attempt = RecordOf<typeof AttemptRecord>;

/** An event for a webhook with its attempts (D62). Each write checks and increments `version`. */
const DeliveryRecord = defineRecord(() => ({
  webhook_id: z.int(),
  /** Also the id of the delivery: a webhook gets an event once. */
  event_id: z.string(),
  key_id: z.int(),
  event_type: z.union([eventType(), z.literal('webhook.test')]),
  team_id: z.int(),
  occurred_at: z.string(),
  /** The event's data as text, so that every attempt sends the same bytes. */
  data: z.string().exactOptional(),
  /** The whole body of older deliveries, which have no `data`. */
  body: z.string().exactOptional(),
  state: z.enum(['PENDING', 'DELIVERED', 'FAILED', 'CANCELLED']),
  attempts: z.array(AttemptRecord()),
  /** Automatic attempts so far. */
  tries: z.int(),
  /** Epoch milliseconds of the next automatic attempt; null: none. */
  due_at: z.int().nullable(),
  /**
   * Epoch milliseconds at which the schedule enqueues it, unless an attempt was made before. Later than `due_at` for a
   * first attempt, and after each time it was enqueued in vain. Absent on older ones: `due_at`.
   */
  look_at: z.int().exactOptional(),
  /** How often it was enqueued since the last attempt. */
  looks: z.int().exactOptional(),
  /** Its shard of the due list. */
  shard: z.int(),
  /** Epoch milliseconds until which the claim of a worker is valid. */
  claimed_until: z.int(),
  version: z.int(),
  /** Random name of the last write, so that no two writes are equal. */
  claim: z.string(),
  /** UTC. */
  created_at: z.string(),
}));
export type Delivery = RecordOf<typeof DeliveryRecord>;

type DeliveryIds = Pick<Delivery, 'webhook_id' | 'event_id'>;

export const deliveriesPartition = (webhookId: number): string =>
  DeliveryEntity.partition({ webhook_id: webhookId });
export const deliveryPrefix = 'DELIVERY#';

/** Each shard takes a thousand writes a second; few enough to read all of them every minute. */
export const deliveryShards = 16;
const dueDeliveriesPartition = (shard: number): string => DeliveryEntity.partition({ shard }, 'by_audience');
export const deliveryShardOf = (eventId: string): number =>
  Buffer.from(eventId.slice(-6)).reduce((sum, byte) => sum * 31 + byte, 0) % deliveryShards;

const keptSeconds = 30 * 86_400;

export const DeliveryEntity = defineEntity<Delivery, DeliveryIds>({
  name: 'WebhookDelivery',
  meaning: 'An event for a webhook, with every attempt.',
  patterns: [
    'a delivery by webhook and event',
    "a webhook's deliveries, newest first",
    'the deliveries whose attempt is due',
  ],
  record: DeliveryRecord,
  key: { pk: 'WEBHOOK#{webhook_id}', sk: `${deliveryPrefix}{event_id}` },
  indexes: [
    {
      index: 'by_audience',
      pk: 'DUE_DELIVERIES#{shard}',
      sk: '{next_look:sortable}#{event_id}#{webhook_id}',
      when: { says: 'an attempt is due', holds: ({ due_at }) => due_at !== null },
      derived: { next_look: ({ look_at, due_at }) => look_at ?? due_at ?? 0 },
    },
  ],
  expiresAt: ({ created_at }) => Math.ceil(Date.parse(created_at) / 1000) + keptSeconds,
  example: { webhook_id: 2, event_id: 'evt_1' },
});

/** Posts a signed body to a URL (D63); any status is a response, without a response it throws. */
export type PostWebhook = (
  url: string,
  request: { headers: Record<string, string>; body: string },
) => Promise<{ status: number }>;

/** The dependencies of sending. */
export interface SendingDependencies extends Pick<Dependencies, 'table' | 'clock' | 'log' | 'sealing'> {
  post: PostWebhook;
  /** The real time, by which receivers check signatures, even if the service's test clock was moved. */
  signingClock: Clock;
}

/** A delivery in a queue. */
export type DeliveryMessage = DeliveryIds & WebhookIds;
type DeliveryQueue = Pick<WorkQueue<DeliveryMessage>, 'send'>;

/** The dependencies of appending events. */
export interface AppendDependencies extends Pick<Dependencies, 'table' | 'clock' | 'log'> {
  deliveries: DeliveryQueue;
}

/**
 * The two queues of deliveries. Endpoints that fail or are slow use only the second one, so that they take no worker's
 * time from the others.
 */
export interface DeliveryDependencies extends SendingDependencies {
  lane: 'first' | 'second';
  second: DeliveryQueue;
}

/** How addresses are checked when they are set. */
export interface AddressCheck {
  local: boolean;
  resolve?: Resolve;
}

/** Reads a delivery and its webhook in one round trip. */
export const readWithWebhook = (
  table: Table,
  ids: DeliveryMessage,
): Promise<[Delivery | undefined, Webhook | undefined]> =>
  table.getAll([readOf(DeliveryEntity, ids), readOf(WebhookEntity, ids)]);

/** Returns the write of a delivery's next state if its version is unchanged. */
export const putIfUnchanged = (after: Delivery, before: Pick<Delivery, 'version'>): Write =>
  put(DeliveryEntity, after, { when: equals('version', before.version) });

/** Returns the queue message of a delivery. */
export const messageOf = ({ key_id, webhook_id, event_id }: DeliveryMessage): DeliveryMessage => ({
  key_id,
  webhook_id,
  event_id,
});

/** Yields the due deliveries of a shard in pages; the index may lag. */
export async function* dueDeliveries(table: Table, shard: number, now: number): AsyncGenerator<Delivery[]> {
  let after: Record<string, unknown> | undefined;
  do {
    const page = await table.query(DeliveryEntity, {
      index: 'by_audience',
      pk: dueDeliveriesPartition(shard),
      to: `${sortable(now)}~`,
      limit: 100,
      after,
    });
    yield page.items;
    after = page.next;
  } while (after);
}
