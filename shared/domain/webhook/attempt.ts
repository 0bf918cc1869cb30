import { randomUUID } from 'node:crypto';
import { Webhook as Signer } from 'standardwebhooks';
import { instantText } from '../../platform/time/clock.ts';
import { fetchOutgoing, OutgoingFailure, RefusedAddress } from '../../platform/outgoing/index.ts';
import { firstEnqueueMs } from './webhook-retry.rules.ts';
import {
  type Attempt,
  type Delivery,
  type PostWebhook,
  type SendingDependencies,
  deliveryShardOf,
} from './delivery.store.ts';
import type { PartnerEvent } from './partner-event.schema.ts';
import { signingSecrets } from './webhook-secret.store.ts';
import type { Subscriber, Webhook } from './webhook.store.ts';

type DeliverableEvent = Omit<PartnerEvent, 'event_type'> & Pick<Delivery, 'event_type'>;

/** Returns a new delivery. */
export const deliveryOf = (
  { webhook_id, key_id }: Pick<Subscriber, 'webhook_id' | 'key_id'>,
  { event_type, data, id, occurred_at, team_id }: DeliverableEvent,
  now: number,
): Delivery => ({
  webhook_id,
  key_id,
  event_id: id,
  event_type,
  team_id,
  data: JSON.stringify(data),
  occurred_at,
  state: 'PENDING',
  attempts: [],
  tries: 0,
  due_at: now,
  look_at: now + firstEnqueueMs,
  shard: deliveryShardOf(id),
  claimed_until: 0,
  version: 1,
  claim: 'new',
  created_at: instantText(now),
});

/** Returns the body of a delivery: the event as partners see it (D62). */
const bodyOf = ({ event_type, data, event_id, occurred_at, team_id, body }: Delivery): string =>
  body ??
  JSON.stringify({
    event_type,
    data: JSON.parse(data ?? '{}') as object,
    id: event_id,
    occurred_at,
    team_id,
  });

/** Returns the headers of the Standard Webhooks specification, with a signature for each secret; `signedAt` is the real time. */
export const signedHeaders = (
  secrets: readonly string[],
  id: string,
  body: string,
  signedAt: number,
): Record<string, string> => ({
  'content-type': 'application/json; charset=utf-8',
  'content-length': String(Buffer.byteLength(body)),
  'webhook-id': id,
  'webhook-timestamp': String(Math.floor(signedAt / 1000)),
  'webhook-signature': secrets.map((text) => new Signer(text).sign(id, new Date(signedAt), body)).join(' '),
});

/**
 * Returns a function that posts with a timeout of 10 seconds, to checked addresses only, without following redirects (D63).
 * @param isLocal - whether local addresses may be called too
 */
export const webhookPoster =
  (isLocal: () => boolean): PostWebhook =>
  (url, { headers, body }) =>
    fetchOutgoing(url, { method: 'POST', headers, body, local: isLocal(), maxRedirects: 0, bodyless: true });

const maxAttempts = 20;
const gone = 410;

/** Sends a delivery once and returns the result. Never throws for the receiver's behaviour. */
export const attempt = async (
  deps: SendingDependencies,
  webhook: Pick<Webhook, 'webhook_id' | 'url' | 'secrets'>,
  delivery: Delivery,
  kind: Attempt['kind'],
): Promise<Attempt> => {
  const { post, clock, signingClock } = deps;
  const startedAt = clock.now();
  const secrets = await signingSecrets(deps, webhook, startedAt);
  const body = bodyOf(delivery);
  const headers = signedHeaders(secrets, delivery.event_id, body, signingClock.now());
  const outcome =
    secrets.length === 0
      ? unsigned
      : await post(webhook.url, { headers, body }).then(({ status }) => outcomeOf(status), noResponse);
  return { at: instantText(startedAt), kind, ...outcome, duration_ms: Math.max(0, clock.now() - startedAt) };
};

type Outcome = Pick<Attempt, 'response_code' | 'error'>;

const outcomeOf = (status: number): Outcome => ({ response_code: status, error: problemOf(status) });

const unsigned: Outcome = {
  response_code: null,
  error: 'was not sent: its secret was lost; rotate it to get a new one',
};

/** Only 2xx is success. */
const problemOf = (status: number): string | null => {
  if (status >= 200 && status < 300) return null;
  if (status === gone) return 'answers 410 Gone: the endpoint wants no more events';
  if (status >= 300 && status < 400) return `redirects (${status}), which is not followed`;
  return `answers with status ${status}`;
};

const noResponse = (error: unknown): Outcome => {
  if (error instanceof RefusedAddress || error instanceof OutgoingFailure)
    return { response_code: null, error: error.message };
  throw error;
};

export const isDelivered = ({ error }: Attempt): boolean => error === null;
export const isGone = ({ response_code }: Attempt): boolean => response_code === gone;

/** Returns the delivery with another attempt; the latest attempts are kept. */
export const withAttempt = (delivery: Delivery, made: Attempt, changed: Partial<Delivery>): Delivery => ({
  ...delivery,
  attempts: [...delivery.attempts, made].slice(-maxAttempts),
  claimed_until: 0,
  claim: randomUUID(),
  version: delivery.version + 1,
  ...changed,
});
