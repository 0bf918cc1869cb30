import type { PartnerCaller } from '../../platform/auth.ts';
import type { Context } from '../../platform/context.ts';
import { present, remove, retryOnConflict } from '../../platform/table/index.ts';
import { countWrite } from './create-webhook.ts';
import { WebhookCountEntity, WebhookEntity } from './webhook.entity.ts';
import { noWebhook, requireWebhook, unsubscribe } from './webhook.store.ts';

/** Deletes a webhook; what waits for it is not sent (D62). */
export const deleteWebhook = (
  ctx: Context<PartnerCaller>,
  webhookId: number,
): Promise<{ message: string; id: number }> =>
  retryOnConflict(async () => {
    const webhook = await requireWebhook(ctx, webhookId);
    const counted = await ctx.table.get(WebhookCountEntity, webhook);
    return ctx.commit(
      [
        remove(WebhookEntity, webhook, { when: present(), onConflict: noWebhook }),
        countWrite(webhook.key_id, counted, -1),
        ...unsubscribe(webhook),
      ],
      { message: 'The webhook is deleted.', id: webhook.webhook_id },
    );
  });
