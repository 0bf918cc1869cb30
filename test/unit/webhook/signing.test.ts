import { Webhook as Verifier } from 'standardwebhooks';
import { describe, expect, it } from 'vitest';
import { verifyWebhook } from '../../../client/src/index.ts';
import { signedHeaders } from '../../../shared/domain/webhook/attempt.ts';
import {
  newSecret,
  rotateSecrets,
  type Secret,
  sealedSecret,
  signingSecrets,
} from '../../../shared/domain/webhook/webhook-secret.store.ts';
import type { StoredSecret } from '../../../shared/domain/webhook/webhook.store.ts';
import { machineClock } from '../../../shared/platform/time/clock.ts';
import { testSealing } from '../../support/sealing.ts';

const body = JSON.stringify({ event_type: 'booking.created', data: { id: 17 }, name: 'Trần Thị Bình 🏡' });
const hour = 3_600_000;
const sealer = { sealing: testSealing };
const ids = { webhook_id: 1 };
const signed = (...texts: string[]) => signedHeaders(texts, 'evt_1', body, machineClock.now());

const verified = (secret: string, headers: Record<string, string>, rawBody: string): Promise<unknown> =>
  verifyWebhook(secret, headers, rawBody);

describe('a signature', () => {
  const secret = newSecret();
  const headers = signed(secret.text);

  it('is verified by the library, and by the client', async () => {
    expect(new Verifier(secret.text).verify(body, headers)).toEqual(JSON.parse(body));
    expect(await verified(secret.text, headers, body)).toEqual(JSON.parse(body));
    expect(headers['content-length']).toBe(String(Buffer.byteLength(body)));
  });

  it('is refused by both for another body, id, time or secret', async () => {
    const wrong: [string, Record<string, string>, string][] = [
      [secret.text, headers, `${body} `],
      [secret.text, { ...headers, 'webhook-id': 'evt_2' }, body],
      [
        secret.text,
        { ...headers, 'webhook-timestamp': String(Number(headers['webhook-timestamp']) - 1) },
        body,
      ],
      [secret.text, { ...headers, 'webhook-timestamp': '1' }, body],
      [secret.text, { ...headers, 'webhook-signature': 'v1,AAAA' }, body],
      [newSecret().text, headers, body],
    ];
    for (const [text, given, raw] of wrong) {
      expect(() => new Verifier(text).verify(raw, given)).toThrow();
      await expect(verified(text, given, raw)).rejects.toThrow();
    }
  });

  it('is there for each secret that signs', async () => {
    const [old, next] = [newSecret(), newSecret()];
    const secrets = await rotateSecrets(
      sealer,
      { ...ids, secrets: [await sealedSecret(sealer, ids, old)] },
      next,
      0,
    );
    const at = async (now: number) => signed(...(await signingSecrets(sealer, { ...ids, secrets }, now)));
    const both = await at(24 * hour - 1);
    for (const { text } of [old, next]) expect(await verified(text, both, body)).toBeTruthy();
    const later = await at(24 * hour);
    await expect(verified(old.text, later, body)).rejects.toThrow();
    expect(await verified(next.text, later, body)).toBeTruthy();
  });
});

describe('a rotation', () => {
  it('encrypts each secret, and never lengthens the life of one that was rotated before', async () => {
    const [first, second, third] = [newSecret(), newSecret(), newSecret()];
    const rotated = (secrets: readonly StoredSecret[], next: Secret, now: number) =>
      rotateSecrets(sealer, { ...ids, secrets: [...secrets] }, next, now);
    // The first is of a version that did not encrypt.
    const secrets = await rotated(await rotated([first], second, 0), third, 10 * hour);
    expect(secrets.map(({ signs_until }) => signs_until)).toEqual([null, 34 * hour, 24 * hour]);
    expect(JSON.stringify(secrets)).not.toContain('text');
    const texts = [third, second, first].map(({ text }) => text);
    expect(await signingSecrets(sealer, { ...ids, secrets }, 10 * hour)).toEqual(texts);
    expect(await signingSecrets(sealer, { webhook_id: 2, secrets }, 10 * hour)).toEqual([]);
    expect(await rotated(secrets, newSecret(), 30 * hour)).toHaveLength(3);
  });
});
