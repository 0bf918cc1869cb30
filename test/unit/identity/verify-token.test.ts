import { createHmac, generateKeyPairSync, randomUUID, sign, type KeyObject } from 'node:crypto';
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { systemClock } from '../../../shared/platform/time/clock.ts';
import { createTokenVerifier } from '../../../shared/platform/identity/index.ts';
import { codeOf } from '../../support/identity-contract.ts';

const issuer = 'https://tenant.example/';
const audience = 'https://api.nightlatch.test';
const start = Date.parse('2026-11-20T10:00:00Z');

const makeKey = (kid: string) => {
  const { privateKey, publicKey } = generateKeyPairSync('rsa', { modulusLength: 2048 });
  const jwk = { ...publicKey.export({ format: 'jwk' }), kid, use: 'sig', alg: 'RS256' };
  return { kid, privateKey, publicKey, jwk };
};
const key = makeKey('key-1');
const stranger = makeKey('key-1');

const encode = (value: unknown) => Buffer.from(JSON.stringify(value)).toString('base64url');
const seconds = () => Math.floor(systemClock.now() / 1000);
const claims = (change: object = {}) => ({
  iss: issuer,
  aud: [audience, `${issuer}userinfo`],
  sub: 'auth0|1',
  iat: seconds(),
  exp: seconds() + 86_400,
  ...change,
});
const rs256 = (signingKey: KeyObject) => (text: string) =>
  sign('RSA-SHA256', Buffer.from(text), signingKey).toString('base64url');
const makeToken = (
  payload: object = claims(),
  header: object = {},
  signText: (text: string) => string = rs256(key.privateKey),
) => {
  const text = `${encode({ alg: 'RS256', typ: 'at+jwt', kid: key.kid, ...header })}.${encode(payload)}`;
  return `${text}.${signText(text)}`;
};

/** A JWKS address that counts its visits and can be down or changed. */
const createJwks = () => {
  const state = { fetches: 0, isDown: false, keys: [key.jwk] as object[] };
  const fetcher = {
    fetch: async () => {
      state.fetches += 1;
      await Promise.resolve();
      if (state.isDown) throw new TypeError('fetch failed');
      return new TextEncoder().encode(JSON.stringify({ keys: state.keys })).buffer;
    },
  };
  const verify = createTokenVerifier({
    issuer,
    audience,
    jwksUri: `${issuer}jwks`,
    allowHttp: false,
    fetcher,
  });
  return { state, verify };
};

beforeEach(() => {
  vi.useFakeTimers({ now: start });
});
afterEach(() => {
  vi.useRealTimers();
});

describe('a good token', () => {
  it('says who the caller is', async () => {
    const { verify } = createJwks();
    expect(await verify(makeToken())).toEqual({ subject: 'auth0|1', claims: claims() });
    expect((await verify(makeToken(claims({ aud: audience, nbf: seconds() })))).subject).toBe('auth0|1');
  });
});

