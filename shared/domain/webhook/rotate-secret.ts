import type { PartnerCaller } from '../../platform/auth.ts';
import { instantText } from '../../platform/clock.ts';
import type { Context } from '../../platform/context.ts';
import { change, equals, retryOnConflict } from '../../platform/table/index.ts';
import { presentWebhook } from './present-webhook.ts';
import { newSecret, overlapMs, rotated } from './signing.ts';
import { WebhookEntity } from './webhook.entity.ts';
import type { RotatedSecret } from './webhook.schema.ts';
import { requireWebhook } from './webhook.store.ts';

/** Gives a webhook another secret, shown this once; the old one signs along for 24 hours (D62). */
export const rotateSecret = (
  ctx: Context<PartnerCaller>,
  webhookId: number,
): Promise<RotatedSecret> =>
  retryOnConflict(async () => {
    const webhook = await requireWebhook(ctx, webhookId);
    const now = ctx.clock.now();
    const secret = newSecret();
    const set = {
      secrets: rotated(webhook.secrets, secret, now),
      version: webhook.version + 1,
      updated_at: instantText(now),
    };
    return ctx.commit(
      [change(WebhookEntity, webhook, { set }, { when: equals('version', webhook.version) })],
      {
        ...presentWebhook({ ...webhook, ...set }),
        secret: secret.text,
        old_secret_signs_until: instantText(now + overlapMs),
      },
    );
  });
