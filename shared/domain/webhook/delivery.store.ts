import type { PublicEventType } from '../../events.ts';
import type { Clock } from '../../platform/clock.ts';
import type { Dependencies } from '../../platform/context.ts';
import { readEnv, ServiceEnv } from '../../platform/env.ts';
import { fetchOutgoing, type Resolve } from '../../platform/outgoing/index.ts';
import type { WorkQueue } from '../../platform/queue/work-queue.ts';
import {
  defineEntity,
  equals,
  put,
  readOf,
  sortable,
  type Table,
  type Write,
} from '../../platform/table/index.ts';
import type { PartnerEvent } from './partner-event.schema.ts';
import { type Webhook, WebhookEntity, type WebhookIds } from './webhook.store.ts';

const second = 1000;
const minute = 60 * second;
const hour = 60 * minute;

/** How long after each failed attempt the next one follows (D62). */
const retryDelaysMs: readonly number[] = [
  5 * second,
  5 * minute,
  30 * minute,
  2 * hour,
  5 * hour,
  10 * hour,
  14 * hour,
  20 * hour,
  24 * hour,
];

/** The delay after the given number of failed attempts; undefined: that was the last. */
export const retryDelayMs = (tries: number): number | undefined => retryDelaysMs[tries - 1];

/** Shorter delays are kept by the queue; the look for due retries comes once a minute. */
export const shortestLookMs = minute;

/** A first attempt is looked for when its message has been received five times in vain, each time hidden for three minutes. */
export const firstLookMs = 15 * minute;

/** How long after a look the next one follows, while none has led to an attempt. */
export const lookDelayMs = (looks: number): number => Math.min(5 * minute * 2 ** looks, 6 * hour);

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

type DeliveryIds = Pick<Delivery, 'webhook_id' | 'event_id'>;

export const deliveriesPartition = (webhookId: number): string =>
  DeliveryEntity.partition({ webhook_id: webhookId });
export const deliveryPrefix = 'DELIVERY#';

/** Each takes a thousand writes a second; few enough to look at each minute. */
export const dueShards = 16;
const duePartition = (shard: number): string => DeliveryEntity.partition({ shard }, 'by_audience');
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

/** Brings a signed body to an address (D63): any status is an answer, and no answer is thrown. */
export type PostWebhook = (
  url: string,
  request: { headers: Record<string, string>; body: string },
) => Promise<{ status: number }>;

/** What sending takes. */
export interface SendingDependencies extends Pick<Dependencies, 'table' | 'clock' | 'log'> {
  post: PostWebhook;
  /** The time that receivers hold a signature against: their own, so the machine's, also where the service's was moved. */
  signingClock: Clock;
}

/** A delivery as it waits in a queue. */
export type DeliveryMessage = DeliveryIds & WebhookIds;
type DeliveryQueue = Pick<WorkQueue<DeliveryMessage>, 'send'>;

/** What entering an event takes. */
export interface AppendDependencies extends Pick<Dependencies, 'table' | 'clock' | 'log'> {
  deliveries: DeliveryQueue;
}

/**
 * The two queues of deliveries. An endpoint that fails or is slow is tried in the second one alone, so that it takes no worker's
 * time from those that answer.
 */
export interface DeliveringDependencies extends SendingDependencies {
  lane: 'first' | 'second';
  second: DeliveryQueue;
}

/** Whether the service runs on a laptop, whose own machine may be called. */
export const isLocal = (): boolean => readEnv(ServiceEnv).STAGE === 'local';

/** How this process sends: 10 seconds, checked addresses alone, and no redirect is followed (D63). */
export const postHere: PostWebhook = (url, { headers, body }) =>
  fetchOutgoing(url, { method: 'POST', headers, body, local: isLocal(), maxRedirects: 0, bodyless: true });

/** How addresses are checked when they are given. */
export interface AddressCheck {
  local: boolean;
  resolve?: Resolve;
}

/** A delivery and its webhook, each if it is there, in one round trip. */
export const readWithWebhook = (
  table: Table,
  ids: DeliveryMessage,
): Promise<[Delivery | undefined, Webhook | undefined]> =>
  table.getAll([readOf(DeliveryEntity, ids), readOf(WebhookEntity, ids)]);

/** A delivery's next state, if it is still as it was read. */
export const asItStands = (after: Delivery, before: Pick<Delivery, 'version'>): Write =>
  put(DeliveryEntity, after, { when: equals('version', before.version) });

/** What names a delivery in a queue. */
export const messageOf = ({ key_id, webhook_id, event_id }: DeliveryMessage): DeliveryMessage => ({
  key_id,
  webhook_id,
  event_id,
});

/** The deliveries that are due in one part of the list, page after page; the index may lag a moment. */
export async function* dueDeliveries(table: Table, shard: number, now: number): AsyncGenerator<Delivery[]> {
  let after: Record<string, unknown> | undefined;
  do {
    const page = await table.query(DeliveryEntity, {
      index: 'by_audience',
      pk: duePartition(shard),
      to: `${sortable(now)}~`,
      limit: 100,
      after,
    });
    yield page.items;
    after = page.next;
  } while (after);
}
