export { clientOf } from './client.ts';
export { NightlatchConnectionError, NightlatchError, WebhookVerificationError } from './errors.ts';
export { signWebhook, verifyWebhook } from './webhook.ts';
