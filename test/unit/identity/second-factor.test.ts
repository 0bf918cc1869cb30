import { createHash, randomBytes } from 'node:crypto';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { RunningIdentityProvider } from '../../../infra/local/identity/index.ts';
import { totpCode } from '../../../infra/local/identity/totp.ts';
import { fixedClock } from '../../../shared/platform/time/clock.ts';
import { createAuth0 } from '../../../shared/platform/identity/index.ts';
import {
  audience,
  callsOf,
  client,
  configOf,
  createBrowser,
  start,
  verifierOf,
} from '../../support/embedded-identity.ts';
import { codeOf, strongPassword } from '../../support/identity-contract.ts';

const clock = fixedClock('2027-01-15T03:00:00Z');
const hosts = { client_id: 'application-for-hosts', client_secret: 'its-secret' };
const pages = { client_id: 'pages-of-the-test' };
const otpGrant = 'http://auth0.com/oauth/grant-type/mfa-otp';
const stepMs = 30_000;

let provider: RunningIdentityProvider;
beforeAll(async () => {
  const secondFactorFor = [hosts.client_id, pages.client_id];
  provider = await start({ clock, clients: [client, hosts, pages], secondFactorFor });
});
afterAll(() => provider.stop());
const { postJson, newcomer } = callsOf(() => provider);

type Person = Awaited<ReturnType<typeof newcomer>>;
type Answer = Record<string, string>;

const token = async (body: object): Promise<{ status: number; body: Answer }> => {
  const reply = await postJson('/oauth/token', body);
  return { status: reply.status, body: (await reply.json()) as Answer };
};
const byPassword = ({ email: username, password }: Person, application = hosts, scope = 'openid email') =>
  token({ grant_type: 'password', username, password, audience, scope, ...application });
const byCode = (mfa_token: string | undefined, otp: string, application = hosts) =>
  token({ grant_type: otpGrant, mfa_token, otp, ...application });
const mfa = async (method: string, path: string, mfaToken: string | undefined, body?: object) => {
  const reply = await fetch(`${provider.url}/mfa/${path}`, {
    method,
    headers: { authorization: `Bearer ${mfaToken}`, 'content-type': 'application/json' },
    ...(body && { body: JSON.stringify(body) }),
  });
  return { status: reply.status, body: (await reply.json()) as Answer };
};
const associate = (mfaToken: string | undefined) =>
  mfa('POST', 'associate', mfaToken, { authenticator_types: ['otp'] });
const claimsOf = async ({ access_token }: Answer) => (await verifierOf(provider)(access_token ?? '')).claims;

/** Returns a person with an app, and the code that the app shows: always one that was not used. */
const enrolled = async () => {
  const person = await newcomer();
  const { mfa_token } = (await byPassword(person)).body;
  const { secret = '' } = (await associate(mfa_token)).body;
  const code = () => {
    clock.advance(stepMs);
    return totpCode(secret, clock.now());
  };
  expect((await byCode(mfa_token, code())).status).toBe(200);
  return { ...person, secret, code };
};
const begun = async (person: Person) => (await byPassword(person)).body['mfa_token'];

