import { Webhook } from 'standardwebhooks';
import { describe, expect, it } from 'vitest';
import { signWebhook, verifyWebhook, WebhookVerificationError } from '../../../client/src/index.ts';
import type { VerifyOptions, WebhookHeaders } from '../../../client/src/types.ts';

const secret = 'whsec_MfKQ9r8GKYqrTwjUPD8ILPZIo2LaLaSwMfKQ9r8GKYo=';
const other = 'whsec_b3RoZXJvdGhlcm90aGVyb3RoZXJvdGhlcm8=';
const id = 'evt_mjx0d2k9c000a1b2c3d4e5f6a';
const at = new Date('2027-01-15T03:00:00.000Z');
const event = { event_type: 'booking.created', data: { id: 17, note: 'Trần Thị Bình' }, id };
const body = JSON.stringify(event);

/** Headers as the service makes them: by the library of Standard Webhooks. */
const headersBy = (...secrets: string[]) => ({
  'webhook-id': id,
  'webhook-timestamp': String(at.getTime() / 1000),
  'webhook-signature': secrets.map((one) => new Webhook(one).sign(id, at, body)).join(' '),
});
const verify = (
  headers: WebhookHeaders,
  rawBody: string | Uint8Array | ArrayBuffer = body,
  options: VerifyOptions = {},
) => verifyWebhook(secret, headers, rawBody, { now: () => at.getTime(), ...options });
const problemOf = (verified: Promise<unknown>) =>
  verified.then(
    () => undefined,
    (error: unknown) => (error instanceof WebhookVerificationError ? error.problem : error),
  );

describe('a webhook', () => {
  it('is verified with the signature of the library that signs them', async () => {
    expect(await verify(headersBy(secret))).toEqual(event);
  });

  it('is signed as that library verifies it', async () => {
    const now = performance.timeOrigin + performance.now();
    const headers = await signWebhook(secret, { id, body, now: () => now });
    expect(new Webhook(secret).verify(body, headers)).toEqual(event);
  });

  it('is accepted in every form of headers and body', async () => {
    const headers = headersBy(secret);
    const bytes = new TextEncoder().encode(body);
    const upper = Object.fromEntries(
      Object.entries(headers).map(([name, value]) => [name.toUpperCase(), [value]]),
    );
    for (const form of [headers, upper, new Headers(headers)])
      for (const raw of [body, bytes, bytes.buffer, Buffer.from(body)])
        expect(await verify(form, raw)).toEqual(event);
  });

  it('is accepted while its secret is rotated, with two signatures in either order', async () => {
    for (const secrets of [
      [secret, other],
      [other, secret],
    ])
      expect(await verify(headersBy(...secrets))).toEqual(event);
  });

  it('is refused with the signature of another secret, another version or none', async () => {
    const headers = headersBy(secret);
    const signatures = [
      headersBy(other)['webhook-signature'],
      headers['webhook-signature'].replace('v1,', 'v2,'),
      headers['webhook-signature'].replace('v1,', ''),
      headers['webhook-signature'].slice(0, -4),
      'v1,',
      'v1,%%%',
    ];
    for (const signature of signatures)
      expect(await problemOf(verify({ ...headers, 'webhook-signature': signature })), signature).toBe(
        'SIGNATURE',
      );
  });

  it('is refused with another body, id or time than were signed', async () => {
    const headers = headersBy(secret);
    expect(await problemOf(verify(headers, `${body} `))).toBe('SIGNATURE');
    expect(await problemOf(verify({ ...headers, 'webhook-id': 'evt_other' }))).toBe('SIGNATURE');
    const later = String(at.getTime() / 1000 + 1);
    expect(await problemOf(verify({ ...headers, 'webhook-timestamp': later }))).toBe('SIGNATURE');
  });

  it.each([
    [300, undefined],
    [301, 'TIMESTAMP'],
    [-300, undefined],
    [-301, 'TIMESTAMP'],
  ])('that is %i s old is judged %s', async (seconds, problem) => {
    const now = () => at.getTime() + seconds * 1000;
    expect(await problemOf(verify(headersBy(secret), body, { now }))).toBe(problem);
  });

  it('may be allowed to be older', async () => {
    const now = () => at.getTime() + 3_600_000;
    expect(
      await problemOf(verify(headersBy(secret), body, { now, toleranceSeconds: 3_600 })),
    ).toBeUndefined();
  });

  it.each(['', 'soon', '1e9', '-1', 'NaN'])('is refused with %j for a time', async (text) => {
    const problem = await problemOf(verify({ ...headersBy(secret), 'webhook-timestamp': text }));
    expect(problem).toBe(text === '' ? 'MISSING_HEADER' : 'TIMESTAMP');
  });

  it.each(['webhook-id', 'webhook-timestamp', 'webhook-signature'])('is refused without %s', async (name) => {
    expect(await problemOf(verify({ ...headersBy(secret), [name]: undefined }))).toBe('MISSING_HEADER');
  });

  it('is refused where its body is no event', async () => {
    for (const text of ['7', 'null', 'not JSON']) {
      const headers = await signWebhook(secret, { id, body: text, now: () => at.getTime() });
      expect(await problemOf(verify(headers, text))).toBe('BODY');
    }
  });

  it('cannot be checked with a secret that is none', async () => {
    await expect(
      verifyWebhook('whsec_', headersBy(secret), body, { now: () => at.getTime() }),
    ).rejects.toThrow('The secret is not one of a webhook');
  });
});
