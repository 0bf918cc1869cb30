import type { PartnerCaller } from '../../platform/auth.ts';
import { instantText } from '../../platform/time/clock.ts';
import type { Context } from '../../platform/context.ts';
import { ServiceError } from '../../platform/errors.ts';
import { newEventId } from '../../platform/ids.ts';
import { atMost, change, create, retryOnConflict } from '../../platform/table/index.ts';
import { isDelivered, attempt, deliveryOf, withAttempt } from './attempt.ts';
import {
  putIfUnchanged,
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

/** Returns the deliveries of a webhook of the key, latest events first; kept 30 days (D62). */
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
    // One more for the item of the cursor, and one to detect a next page.
    limit: query.limit + 2,
  });
  const found = items.filter(({ event_id }) => event_id !== query.cursor);
  const shown = found.slice(0, query.limit);
  return {
    items: shown.map(presentDelivery),
    next_cursor: found.length > query.limit ? (shown.at(-1)?.event_id ?? null) : null,
  };
};

type SendingContext = Context<PartnerCaller> & SendingDependencies;

/** Longer than an attempt may take. */
const busyMs = 15_000;

/** Sends a test event to a webhook in any state and returns the result (D62). It is not retried. */
export const testWebhook = async (ctx: SendingContext, webhookId: number): Promise<DeliveryRecord> => {
  await replayIfAnswered(ctx);
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
  const result = await oneAtATime(ctx, webhook, () => attempt(ctx, webhook, delivery, 'manual'));
  if (isDelivered(result)) await recordHealth(ctx, webhook, true);
  const state = isDelivered(result) ? 'DELIVERED' : 'FAILED';
  const tested = withAttempt(delivery, result, { state, due_at: null });
  return ctx.commit([create(DeliveryEntity, tested)], presentDelivery(tested));
};

/**
 * Sends a delivery again with the same `webhook-id` and body and returns the result (D62). A pending delivery keeps its
 * next attempt unless this one succeeds.
 */
export const redeliver = async (
  ctx: SendingContext,
  webhookId: number,
  deliveryId: string,
): Promise<DeliveryRecord> => {
  await replayIfAnswered(ctx);
  const ids = { webhook_id: webhookId, event_id: deliveryId };
  const webhook = await requireWebhook(ctx, webhookId);
  const delivery = await requireDelivery(ctx, ids);
  const result = await oneAtATime(ctx, webhook, () => attempt(ctx, webhook, delivery, 'manual'));
  if (isDelivered(result)) await recordHealth(ctx, webhook, true);
  return retryOnConflict(async () => {
    const before = await requireDelivery(ctx, ids);
    const after = withAttempt(
      before,
      result,
      isDelivered(result) ? { state: 'DELIVERED', due_at: null } : {},
    );
    return ctx.commit([putIfUnchanged(after, before)], presentDelivery(after));
  });
};

/** Replays the response of an earlier request with this Idempotency-Key before anything is sent. */
const replayIfAnswered = async (ctx: SendingContext): Promise<void> => {
  await ctx.startedId();
};

const requireDelivery = async (
  { table }: Pick<SendingContext, 'table'>,
  ids: Pick<Delivery, 'webhook_id' | 'event_id'>,
): Promise<Delivery> => {
  const delivery = await table.get(DeliveryEntity, ids);
  if (!delivery) throw new ServiceError('NOT_FOUND', 'There is no such delivery.');
  return delivery;
};

/** One request at a time for each webhook, since a slow endpoint occupies a function. */
const oneAtATime = async (
  ctx: SendingContext,
  webhook: Webhook,
  send: () => Promise<Attempt>,
): Promise<Attempt> => {
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
    'A test or redelivery of this webhook is running.',
    {},
    { retryAfterSeconds: 2 },
  );
