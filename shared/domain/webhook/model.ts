export {
  type AddressCheck,
  type AppendDependencies,
  type Delivery,
  type DeliveryDependencies,
  DeliveryEntity,
  type DeliveryMessage,
  deliveryShards,
  type SendingDependencies,
} from './delivery.store.ts';
export { type EventPage, EventPageEntity, type FeedEntry, pageKeptMs } from './event-page.entity.ts';
export { readPagesSince } from './event-pages.store.ts';
export { partnerData, partnerExampleOf } from './partner-event.schema.ts';
export { sealWebhook } from './webhook-secret.store.ts';
export { enqueueDelayMs, retryDelayMs } from './webhook-retry.rules.ts';
export { webhookEvents } from './webhook.events.ts';
export {
  SubscriberEntity,
  SubscriptionCountEntity,
  WebhookCountEntity,
  WebhookEntity,
} from './webhook.store.ts';
