import * as z from 'zod';
import type { PartnerCaller } from '../../platform/auth.ts';
import { instantText } from '../../platform/time/clock.ts';
import type { Context, Dependencies } from '../../platform/context.ts';
import { ServiceError } from '../../platform/errors.ts';
import {
  binary,
  change,
  ConflictError,
  defineEntity,
  equals,
  put,
  remove,
  type Table,
  type Write,
  defineRecord,
  type RecordOf,
} from '../../platform/table/index.ts';
import { eventType } from './event-page.entity.ts';

const SecretRecord = defineRecord(() => ({
  /** `whsec_…`, encrypted (D140). */
  sealed: binary().exactOptional(),
  /** As it is, of one that was written before. */
  text: z.string().exactOptional(),
  /** Epoch milliseconds until which it signs; null: the current one. */
  signs_until: z.int().nullable(),
}));
export type StoredSecret = RecordOf<typeof SecretRecord>;

/** A partner's webhook as stored (D62). */
const WebhookRecord = defineRecord(() => ({
  webhook_id: z.int(),
  /** The partner's id, which stays the same when its key is rotated. */
  key_id: z.int(),
  team_ids: z.array(z.int()),
  url: z.string(),
  description: z.string().nullable(),
  event_types: z.array(eventType()),
  /** FAILING: the retries have run out; each event is tried once, and the first success makes it ACTIVE again. */
  state: z.enum(['ACTIVE', 'FAILING', 'DISABLED']),
  /** Why it is FAILING, or was disabled by the service. */
  problem: z.string().nullable(),
  /** The current one first. */
  secrets: z.array(SecretRecord()),
  /** Checked and incremented by changes of settings and state. */
  version: z.int(),
  /** UTC since when no attempt has succeeded; null: the last one did. */
  troubled_since: z.string().nullable(),
  /** Epoch milliseconds: until when a test or redelivery runs, and when the owners were last notified of a failure. */
  busy_until: z.int(),
  notified_at: z.int(),
  /** UTC. */
  created_at: z.string(),
  updated_at: z.string(),
}));
export type Webhook = RecordOf<typeof WebhookRecord>;

export type WebhookIds = Pick<Webhook, 'key_id' | 'webhook_id'>;

const webhooksPartition = (keyId: number): string => WebhookEntity.partition({ key_id: keyId });
const webhookPrefix = 'WEBHOOK#';

export const WebhookEntity = defineEntity<Webhook, WebhookIds>({
  name: 'Webhook',
  meaning: "An address of a partner that the events of its key's teams are sent to.",
  patterns: ["a partner's webhooks", 'a webhook of a partner'],
  record: WebhookRecord,
  upgrades: [({ told_at, ...webhook }) => ({ notified_at: told_at, ...webhook })],
  key: { pk: 'PARTNER#{key_id}#WEBHOOKS', sk: `${webhookPrefix}{webhook_id:sortable}` },
  example: { key_id: 1, webhook_id: 2 },
});

/** The number of a partner's webhooks; its condition enforces the limit under concurrency. */
const WebhookCountRecord = defineRecord(() => ({
  key_id: z.int(),
  count: z.int(),
  version: z.int(),
}));
export type WebhookCount = RecordOf<typeof WebhookCountRecord>;

export const WebhookCountEntity = defineEntity<WebhookCount, Pick<WebhookCount, 'key_id'>>({
  name: 'WebhookCount',
  meaning: 'How many webhooks a partner has.',
  patterns: ['may this partner register another webhook?'],
  record: WebhookCountRecord,
  key: { pk: 'PARTNER#{key_id}#WEBHOOKS', sk: 'COUNT' },
  example: { key_id: 1 },
});

/** Two webhooks that subscribe to a team's events at once conflict by it, so they do not pass the limit together. */
const SubscriptionCountRecord = defineRecord(() => ({
  team_id: z.int(),
  /** All there have been; those that have ended are not subtracted. */
  count: z.int(),
}));
export type SubscriptionCount = RecordOf<typeof SubscriptionCountRecord>;

export const SubscriptionCountEntity = defineEntity<SubscriptionCount, Pick<SubscriptionCount, 'team_id'>>({
  name: 'SubscriptionCount',
  meaning: "How often webhooks have subscribed to a team's events.",
  patterns: ['has another webhook subscribed meanwhile?'],
  record: SubscriptionCountRecord,
  key: { pk: 'TEAM#{team_id}#WEBHOOKS', sk: 'COUNT' },
  example: { team_id: 1 },
});

