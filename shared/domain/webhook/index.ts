export { createWebhook } from './create-webhook.ts';
export { deleteWebhook } from './delete-webhook.ts';
export { deliver } from './deliver.ts';
export { deliveringHere, deliveryWorker } from './delivery-worker.ts';
export {
  type AddressCheck,
  type DeliveringDependencies,
  type DeliveryMessage,
  type AppendDependencies,
  isLocal,
  postHere,
  type PostWebhook,
  type SendingDependencies,
} from './dependencies.ts';
export { appendEvent } from './enter-event.ts';
export { listDeliveries } from './list-deliveries.ts';
export { getWebhook, listWebhooks } from './list-webhooks.ts';
export { readEvents } from './read-events.ts';
export { enqueueDueDeliveries, type EnqueueDependencies } from './bring-due-deliveries.ts';
export { rotateSecret } from './rotate-secret.ts';
export { redeliver, testWebhook } from './send-now.ts';
export { updateWebhook } from './update-webhook.ts';
