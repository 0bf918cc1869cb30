import { equals, put, sortable, type Table, type Write } from '../../platform/table/index.ts';
import { type Delivery, DeliveryEntity, duePartition } from './delivery.entity.ts';
import type { DeliveryMessage } from './dependencies.ts';
import { type Webhook, WebhookEntity } from './webhook.entity.ts';

/** A delivery and its webhook, each if it is there, in one round trip. */
export const readWithWebhook = async (
  table: Table,
  ids: DeliveryMessage,
): Promise<[Delivery | undefined, Webhook | undefined]> =>
  (await table.getAll([{ key: DeliveryEntity.key(ids) }, { key: WebhookEntity.key(ids) }])) as [
    Delivery | undefined,
    Webhook | undefined,
  ];

/** A delivery's next state, if it is still as it was read. */
export const asItStands = (after: Delivery, before: Pick<Delivery, 'version'>): Write =>
  put(DeliveryEntity, after, { when: equals('version', before.version) });

/** What names a delivery in a queue. */
export const messageOf = ({ key_id, webhook_id, event_id }: DeliveryMessage): DeliveryMessage => ({
  key_id,
  webhook_id,
  event_id,
});

/** The deliveries that are due in one part of the list, page after page; the index may lag a moment. */
export async function* dueDeliveries(table: Table, shard: number, now: number): AsyncGenerator<Delivery[]> {
  let after: Record<string, unknown> | undefined;
  do {
    const page = await table.query({
      index: 'by_audience',
      pk: duePartition(shard),
      to: `${sortable(now)}~`,
      limit: 100,
      ...(after ? { after } : {}),
    });
    yield page.items as unknown as Delivery[];
    after = page.next;
  } while (after);
}
