import type { PartnerCaller } from '../../platform/auth.ts';
import { instantText } from '../../platform/clock.ts';
import type { Context } from '../../platform/context.ts';
import { ServiceError } from '../../platform/errors.ts';
import { newEventId } from '../../platform/ids.ts';
import { atMost, change, create, retryOnConflict } from '../../platform/table/index.ts';
import { arrived, attempt, deliveryOf, withAttempt } from './attempt.ts';
import {
  asItStands,
  type Attempt,
  deliveriesPartition,
  type Delivery,
  DeliveryEntity,
  deliveryPrefix,
  type SendingDependencies,
} from './delivery.store.ts';
import type { DeliveryList, DeliveryRecord, ListDeliveriesQuery } from './webhook.schema.ts';
import { noWebhook, recordHealth, requireWebhook, type Webhook, WebhookEntity } from './webhook.store.ts';
import { presentDelivery } from './webhooks.ts';

/** The deliveries of a webhook of the key, those of the latest events first; kept 30 days (D62). */
export const listDeliveries = async (
  ctx: Context<PartnerCaller>,
  webhookId: number,
  query: ListDeliveriesQuery,
): Promise<DeliveryList> => {
  const { webhook_id } = await requireWebhook(ctx, webhookId);
  const { items } = await ctx.table.query(DeliveryEntity, {
    pk: deliveriesPartition(webhook_id),
    ...(query.cursor === undefined
      ? { prefix: deliveryPrefix }
      : { from: deliveryPrefix, to: deliveryPrefix + query.cursor }),
    descending: true,
    // The one of the cursor was shown before, and one more says whether there are more.
    limit: query.limit + 2,
  });
  const found = items.filter(({ event_id }) => event_id !== query.cursor);
  const shown = found.slice(0, query.limit);
  return {
    items: shown.map(presentDelivery),
    next_cursor: found.length > query.limit ? (shown.at(-1)?.event_id ?? null) : null,
  };
};

type Sending = Context<PartnerCaller> & SendingDependencies;

/** Longer than an attempt may take. */
const busyMs = 15_000;

/** Sends a test event to a webhook, whatever its state, and answers what came of it (D62). It is not tried again. */
export const testWebhook = async (ctx: Sending, webhookId: number): Promise<DeliveryRecord> => {
  await notSentBefore(ctx);
  const webhook = await requireWebhook(ctx, webhookId);
  const now = ctx.clock.now();
  const event = {
    event_type: 'webhook.test' as const,
    data: { id: webhook.webhook_id },
    id: newEventId(ctx.clock),
    occurred_at: instantText(now),
    team_id: webhook.team_ids[0] ?? 0,
  };
  const delivery = deliveryOf(webhook, event, now);
  const made = await alone(ctx, webhook, () => attempt(ctx, webhook, delivery, 'manual'));
  if (arrived(made)) await recordHealth(ctx, webhook, true);
  const state = arrived(made) ? 'DELIVERED' : 'FAILED';
  const tested = withAttempt(delivery, made, { state, due_at: null });
  return ctx.commit([create(DeliveryEntity, tested)], presentDelivery(tested));
};

/**
 * Sends a delivery again, now, with the same `webhook-id` and body, and answers what came of it (D62). One that still waits for
 * its next attempt goes on waiting unless it arrives.
 */
export const redeliver = async (
  ctx: Sending,
  webhookId: number,
  deliveryId: string,
): Promise<DeliveryRecord> => {
  await notSentBefore(ctx);
  const ids = { webhook_id: webhookId, event_id: deliveryId };
  const webhook = await requireWebhook(ctx, webhookId);
  const delivery = await requireDelivery(ctx, ids);
  const made = await alone(ctx, webhook, () => attempt(ctx, webhook, delivery, 'manual'));
  if (arrived(made)) await recordHealth(ctx, webhook, true);
  return retryOnConflict(async () => {
    const before = await requireDelivery(ctx, ids);
    const after = withAttempt(before, made, arrived(made) ? { state: 'DELIVERED', due_at: null } : {});
    return ctx.commit([asItStands(after, before)], presentDelivery(after));
  });
};

/** A request that was answered under its Idempotency-Key is answered again, before anything goes out. */
const notSentBefore = async (ctx: Sending): Promise<void> => {
  await ctx.startedOrderId();
};

const requireDelivery = async (
  { table }: Pick<Sending, 'table'>,
  ids: Pick<Delivery, 'webhook_id' | 'event_id'>,
): Promise<Delivery> => {
  const delivery = await table.get(DeliveryEntity, ids);
  if (!delivery) throw new ServiceError('NOT_FOUND', 'There is no such delivery.');
  return delivery;
};

/** One at a time for a webhook: whoever waits for an endpoint holds a function. */
const alone = async (ctx: Sending, webhook: Webhook, send: () => Promise<Attempt>): Promise<Attempt> => {
  const { table, clock } = ctx;
  const now = clock.now();
  const free = {
    when: atMost('busy_until', now),
    onConflict: (old: Webhook | undefined) => (old ? busy() : noWebhook()),
  };
  await table.transact([change(WebhookEntity, webhook, { set: { busy_until: now + busyMs } }, free)]);
  try {
    return await send();
  } finally {
    const ours = { when: atMost('busy_until', now + busyMs), onConflict: () => noWebhook() };
    await table
      .transact([change(WebhookEntity, webhook, { set: { busy_until: 0 } }, ours)])
      .catch(() => undefined);
  }
};

const busy = (): ServiceError =>
  new ServiceError(
    'RATE_LIMIT_EXCEEDED',
    'A test or redelivery of this webhook is under way.',
    {},
    { retryAfterSeconds: 2 },
  );
