import type { PublicEventType } from '../../events.ts';
import { defineEntity, sortable } from '../../platform/table/index.ts';
import type { PartnerEvent } from './partner-event.schema.ts';

/** One try to bring an event to a webhook. */
export interface Attempt {
  /** UTC. */
  at: string;
  /** `retry`: by the plan, the first one included; `manual`: because the partner asked for it. */
  kind: 'retry' | 'manual';
  /** Null: no answer. */
  response_code: number | null;
  /** Null: it arrived. */
  error: string | null;
  duration_ms: number;
}

/** An event for a webhook, and what became of it (D62). Every writer checks and bumps `version`. */
export interface Delivery extends Pick<PartnerEvent, 'occurred_at' | 'team_id'> {
  webhook_id: number;
  /** Names the delivery too: a webhook is sent an event once, however often that takes. */
  event_id: string;
  key_id: number;
  event_type: PublicEventType | 'webhook.test';
  /** The event's data as text: the same at every attempt, in whatever order a table would give its fields back. */
  data?: string;
  /** The whole body of older ones, which have no `data`. */
  body?: string;
  state: 'PENDING' | 'DELIVERED' | 'FAILED' | 'CANCELLED';
  attempts: Attempt[];
  /** Attempts by the plan so far. */
  tries: number;
  /** Epoch milliseconds of the next attempt by the plan; null: none will follow. */
  due_at: number | null;
  /**
   * Epoch milliseconds: when the look for due ones brings it, unless a message was faster. Later than `due_at` for a first attempt,
   * and after each look that led to none. Absent on older ones: `due_at`.
   */
  look_at?: number;
  /** How many looks have brought it since the last attempt. */
  looks?: number;
  /** Which part of the due ones it stands in. */
  shard: number;
  /** Until when (epoch milliseconds) whoever has claimed it is left alone. */
  claimed_until: number;
  version: number;
  /** Names the attempt that wrote it last, so that no two writers write alike. */
  claim: string;
  /** UTC. */
  created_at: string;
}

export type DeliveryIds = Pick<Delivery, 'webhook_id' | 'event_id'>;

export const deliveriesPartition = (webhookId: number): string => `WEBHOOK#${webhookId}`;
export const deliveryPrefix = 'DELIVERY#';

/** Each takes a thousand writes a second; few enough to look at each minute. */
export const dueShards = 16;
export const duePartition = (shard: number): string => `DUE_DELIVERIES#${shard}`;
export const shardOf = (eventId: string): number =>
  Buffer.from(eventId.slice(-6)).reduce((sum, byte) => sum * 31 + byte, 0) % dueShards;

const keptSeconds = 30 * 86_400;

export const DeliveryEntity = defineEntity<Delivery, DeliveryIds>({
  name: 'WebhookDelivery',
  meaning: 'An event for a webhook, with every attempt.',
  patterns: [
    'a delivery by webhook and event',
    "a webhook's deliveries, newest first",
    'the deliveries whose attempt is due',
  ],
  key: ({ webhook_id, event_id }) => ({
    pk: deliveriesPartition(webhook_id),
    sk: `${deliveryPrefix}${event_id}`,
  }),
  indexes: ({ due_at, look_at, shard, event_id, webhook_id }) =>
    due_at === null
      ? {}
      : {
          by_audience: {
            pk: duePartition(shard),
            sk: `${sortable(look_at ?? due_at)}#${event_id}#${webhook_id}`,
          },
        },
  expiresAt: ({ created_at }) => Math.ceil(Date.parse(created_at) / 1000) + keptSeconds,
  example: { webhook_id: 2, event_id: 'evt_1' },
});
