import type { PartnerCaller } from '../../platform/auth.ts';
import type { Context } from '../../platform/context.ts';
import { presentWebhook } from './present-webhook.ts';
import type { WebhookRecord } from './webhook.schema.ts';
import { readWebhooks, requireWebhook } from './webhook.store.ts';

/** The webhooks of the key, oldest first: few enough for one answer. */
export const listWebhooks = async ({
  table,
  caller,
}: Context<PartnerCaller>): Promise<{ items: WebhookRecord[] }> => ({
  items: (await readWebhooks(table, caller.key_id)).map(presentWebhook),
});

/** A webhook of the key; NOT_FOUND for any other. */
export const getWebhook = async (
  ctx: Context<PartnerCaller>,
  webhookId: number,
): Promise<WebhookRecord> => presentWebhook(await requireWebhook(ctx, webhookId));
