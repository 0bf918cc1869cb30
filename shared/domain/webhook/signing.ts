import { randomBytes } from 'node:crypto';
import { Webhook as Signer } from 'standardwebhooks';
import type { Secret, Webhook } from './webhook.entity.ts';

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