describe('attacks', () => {
  const publicPem = key.publicKey.export({ type: 'spki', format: 'pem' });
  const hmac = (secret: string | Buffer) => (text: string) =>
    createHmac('sha256', secret).update(text).digest('base64url');
  const elliptic = generateKeyPairSync('ec', { namedCurve: 'P-256' });
  const attacks: [string, () => string][] = [
    ['no signature (alg none)', () => makeToken(claims(), { alg: 'none' }, () => '')],
    ['alg none with a signature', () => makeToken(claims(), { alg: 'none' })],
    ['alg NONE in capitals', () => makeToken(claims(), { alg: 'NoNe' })],
    ['HS256 with the public key as secret', () => makeToken(claims(), { alg: 'HS256' }, hmac(publicPem))],
    [
      'HS256 with the modulus as secret',
      () => makeToken(claims(), { alg: 'HS256' }, hmac(Buffer.from(key.jwk.n ?? '', 'base64url'))),
    ],
    [
      'RS384',
      () =>
        makeToken(claims(), { alg: 'RS384' }, (text) =>
          sign('RSA-SHA384', Buffer.from(text), key.privateKey).toString('base64url'),
        ),
    ],
    ['PS256', () => makeToken(claims(), { alg: 'PS256' })],
    [
      'ES256',
      () =>
        makeToken(claims(), { alg: 'ES256' }, (text) =>
          sign('sha256', Buffer.from(text), elliptic.privateKey).toString('base64url'),
        ),
    ],
    ['no alg', () => makeToken(claims(), { alg: undefined })],
    ['signed by another key with the same kid', () => makeToken(claims(), {}, rs256(stranger.privateKey))],
    ['embedded jwk', () => makeToken(claims(), { jwk: stranger.jwk }, rs256(stranger.privateKey))],
    [
      'embedded jwk without a kid',
      () => makeToken(claims(), { kid: undefined, jwk: stranger.jwk }, rs256(stranger.privateKey)),
    ],
    [
      'jku to another server',
      () => makeToken(claims(), { jku: 'https://evil.example/jwks' }, rs256(stranger.privateKey)),
    ],
    ['critical extension', () => makeToken(claims(), { crit: ['exp'] })],
    ['unknown kid', () => makeToken(claims(), { kid: 'other' })],
    ['kid as a path', () => makeToken(claims(), { kid: '../../dev/null' })],
    ['kid __proto__', () => makeToken(claims(), { kid: '__proto__' })],
    ['no kid', () => makeToken(claims(), { kid: undefined })],
    ['other issuer', () => makeToken(claims({ iss: 'https://evil.example/' }))],
    ['issuer without its slash', () => makeToken(claims({ iss: issuer.slice(0, -1) }))],
    ['no issuer', () => makeToken(claims({ iss: undefined }))],
    ['other audience', () => makeToken(claims({ aud: 'https://other.example' }))],
    ['Management API', () => makeToken(claims({ aud: `${issuer}api/v2/` }))],
    ['no audience', () => makeToken(claims({ aud: undefined }))],
    ['ID token', () => makeToken(claims({ aud: 'client-id', nonce: 'x' }), { typ: 'JWT' })],
    ['token of a machine', () => makeToken(claims({ sub: 'client@clients', gty: 'client-credentials' }))],
    ['expired', () => makeToken(claims({ exp: seconds() - 1 }))],
    ['never expiring', () => makeToken(claims({ exp: undefined }))],
    ['expiry as text', () => makeToken(claims({ exp: '9999999999' }))],
    ['not yet valid', () => makeToken(claims({ nbf: seconds() + 60 }))],
    ['no subject', () => makeToken(claims({ sub: undefined }))],
    ['empty subject', () => makeToken(claims({ sub: '' }))],
    ['changed payload', () => makeToken().replace(/\.[^.]+\./, `.${encode(claims({ sub: 'auth0|2' }))}.`)],
    ['changed signature', () => `${makeToken().slice(0, -8)}AAAAAAAA`],
    ['signature removed', () => makeToken().replace(/[^.]+$/, '')],
    ['two parts', () => makeToken().replace(/\.[^.]+$/, '')],
    ['five parts', () => `${makeToken()}.x.y`],
    ['empty', () => ''],
    ['line breaks', () => `${makeToken()}\n`],
    ['payload that is a list', () => makeToken([])],
    ['payload that is no JSON', () => `${encode({ alg: 'RS256', kid: key.kid })}.AAAA.AAAA`],
    ['100 KB', () => makeToken(claims({ padding: 'x'.repeat(100_000) }))],
    ['8 KB and a little', () => makeToken(claims({ padding: 'x'.repeat(6200) }))],
  ];

  it.each(attacks)('are refused: %s', async (_, attack) => {
    const { verify } = createJwks();
    await verify(makeToken());
    expect(await codeOf(verify(attack()))).toBe('UNAUTHORIZED');
  });

  it.each(['100 KB', 'no signature (alg none)', 'HS256 with the public key as secret', 'empty'])(
    'cause no JWKS fetch: %s',
    async (name) => {
      const { state, verify } = createJwks();
      const [, attack = () => ''] = attacks.find(([title]) => title === name) ?? [];
      expect(await codeOf(verify(attack()))).toBe('UNAUTHORIZED');
      expect(state.fetches).toBe(0);
    },
  );

  it('are refused also when the key does not name its algorithm', async () => {
    const { state, verify } = createJwks();
    state.keys = [{ ...key.jwk, alg: undefined }];
    await verify(makeToken());
    const [, attack = () => ''] = attacks.find(([title]) => title === 'RS384') ?? [];
    expect(await codeOf(verify(attack()))).toBe('UNAUTHORIZED');
  });

  it('does not say why', async () => {
    const { verify } = createJwks();
    const messages = await Promise.all(
      [makeToken(claims({ exp: 1 })), makeToken(claims(), { alg: 'none' })].map((token) =>
        verify(token).catch((error: unknown) => (error as Error).message),
      ),
    );
    expect(new Set(messages).size).toBe(1);
  });
});

