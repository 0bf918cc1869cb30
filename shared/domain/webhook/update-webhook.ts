import type { PartnerCaller } from '../../platform/auth.ts';
import { instantText } from '../../platform/clock.ts';
import type { Context } from '../../platform/context.ts';
import { requireOutgoing } from '../../platform/outgoing/index.ts';
import { change, equals, retryOnConflict } from '../../platform/table/index.ts';
import type { AddressCheck } from './dependencies.ts';
import { presentWebhook } from './present-webhook.ts';
import { type Webhook, WebhookEntity } from './webhook.entity.ts';
import type { UpdateWebhook, WebhookRecord } from './webhook.schema.ts';
import { requireWebhook, subscribe, unsubscribe } from './webhook.store.ts';

/**
 * Changes what is given of a webhook (D62). DISABLED hears of nothing: neither of what happens meanwhile nor of what waits.
 * ACTIVE also ends FAILING, and forgets what was wrong.
 */
export const updateWebhook = async (
  ctx: Context<PartnerCaller>,
  webhookId: number, input: UpdateWebhook,
  address: AddressCheck,
): Promise<WebhookRecord> => {
  await requireWebhook(ctx, webhookId);
  if (input.url !== undefined) await requireOutgoing(input.url, address);
  return retryOnConflict(async () => {
    const webhook = await requireWebhook(ctx, webhookId);
    const set = {
      ...givenOf(input),
      ...(input.state === 'ACTIVE' || input.url !== undefined ? { troubled_since: null } : {}),
      ...(input.state === undefined ? {} : { problem: null }),
      version: webhook.version + 1,
      updated_at: instantText(ctx.clock.now()),
    };
    const after: Webhook = { ...webhook, ...set };
    return ctx.commit(
      [
        change(WebhookEntity, webhook, { set }, { when: equals('version', webhook.version) }),
        ...(after.state === 'DISABLED' ? unsubscribe(after) : subscribe(after)),
      ],
      presentWebhook(after),
    );
  });
};

type Given = { [Field in keyof UpdateWebhook]: Exclude<UpdateWebhook[Field], undefined> };

const givenOf = (body: UpdateWebhook): Given =>
  Object.fromEntries(Object.entries(body).filter(([, value]) => value !== undefined));
