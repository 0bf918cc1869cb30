export { appendEvent } from './append-event.ts';
export { webhookPoster } from './attempt.ts';
export { deliver } from './deliver.ts';
export { listDeliveries, redeliver, testWebhook } from './deliveries.ts';
export { type EnqueueDependencies, enqueueDueDeliveries } from './enqueue-due-deliveries.ts';
export { readEvents, readTeamEvents } from './read-events.ts';
export {
  createWebhook,
  deleteWebhook,
  getWebhook,
  listWebhooks,
  rotateSecret,
  updateWebhook,
} from './webhooks.ts';