describe('the token endpoint', () => {
  it('asks for a code after the password, adds the app with the first, and says so in the token', async () => {
    const person = await newcomer();
    const asked = await byPassword(person, hosts, 'openid email offline_access nonsense');
    expect(asked).toMatchObject({ status: 403, body: { error: 'mfa_required' } });
    const { mfa_token } = asked.body;
    expect(await mfa('GET', 'authenticators', mfa_token)).toEqual({ status: 200, body: [] });
    const app = (await associate(mfa_token)).body;
    expect(app['barcode_uri']).toContain(`secret=${app['secret']}`);
    expect((await associate(mfa_token)).body).toEqual(app);

    const answer = await byCode(mfa_token, totpCode(app['secret'] ?? '', clock.now()));
    expect(answer).toMatchObject({ status: 200, body: { scope: 'openid email offline_access' } });
    const claims = { sub: person.subject, azp: hosts.client_id, [`${audience}/amr`]: ['mfa'] };
    expect(await claimsOf(answer.body)).toMatchObject(claims);

    const { refresh_token } = answer.body;
    const later = await token({ grant_type: 'refresh_token', refresh_token, ...hosts });
    expect(await claimsOf(later.body)).toMatchObject(claims);

    const again = await begun(person);
    expect((await mfa('GET', 'authenticators', again)).body).toMatchObject([{ authenticator_type: 'otp' }]);
    expect(await associate(again)).toMatchObject({ status: 403, body: { error: 'access_denied' } });
  });

  it('asks nothing for other applications, and their tokens do not claim it', async () => {
    const person = await enrolled();
    const answer = await byPassword(person, client);
    expect(answer.status).toBe(200);
    expect(await claimsOf(answer.body)).not.toHaveProperty(`${audience}/amr`);
  });

  it('refuses a wrong code, and one that was used', async () => {
    const person = await enrolled();
    const mfa_token = await begun(person);
    const code = person.code();
    const wrong = String((Number(code) + 1) % 1_000_000).padStart(6, '0');
    for (const otp of [wrong, code.slice(1), 'abcdef'])
      expect(await byCode(mfa_token, otp)).toEqual({
        status: 403,
        body: { error: 'invalid_grant', error_description: 'Invalid otp_code.' },
      });
    expect((await byCode(mfa_token, code)).status).toBe(200);
    expect((await byCode(mfa_token, person.code())).body).toMatchObject({ error: 'expired_token' });
    const earlier = totpCode(person.secret, clock.now() - stepMs);
    for (const otp of [code, earlier]) expect((await byCode(await begun(person), otp)).status).toBe(403);
  });

  it('takes the code of a clock that is one step behind or ahead, of two steps not', async () => {
    const person = await enrolled();
    const at = async (offset: number) => {
      clock.advance(10 * stepMs);
      return (await byCode(await begun(person), totpCode(person.secret, clock.now() + offset * stepMs)))
        .status;
    };
    expect(await at(-1)).toBe(200);
    expect(await at(1)).toBe(200);
    expect(await at(-2)).toBe(403);
    expect(await at(2)).toBe(403);
  });

  it('blocks after ten wrong codes for fifteen minutes, whichever sign-in they belong to', async () => {
    const person = await enrolled();
    for (let count = 0; count < 10; count += 1)
      expect((await byCode(await begun(person), 'wrong!')).status).toBe(403);
    expect(await byCode(await begun(person), person.code())).toMatchObject({
      status: 429,
      body: { error: 'too_many_attempts' },
    });
    clock.advance(15 * 60_000);
    expect((await byCode(await begun(person), person.code())).status).toBe(200);
  });

  it('takes the token of a sign-in for ten minutes, of its own application, with the same password', async () => {
    const person = await enrolled();
    const expired = { status: 401, body: { error: 'expired_token' } };
    const late = await begun(person);
    clock.advance(10 * 60_000 + 1);
    expect(await byCode(late, person.code())).toMatchObject(expired);
    expect(await mfa('GET', 'authenticators', late)).toMatchObject(expired);
    expect(await byCode(await begun(person), person.code(), client)).toMatchObject(expired);
    expect(await byCode('unknown', person.code())).toMatchObject(expired);
    expect((await byCode(undefined, person.code())).status).toBe(400);

    const before = await begun(person);
    const manager = await managementToken();
    await manage(manager, 'PATCH', person, '', { password: strongPassword() });
    expect(await byCode(before, person.code())).toMatchObject(expired);
    const blocked = await enrolled();
    const open = await begun(blocked);
    await manage(manager, 'PATCH', blocked, '', { blocked: true });
    expect(await byCode(open, blocked.code())).toMatchObject(expired);
  });

  it('refuses a code without an app, and an app of another kind', async () => {
    const mfa_token = await begun(await newcomer());
    expect((await byCode(mfa_token, '000000')).status).toBe(403);
    expect((await mfa('POST', 'associate', mfa_token, { authenticator_types: ['oob'] })).status).toBe(400);
    expect((await mfa('POST', 'challenge', mfa_token, {})).status).toBe(404);
  });

  it('answers a partner’s login that meets it with FORBIDDEN', async () => {
    const own = await start({ clock, secondFactorFor: [client.client_id] });
    const person = { email: 'chi@example.com', password: strongPassword(), email_verified: true };
    await own.createUser(person);
    expect(await codeOf(createAuth0(configOf(own), { clock }).passwordLogin(person))).toBe('FORBIDDEN');
    await own.stop();
  });
});

const managementToken = async () => {
  const machine = { grant_type: 'client_credentials', ...client, audience: provider.managementAudience };
  return (await token(machine)).body['access_token'];
};
const manage = (
  bearer: string | undefined,
  method: string,
  { subject }: { subject: string },
  path: string,
  body?: object,
) =>
  fetch(`${provider.url}/api/v2/users/${encodeURIComponent(subject)}${path}`, {
    method,
    headers: { authorization: `Bearer ${bearer}`, 'content-type': 'application/json' },
    ...(body && { body: JSON.stringify(body) }),
  });