/** A webhook's subscription to a team's events, in the partition that the event reads. */
const SubscriberRecord = defineRecord(() => ({
  team_id: z.int(),
  webhook_id: z.int(),
  key_id: z.int(),
  team_ids: z.array(z.int()),
  event_types: z.array(eventType()),
}));
export type Subscriber = RecordOf<typeof SubscriberRecord>;

export const subscriberPrefix = 'SUBSCRIBER#';

export const SubscriberEntity = defineEntity<Subscriber, Pick<Subscriber, 'team_id' | 'webhook_id'>>({
  name: 'WebhookSubscriber',
  meaning: 'That a webhook receives the events of a team.',
  patterns: ["the webhooks of a team's event, with its last page (one Query)"],
  record: SubscriberRecord,
  key: { pk: 'TEAM#{team_id}#EVENTS', sk: `${subscriberPrefix}{webhook_id:sortable}` },
  example: { team_id: 1, webhook_id: 2 },
});

/** Returns a webhook of the caller; another partner's is not found (D9). */
export const requireWebhook = async (
  { table, caller }: Pick<Context<PartnerCaller>, 'table' | 'caller'>,
  webhookId: number,
): Promise<Webhook> => {
  const webhook = await table.get(WebhookEntity, { key_id: caller.key_id, webhook_id: webhookId });
  if (!webhook) throw noWebhook();
  return webhook;
};

export const noWebhook = (): ServiceError => new ServiceError('NOT_FOUND', 'There is no such webhook.');

/** Returns a partner's webhooks, oldest first. */
export const readWebhooks = (table: Table, keyId: number): Promise<Webhook[]> =>
  table.queryAll(WebhookEntity, { pk: webhooksPartition(keyId), prefix: webhookPrefix });

/** Returns the writes that subscribe a webhook to its teams' events. */
export const subscribe = ({ webhook_id, key_id, team_ids, event_types }: Webhook): Write[] =>
  team_ids.map((teamId) =>
    put(SubscriberEntity, { team_id: teamId, webhook_id, key_id, team_ids, event_types }),
  );

/** Returns the writes that end a webhook's subscriptions. */
export const unsubscribe = ({ webhook_id, team_ids }: Pick<Webhook, 'webhook_id' | 'team_ids'>): Write[] =>
  team_ids.map((teamId) => remove(SubscriberEntity, { team_id: teamId, webhook_id }));

/** Disables a webhook with a reason for its partner, unless it was changed meanwhile. */
export const disableWebhook = async (
  { table, clock }: Pick<Dependencies, 'table' | 'clock'>,
  webhook: Webhook,
  problem: string,
): Promise<void> => {
  const { version } = webhook;
  const set = {
    state: 'DISABLED',
    problem,
    version: version + 1,
    updated_at: instantText(clock.now()),
  } as const;
  try {
    await table.transact([
      change(WebhookEntity, webhook, { set }, { when: equals('version', version) }),
      ...unsubscribe(webhook),
    ]);
  } catch (error) {
    if (!(error instanceof ConflictError)) throw error;
  }
};

/**
 * Records that an endpoint has started to fail, or succeeds again, which also ends FAILING. Writes nothing if nothing
 * changes, or if the webhook was changed meanwhile.
 */
export const recordHealth = async (
  { table, clock }: Pick<Dependencies, 'table' | 'clock'>,
  webhook: Webhook,
  isHealthy: boolean,
): Promise<void> => {
  const { state, troubled_since, version } = webhook;
  if (isHealthy ? troubled_since === null && state === 'ACTIVE' : troubled_since !== null) return;
  const now = instantText(clock.now());
  const recovered = { state: 'ACTIVE', problem: null, version: version + 1, updated_at: now } as const;
  const set = isHealthy
    ? { troubled_since: null, ...(state === 'FAILING' ? recovered : {}) }
    : { troubled_since: now };
  try {
    await table.transact([change(WebhookEntity, webhook, { set }, { when: equals('version', version) })]);
  } catch (error) {
    if (!(error instanceof ConflictError)) throw error;
  }
};
