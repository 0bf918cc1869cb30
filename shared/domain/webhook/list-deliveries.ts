import type { PartnerCaller } from '../../platform/auth.ts';
import type { Context } from '../../platform/context.ts';
import { deliveriesPartition, type Delivery, deliveryPrefix } from './delivery.entity.ts';
import { presentDelivery } from './present-webhook.ts';
import type { DeliveryList, ListDeliveriesQuery } from './webhook.schema.ts';
import { requireWebhook } from './webhook.store.ts';

/** The deliveries of a webhook of the key, those of the latest events first; kept 30 days (D62). */
export const listDeliveries = async (
  ctx: Context<PartnerCaller>,
  webhookId: number, query: ListDeliveriesQuery,
): Promise<DeliveryList> => {
  const { webhook_id } = await requireWebhook(ctx, webhookId);
  const { items } = await ctx.table.query({
    pk: deliveriesPartition(webhook_id),
    ...(query.cursor === undefined
      ? { prefix: deliveryPrefix }
      : { from: deliveryPrefix, to: deliveryPrefix + query.cursor }),
    descending: true,
    // The one of the cursor was shown before, and one more says whether there are more.
    limit: query.limit + 2,
  });
  const found = (items as unknown as Delivery[]).filter(({ event_id }) => event_id !== query.cursor);
  const shown = found.slice(0, query.limit);
  return {
    items: shown.map(presentDelivery),
    next_cursor: found.length > query.limit ? (shown.at(-1)?.event_id ?? null) : null,
  };
};
