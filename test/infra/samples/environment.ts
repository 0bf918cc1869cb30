import { sampleWorld } from '../../../infra/samples/sample-world.ts';
import { systemClock } from '../../../shared/platform/time/clock.ts';

/** Returns the environment of functions that handle the samples; EventBridge, KMS, Secrets Manager, SES and SQS are at one address. */
export const sampleEnvironment = (services: string): Record<string, string> => ({
  CLOCK_OFFSET_MS: String(Date.parse(sampleWorld.now) - systemClock.now()),
  AWS_ENDPOINT_URL_EVENTBRIDGE: services,
  AWS_ENDPOINT_URL_SESV2: services,
  AWS_ENDPOINT_URL_SQS: services,
  AWS_ENDPOINT_URL_SECRETS_MANAGER: services,
  AWS_ENDPOINT_URL_KMS: services,
});
