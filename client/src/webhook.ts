import { jsonOf, WebhookVerificationError } from './errors.ts';
import type { VerifyOptions, WebhookHeaders } from './types.ts';

/** Libraries without the DOM have no name for it. */
type Key = Awaited<ReturnType<typeof crypto.subtle.importKey>>;

const defaultToleranceSeconds = 300;

/**
 * Returns the event of a webhook after its signature and its time were checked as Standard Webhooks says. Throws
 * WebhookVerificationError. While a secret is being rotated the header carries several signatures: one has to fit.
 */
export const verifyWebhook = async (
  secret: string,
  headers: WebhookHeaders,
  rawBody: string | Uint8Array | ArrayBuffer,
  { toleranceSeconds = defaultToleranceSeconds, now = Date.now }: VerifyOptions = {},
): Promise<unknown> => {
  const id = headerOf(headers, 'webhook-id');
  const timestamp = headerOf(headers, 'webhook-timestamp');
  const signatures = headerOf(headers, 'webhook-signature');
  const distance = Math.abs(now() / 1000 - Number(timestamp));
  if (!/^\d+$/.test(timestamp) || distance > toleranceSeconds)
    throw new WebhookVerificationError('TIMESTAMP', 'The webhook is too old or too new.');
  const body = typeof rawBody === 'string' ? rawBody : new TextDecoder().decode(rawBody);
  const key = await keyOf(secret, 'verify');
  const signed = signedBytes(id, timestamp, rawBody);
  if (!(await anyFits(key, signatures, signed)))
    throw new WebhookVerificationError('SIGNATURE', 'No signature of the webhook fits the secret.');
  const event = jsonOf(body);
  if (typeof event !== 'object' || event === null)
    throw new WebhookVerificationError('BODY', 'The body of the webhook is not an event.');
  return event;
};

/** Returns the headers of a signed webhook, for tests of an endpoint. */
export const signWebhook = async (
  secret: string,
  { id, body, now = Date.now }: { id: string; body: string; now?: (() => number) | undefined },
): Promise<Record<'webhook-id' | 'webhook-timestamp' | 'webhook-signature', string>> => {
  const timestamp = String(Math.floor(now() / 1000));
  const key = await keyOf(secret, 'sign');
  const signature = await crypto.subtle.sign('HMAC', key, signedBytes(id, timestamp, body));
  return {
    'webhook-id': id,
    'webhook-timestamp': timestamp,
    'webhook-signature': `v1,${btoa(String.fromCharCode(...new Uint8Array(signature)))}`,
  };
};

const headerOf = (headers: WebhookHeaders, name: string): string => {
  const value =
    headers instanceof Headers
      ? headers.get(name)
      : Object.entries(headers).find(([one]) => one.toLowerCase() === name)?.[1];
  const text = typeof value === 'string' ? value : value?.[0];
  if (!text) throw new WebhookVerificationError('MISSING_HEADER', `The header ${name} is missing.`);
  return text;
};

const signedBytes = (
  id: string,
  timestamp: string,
  body: string | Uint8Array | ArrayBuffer,
): Uint8Array<ArrayBuffer> => {
  const encoder = new TextEncoder();
  const head = encoder.encode(`${id}.${timestamp}.`);
  const tail = typeof body === 'string' ? encoder.encode(body) : new Uint8Array(body);
  const bytes = new Uint8Array(head.length + tail.length);
  bytes.set(head);
  bytes.set(tail, head.length);
  return bytes;
};

const keyOf = (secret: string, use: 'sign' | 'verify'): Promise<Key> => {
  const bytes = bytesOf(secret.replace(/^whsec_/, ''));
  if (!bytes?.length) throw new TypeError('The secret is not one of a webhook: whsec_ and base64.');
  return crypto.subtle.importKey('raw', bytes, { name: 'HMAC', hash: 'SHA-256' }, false, [use]);
};

/** Whether a signature fits; `verify` compares in constant time. */
const anyFits = async (key: Key, signatures: string, signed: Uint8Array<ArrayBuffer>): Promise<boolean> => {
  for (const text of signatures.split(' ')) {
    const signature = text.startsWith('v1,') ? bytesOf(text.slice(3)) : undefined;
    if (signature && (await crypto.subtle.verify('HMAC', key, signature, signed))) return true;
  }
  return false;
};

/** Returns the bytes of a base64 text; undefined if it is none. */
const bytesOf = (text: string): Uint8Array<ArrayBuffer> | undefined => {
  try {
    return Uint8Array.from(atob(text), (sign) => sign.charCodeAt(0));
  } catch {
    return undefined;
  }
};