it('a lost app is removed by the Management API, and the next sign-in adds another', async () => {
  const person = await enrolled();
  const manager = await managementToken();
  expect((await manage(undefined, 'DELETE', person, '/authenticators')).status).toBe(401);
  expect((await manage(manager, 'DELETE', { subject: 'auth0|unknown' }, '/authenticators')).status).toBe(404);
  expect((await manage(manager, 'DELETE', person, '/authenticators')).status).toBe(204);
  const { secret = '' } = (await associate(await begun(person))).body;
  expect(secret).not.toBe(person.secret);
});

describe('the sign-in page', () => {
  const redirect_uri = 'http://localhost:3000/callback';
  const verifier = randomBytes(32).toString('base64url');
  const authorizeUrl = (client_id: string, query: Record<string, string> = {}) =>
    `${provider.url}/authorize?${new URLSearchParams({
      ...{ response_type: 'code', client_id, redirect_uri, scope: 'openid', audience },
      code_challenge: createHash('sha256').update(verifier).digest('base64url'),
      code_challenge_method: 'S256',
      ...query,
    }).toString()}`;
  const redeemed = async (at: string, application: { client_id: string; client_secret?: string }) => {
    const code = new URL(at).searchParams.get('code');
    const grant = { grant_type: 'authorization_code', redirect_uri, code, code_verifier: verifier };
    return claimsOf((await token({ ...grant, ...application })).body);
  };
  const hiddenIn = (html: string) => /name="mfa_token" value="([^"]+)"/.exec(html)?.[1] ?? '';

  it('adds an app at the first sign-in, and asks for its code at the next', async () => {
    const person = await newcomer();
    const { email, password } = person;
    const browser = createBrowser();
    const page = await browser.go(authorizeUrl(pages.client_id));
    const first = (await (await browser.go(page.at, { email, password })).response?.text()) ?? '';
    expect(first).toContain('Add an authenticator app');
    const secret = /<code>([A-Z2-7]+)<\/code>/.exec(first)?.[1] ?? '';

    const mfa_token = hiddenIn(first);
    const refused = await browser.go(page.at, { mfa_token, code: '12345' });
    expect(refused.response?.status).toBe(403);
    const html = (await refused.response?.text()) ?? '';
    expect(html).toContain('Invalid otp_code.');
    expect(html).toContain(secret);

    const code = totpCode(secret, clock.now());
    const back = await browser.go(page.at, { mfa_token, code: `${code.slice(0, 3)} ${code.slice(3)}` });
    expect(await redeemed(back.at, pages)).toMatchObject({
      sub: person.subject,
      azp: pages.client_id,
      [`${audience}/amr`]: ['mfa'],
    });

    clock.advance(stepMs);
    const other = createBrowser();
    const next = await other.go(authorizeUrl(hosts.client_id));
    const second = (await (await other.go(next.at, { email, password })).response?.text()) ?? '';
    expect(second).toContain('Second step');
    expect(second).not.toContain(secret);
    const done = await other.go(next.at, {
      mfa_token: hiddenIn(second),
      code: totpCode(secret, clock.now()),
    });
    expect(await redeemed(done.at, hosts)).toHaveProperty([`${audience}/amr`]);
  });

  it('asks for the password again after ten minutes', async () => {
    const { email, password } = await newcomer();
    const browser = createBrowser();
    const page = await browser.go(authorizeUrl(pages.client_id));
    const html = (await (await browser.go(page.at, { email, password })).response?.text()) ?? '';
    clock.advance(10 * 60_000 + 1);
    const late = await browser.go(page.at, { mfa_token: hiddenIn(html), code: '123456' });
    expect(late.response?.status).toBe(401);
    expect(await late.response?.text()).toContain('Log in');
  });

  it('does not take the session of an application without it, and keeps one with it', async () => {
    const person = await enrolled();
    const { email, password } = person;
    const browser = createBrowser();
    const page = await browser.go(authorizeUrl(client.client_id));
    const guest = await browser.go(page.at, { email, password });
    expect(await redeemed(guest.at, client)).not.toHaveProperty([`${audience}/amr`]);

    const silent = await browser.go(authorizeUrl(pages.client_id, { prompt: 'none' }));
    expect(new URL(silent.at).searchParams.get('error')).toBe('interaction_required');
    const next = await browser.go(authorizeUrl(pages.client_id));
    expect(next.at).toContain('/u/login/');
    const html = (await (await browser.go(next.at, { email, password })).response?.text()) ?? '';
    const done = await browser.go(next.at, { mfa_token: hiddenIn(html), code: person.code() });
    expect(await redeemed(done.at, pages)).toHaveProperty([`${audience}/amr`]);
    const kept = await browser.go(authorizeUrl(hosts.client_id, { prompt: 'none' }));
    expect(await redeemed(kept.at, hosts)).toHaveProperty([`${audience}/amr`]);
  });
});
