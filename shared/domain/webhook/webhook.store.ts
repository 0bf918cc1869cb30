import type { PartnerCaller } from '../../platform/auth.ts';
import type { Context } from '../../platform/context.ts';
import { ServiceError } from '../../platform/errors.ts';
import { put, remove, type Table, type Write } from '../../platform/table/index.ts';
import {
  SubscriberEntity,
  type Webhook,
  WebhookEntity,
  webhookPrefix,
  webhooksPartition,
} from './webhook.entity.ts';

/** A webhook of the caller; another partner's does not exist for it (D9). */
export const requireWebhook = async (
  { table, caller }: Pick<Context<PartnerCaller>, 'table' | 'caller'>,
  webhook_id: number,
): Promise<Webhook> => {
  const webhook = await table.get(WebhookEntity, { key_id: caller.key_id, webhook_id });
  if (!webhook) throw noWebhook();
  return webhook;
};

export const noWebhook = (): ServiceError => new ServiceError('NOT_FOUND', 'There is no such webhook.');

/** A partner's webhooks, oldest first. */
export const readWebhooks = async (table: Table, key_id: number): Promise<Webhook[]> => {
  const { items } = await table.queryAll({ pk: webhooksPartition(key_id), prefix: webhookPrefix });
  return items as unknown as Webhook[];
};

/** Lets a webhook hear of its teams' events, or of others than before. */
export const subscribe = ({ webhook_id, key_id, team_ids, event_types }: Webhook): Write[] =>
  team_ids.map((team_id) => put(SubscriberEntity, { team_id, webhook_id, key_id, team_ids, event_types }));

/** Lets a webhook hear of nothing more. */
export const unsubscribe = ({ webhook_id, team_ids }: Pick<Webhook, 'webhook_id' | 'team_ids'>): Write[] =>
  team_ids.map((team_id) => remove(SubscriberEntity, { team_id, webhook_id }));
