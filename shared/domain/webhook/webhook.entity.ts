import type { PublicEventType } from '../../events.ts';
import { defineEntity, sortable } from '../../platform/table/index.ts';
import { teamEventsPartition } from './event-page.entity.ts';

export interface Secret {
  /** `whsec_…` */
  text: string;
  /** Epoch milliseconds up to which it signs along; null: the current one. */
  signs_until: number | null;
}

/** A partner's webhook as stored (D62). */
export interface Webhook {
  webhook_id: number;
  /** The partner's, which outlives the rotation of its key. */
  key_id: number;
  team_ids: number[];
  url: string;
  description: string | null;
  event_types: PublicEventType[];
  /** FAILING: its retries have run out; every event is tried once, and the first that arrives makes it ACTIVE again. */
  state: 'ACTIVE' | 'FAILING' | 'DISABLED';
  /** Why it is FAILING, or was disabled by the service. */
  problem: string | null;
  /** The current one first. */
  secrets: Secret[];
  /** Whoever changes what a partner or the service decides checks and bumps it. */
  version: number;
  /** UTC: since when nothing has arrived; null: the last attempt arrived. */
  troubled_since: string | null;
  /** Epoch milliseconds: until when a test or redelivery is under way, and when the owners were last told of a failure. */
  busy_until: number;
  told_at: number;
  /** UTC. */
  created_at: string;
  updated_at: string;
}

export type WebhookIds = Pick<Webhook, 'key_id' | 'webhook_id'>;

export const webhooksPartition = (keyId: number): string => `PARTNER#${keyId}#WEBHOOKS`;
export const webhookPrefix = 'WEBHOOK#';

export const WebhookEntity = defineEntity<Webhook, WebhookIds>({
  name: 'Webhook',
  meaning: "An address of a partner that the events of its key's teams are sent to.",
  patterns: ["a partner's webhooks", 'a webhook of a partner'],
  key: ({ key_id, webhook_id }) => ({
    pk: webhooksPartition(key_id),
    sk: `${webhookPrefix}${sortable(webhook_id)}`,
  }),
  example: { key_id: 1, webhook_id: 2 },
});

/** How many webhooks a partner has: what keeps the limit when two are registered at once. */
export interface WebhookCount {
  key_id: number;
  count: number;
  version: number;
}

export const WebhookCountEntity = defineEntity<WebhookCount, Pick<WebhookCount, 'key_id'>>({
  name: 'WebhookCount',
  meaning: 'How many webhooks a partner has.',
  patterns: ['may this partner register another webhook?'],
  key: ({ key_id }) => ({ pk: webhooksPartition(key_id), sk: 'COUNT' }),
  example: { key_id: 1 },
});

/** That a webhook receives a team's events: what an event needs of it, in the partition that the event reads. */
export type Subscriber = Pick<Webhook, 'webhook_id' | 'key_id' | 'team_ids' | 'event_types'> & {
  team_id: number;
};

export const subscriberPrefix = 'SUBSCRIBER#';

export const SubscriberEntity = defineEntity<Subscriber, Pick<Subscriber, 'team_id' | 'webhook_id'>>({
  name: 'WebhookSubscriber',
  meaning: 'That a webhook receives the events of a team.',
  patterns: ["the webhooks of a team's event, with its last page (one Query)"],
  key: ({ team_id, webhook_id }) => ({
    pk: teamEventsPartition(team_id),
    sk: `${subscriberPrefix}${sortable(webhook_id)}`,
  }),
  example: { team_id: 1, webhook_id: 2 },
});
