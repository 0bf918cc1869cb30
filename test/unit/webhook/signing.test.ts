import { Webhook as Verifier } from 'standardwebhooks';
import { describe, expect, it } from 'vitest';
import { verifyWebhook } from '../../../client/src/index.ts';
import { newSecret, rotateSecrets, signedHeaders } from '../../../shared/domain/webhook/attempt.ts';
import { machineClock } from '../../../shared/platform/clock.ts';

const body = JSON.stringify({ event_type: 'booking.created', data: { id: 17 }, name: 'Trần Thị Bình 🏡' });
const hour = 3_600_000;
const moment = (now: number) => ({ now, signedAt: machineClock.now() });

const verified = (secret: string, headers: Record<string, string>, rawBody: string): Promise<unknown> =>
  verifyWebhook(secret, headers, rawBody);

describe('a signature', () => {
  const secret = newSecret();
  const headers = signedHeaders({ secrets: [secret] }, 'evt_1', body, moment(0));

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
    const secrets = rotateSecrets([old], next, 0);
    const both = signedHeaders({ secrets }, 'evt_1', body, moment(24 * hour - 1));
    for (const { text } of [old, next]) expect(await verified(text, both, body)).toBeTruthy();
    const later = signedHeaders({ secrets }, 'evt_1', body, moment(24 * hour));
    await expect(verified(old.text, later, body)).rejects.toThrow();
    expect(await verified(next.text, later, body)).toBeTruthy();
  });
});

describe('a rotation', () => {
  it('never lengthens the life of a secret that was rotated before', () => {
    const [first, second, third] = [newSecret(), newSecret(), newSecret()];
    const secrets = rotateSecrets(rotateSecrets([first], second, 0), third, 10 * hour);
    expect(secrets).toEqual([
      third,
      { text: second.text, signs_until: 34 * hour },
      { text: first.text, signs_until: 24 * hour },
    ]);
    expect(rotateSecrets(secrets, newSecret(), 30 * hour)).toHaveLength(3);
  });
});
