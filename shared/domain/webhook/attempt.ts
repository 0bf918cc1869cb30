import { randomBytes, randomUUID } from 'node:crypto';
import { Webhook as Signer } from 'standardwebhooks';
import { instantText } from '../../platform/clock.ts';
import { fetchOutgoing, OutgoingFailure, RefusedAddress } from '../../platform/outgoing/index.ts';
import { dayMs } from '../../platform/time.ts';
import { firstEnqueueMs } from './webhook-retry.rules.ts';
import {
  type Attempt,
  type Delivery,
  type PostWebhook,
  type SendingDependencies,
  deliveryShardOf,
} from './delivery.store.ts';
import type { PartnerEvent } from './partner-event.schema.ts';
import type { Secret, Subscriber, Webhook } from './webhook.store.ts';

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

const secretBytes = 32;
/** How long an old secret keeps signing. */
export const overlapMs = dayMs;
/** The most secrets of a webhook that is rotated repeatedly within that time. */
const maxSecrets = 5;

export const newSecret = (): Secret => ({
  text: `whsec_${randomBytes(secretBytes).toString('base64')}`,
  signs_until: null,
});

/** Returns the secrets after a rotation: the old ones sign for another 24 hours (D62). */
export const rotateSecrets = (secrets: readonly Secret[], next: Secret, now: number): Secret[] =>
  [
    next,
    ...live(secrets, now).map(({ text, signs_until }) => ({
      text,
      signs_until: signs_until ?? now + overlapMs,
    })),
  ].slice(0, maxSecrets);

const live = (secrets: readonly Secret[], now: number): Secret[] =>
  secrets.filter(({ signs_until }) => signs_until === null || signs_until > now);

interface Moment {
  /** The service's clock, by which secrets expire. */
  now: number;
  /** The real time, which the signature contains. */
  signedAt: number;
}

/** Returns the headers of the Standard Webhooks specification, with a signature for each live secret. */
export const signedHeaders = (
  { secrets }: Pick<Webhook, 'secrets'>,
  id: string,
  body: string,
  { now, signedAt }: Moment,
): Record<string, string> => ({
  'content-type': 'application/json; charset=utf-8',
  'content-length': String(Buffer.byteLength(body)),
  'webhook-id': id,
  'webhook-timestamp': String(Math.floor(signedAt / 1000)),
  'webhook-signature': live(secrets, now)
    .map(({ text }) => new Signer(text).sign(id, new Date(signedAt), body))
    .join(' '),
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
  { post, clock, signingClock }: SendingDependencies,
  webhook: Pick<Webhook, 'url' | 'secrets'>,
  delivery: Delivery,
  kind: Attempt['kind'],
): Promise<Attempt> => {
  const startedAt = clock.now();
  const body = bodyOf(delivery);
  const moment = { now: startedAt, signedAt: signingClock.now() };
  const headers = signedHeaders(webhook, delivery.event_id, body, moment);
  const outcome = await post(webhook.url, { headers, body }).then(
    ({ status }) => outcomeOf(status),
    noResponse,
  );
  return { at: instantText(startedAt), kind, ...outcome, duration_ms: Math.max(0, clock.now() - startedAt) };
};

type Outcome = Pick<Attempt, 'response_code' | 'error'>;

const outcomeOf = (status: number): Outcome => ({ response_code: status, error: problemOf(status) });

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
