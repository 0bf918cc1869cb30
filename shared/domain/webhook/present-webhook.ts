import { instantText } from '../../platform/clock.ts';
import type { Delivery } from './delivery.entity.ts';
import type { Webhook } from './webhook.entity.ts';
import type { DeliveryRecord, WebhookRecord } from './webhook.schema.ts';

/** A webhook as its partner sees it: without its secrets. */
export const presentWebhook = (webhook: Webhook): WebhookRecord => {
  const { webhook_id, url, event_types, description, team_ids, state, problem } = webhook;
  const { troubled_since, created_at, updated_at } = webhook;
  return {
    id: webhook_id,
    url,
    event_types,
    description,
    team_ids,
    state,
    problem,
    failing_since: troubled_since,
    created_at,
    updated_at,
  };
};

export const presentDelivery = (delivery: Delivery): DeliveryRecord => {
  const { event_id, webhook_id, event_type, team_id, state, attempts, due_at, occurred_at, created_at } =
    delivery;
  return {
    id: event_id,
    webhook_id,
    event_type,
    team_id,
    state,
    attempts,
    next_attempt_at: due_at === null ? null : instantText(due_at),
    occurred_at,
    created_at,
  };
};
