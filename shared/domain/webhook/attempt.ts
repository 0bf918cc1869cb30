import { randomBytes, randomUUID } from 'node:crypto';
import { Webhook as Signer } from 'standardwebhooks';
import { instantText } from '../../platform/clock.ts';
import { OutgoingFailure, RefusedAddress } from '../../platform/outgoing/index.ts';
import {
  type Attempt,
  type Delivery,
  firstLookMs,
  type SendingDependencies,
  shardOf,
} from './delivery.store.ts';
import type { PartnerEvent } from './partner-event.schema.ts';
import type { Secret, Subscriber, Webhook } from './webhook.store.ts';

type Told = Omit<PartnerEvent, 'event_type'> & Pick<Delivery, 'event_type'>;

/** A delivery that was not tried yet. */
export const deliveryOf = (
  { webhook_id, key_id }: Pick<Subscriber, 'webhook_id' | 'key_id'>,
  { event_type, data, id, occurred_at, team_id }: Told,
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
  look_at: now + firstLookMs,
  shard: shardOf(id),
  claimed_until: 0,
  version: 1,
  claim: 'new',
  created_at: instantText(now),
});

/** What is sent: the event as partners read it (D62). */
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
/** How long an old secret signs along. */
export const overlapMs = 24 * 3_600_000;
/** Who rotates again and again within the overlap keeps the latest of them. */
const mostSecrets = 5;

export const newSecret = (): Secret => ({
  text: `whsec_${randomBytes(secretBytes).toString('base64')}`,
  signs_until: null,
});

/** The secrets after a rotation: the old one signs along for 24 hours (D62). */
export const rotated = (secrets: readonly Secret[], next: Secret, now: number): Secret[] =>
  [
    next,
    ...live(secrets, now).map(({ text, signs_until }) => ({
      text,
      signs_until: signs_until ?? now + overlapMs,
    })),
  ].slice(0, mostSecrets);

const live = (secrets: readonly Secret[], now: number): Secret[] =>
  secrets.filter(({ signs_until }) => signs_until === null || signs_until > now);

interface Moment {
  /** The service's time, by which secrets end. */
  now: number;
  /** The receivers' time, which the signature carries. */
  signedAt: number;
}

/** The headers of the Standard Webhooks specification: a signature for each secret that signs at this moment. */
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

const mostKept = 20;
const gone = 410;

/** Sends a delivery once and says what came of it; whatever the receiver does, it does not fail. */
export const attempt = async (
  { post, clock, signingClock }: SendingDependencies,
  webhook: Pick<Webhook, 'url' | 'secrets'>,
  delivery: Delivery,
  kind: Attempt['kind'],
): Promise<Attempt> => {
  const begun = clock.now();
  const body = bodyOf(delivery);
  const moment = { now: begun, signedAt: signingClock.now() };
  const headers = signedHeaders(webhook, delivery.event_id, body, moment);
  const outcome = await post(webhook.url, { headers, body }).then(({ status }) => judged(status), unanswered);
  return { at: instantText(begun), kind, ...outcome, duration_ms: Math.max(0, clock.now() - begun) };
};

type Outcome = Pick<Attempt, 'response_code' | 'error'>;

const judged = (status: number): Outcome => ({ response_code: status, error: problemOf(status) });

/** 2xx is success, and nothing else is. */
const problemOf = (status: number): string | null => {
  if (status >= 200 && status < 300) return null;
  if (status === gone) return 'answers 410 Gone: it wants no more';
  if (status >= 300 && status < 400) return `redirects (${status}), which is not followed`;
  return `answers with status ${status}`;
};

const unanswered = (error: unknown): Outcome => {
  if (error instanceof RefusedAddress || error instanceof OutgoingFailure)
    return { response_code: null, error: error.message };
  throw error;
};

export const arrived = ({ error }: Attempt): boolean => error === null;
export const isGone = ({ response_code }: Attempt): boolean => response_code === gone;

/** A delivery with another attempt on record: the latest ones are kept. */
export const withAttempt = (delivery: Delivery, made: Attempt, changed: Partial<Delivery>): Delivery => ({
  ...delivery,
  attempts: [...delivery.attempts, made].slice(-mostKept),
  claimed_until: 0,
  claim: randomUUID(),
  version: delivery.version + 1,
  ...changed,
});
