import { randomUUID } from 'node:crypto';
import { instantText } from '../../platform/clock.ts';
import { OutgoingFailure, RefusedAddress } from '../../platform/outgoing/index.ts';
import type { Attempt, Delivery } from './delivery.entity.ts';
import { bodyOf } from './delivery-of.ts';
import type { SendingDependencies } from './dependencies.ts';
import { signedHeaders } from './signing.ts';
import type { Webhook } from './webhook.entity.ts';

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