describe('unknown kids', () => {
  const random = () => makeToken(claims(), { kid: randomUUID() }, () => 'AAAA');

  it('cause at most one fetch in ten seconds, while good tokens go on working', async () => {
    const { state, verify } = createJwks();
    await verify(makeToken());
    state.fetches = 0;
    for (let count = 0; count < 1000; count += 1) {
      expect(await codeOf(verify(random()))).toBe('UNAUTHORIZED');
      if (count % 100 === 0) expect((await verify(makeToken())).subject).toBe('auth0|1');
    }
    expect(state.fetches).toBe(1);
    vi.advanceTimersByTime(9999);
    await codeOf(verify(random()));
    expect(state.fetches).toBe(1);
    vi.advanceTimersByTime(1);
    await codeOf(verify(random()));
    expect(state.fetches).toBe(2);
  });

  it('cause one fetch when they come all at once, also to a process that has no keys yet', async () => {
    const { state, verify } = createJwks();
    await Promise.all(Array.from({ length: 1000 }, () => codeOf(verify(random()))));
    expect(state.fetches).toBe(1);
    expect((await verify(makeToken())).subject).toBe('auth0|1');
    expect(state.fetches).toBe(1);
  });

  it('cause one fetch in ten seconds also while the provider is down', async () => {
    const { state, verify } = createJwks();
    await verify(makeToken());
    state.isDown = true;
    for (let count = 0; count < 50; count += 1) await codeOf(verify(random()));
    expect(state.fetches).toBe(2);
    expect((await verify(makeToken())).subject).toBe('auth0|1');
  });

  it('bring a new key in as soon as it is published', async () => {
    const { state, verify } = createJwks();
    await verify(makeToken());
    const next = makeKey('key-2');
    state.keys = [key.jwk, next.jwk];
    expect((await verify(makeToken(claims(), { kid: 'key-2' }, rs256(next.privateKey)))).subject).toBe(
      'auth0|1',
    );
  });
});

describe('keys', () => {
  const day = 86_400_000;

  it('go on working while the provider is down', async () => {
    const { state, verify } = createJwks();
    await verify(makeToken());
    state.isDown = true;
    vi.advanceTimersByTime(3 * day);
    expect((await verify(makeToken())).subject).toBe('auth0|1');
    const fetches = state.fetches;
    await verify(makeToken());
    expect(state.fetches).toBe(fetches);
  });

  it('go on working when the provider answers an empty set or nonsense', async () => {
    const { state, verify } = createJwks();
    await verify(makeToken());
    for (const keys of [[], [{ kty: 1 }]]) {
      state.keys = keys;
      vi.advanceTimersByTime(day);
      expect((await verify(makeToken())).subject).toBe('auth0|1');
    }
  });

  it('end within an hour once they are withdrawn', async () => {
    const { state, verify } = createJwks();
    await verify(makeToken());
    state.keys = [makeKey('key-2').jwk];
    vi.advanceTimersByTime(3_600_000);
    expect(await codeOf(verify(makeToken()))).toBe('UNAUTHORIZED');
  });

  it('missing from the start are the fault of the provider, and fetched again after a second', async () => {
    const { state, verify } = createJwks();
    state.isDown = true;
    expect(await codeOf(verify(makeToken()))).toBe('IDENTITY_PROVIDER_UNAVAILABLE');
    expect(await codeOf(verify(makeToken()))).toBe('IDENTITY_PROVIDER_UNAVAILABLE');
    expect(state.fetches).toBe(1);
    state.isDown = false;
    vi.advanceTimersByTime(1000);
    expect((await verify(makeToken())).subject).toBe('auth0|1');
  });
});

describe('the JWKS address', () => {
  const make = (jwksUri: string, allowHttp: boolean) =>
    createTokenVerifier({ issuer, audience, jwksUri, allowHttp });

  it('is https, or loopback when http is allowed', async () => {
    expect(() => make('http://127.0.0.1:1/jwks', false)).toThrow('https');
    const away = make('http://tenant.example/jwks', true);
    expect(await codeOf(away(makeToken()))).toBe('IDENTITY_PROVIDER_UNAVAILABLE');
  });
});
