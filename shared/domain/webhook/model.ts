export {
  type AddressCheck,
  type AppendDependencies,
  type DeliveryDependencies,
  DeliveryEntity,
  type DeliveryMessage,
  type SendingDependencies,
} from './delivery.store.ts';
export { EventPageEntity } from './event-page.entity.ts';
export { partnerData, partnerExampleOf } from './partner-event.schema.ts';
export { webhookEvents } from './webhook.events.ts';
export { SubscriberEntity, WebhookCountEntity, WebhookEntity } from './webhook.store.ts';
