import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createHash, randomBytes } from 'node:crypto';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import {
  startIdentityProvider,
  type IdentityProviderSettings,
  type Mail,
  type RunningIdentityProvider,
} from '../../../infra/local/identity/index.ts';
import { fixedClock, systemClock } from '../../../shared/platform/clock.ts';
import { createAuth0, createTokenVerifier, type Auth0Config } from '../../../shared/platform/identity/index.ts';
import { codeOf, freshEmail, identityContract, strongPassword } from '../../support/identity-contract.ts';

const audience = 'https://api.nightlatch.test';
const client = { client_id: 'nightlatch-test', client_secret: 'a-secret-of-the-test' };

const createMailbox = () => {
  const mails: Mail[] = [];
  return {
    mails,
    sendMail: (mail: Mail) => void mails.push(mail),
    linkMailedTo: (email: string) =>
      /http\S+/.exec(mails.findLast(({ to }) => to === email)?.text ?? '')?.[0],
  };
};

const start = (settings: Partial<IdentityProviderSettings> = {}) =>
  startIdentityProvider({ port: 0, clock: systemClock, clients: [client], audience, sendMail: () => undefined, ...settings });

const configOf = ({ issuer, connection, managementAudience }: RunningIdentityProvider): Auth0Config => ({
  ...client,
  issuer,
  audience,
  connection,
  management_audience: managementAudience,
});

const verifierOf = ({ issuer, jwksUri }: RunningIdentityProvider) =>
  createTokenVerifier({ issuer, audience, jwksUri, allowHttp: true });

const mailbox = createMailbox();
let provider: RunningIdentityProvider;
beforeAll(async () => {
  provider = await start({ sendMail: mailbox.sendMail });
});
afterAll(() => provider.stop());

identityContract('embedded', () => ({ config: configOf(provider), linkMailedTo: mailbox.linkMailedTo }));

const { AUTH0_ISSUER, AUTH0_AUDIENCE, AUTH0_CLIENT_ID, AUTH0_CLIENT_SECRET, AUTH0_CONNECTION } = process.env;
if (AUTH0_ISSUER !== undefined && AUTH0_CLIENT_SECRET !== undefined) {
  const config: Auth0Config = {
    issuer: AUTH0_ISSUER,
    audience: AUTH0_AUDIENCE ?? '',
    client_id: AUTH0_CLIENT_ID ?? '',
    client_secret: AUTH0_CLIENT_SECRET,
    connection: AUTH0_CONNECTION ?? 'Username-Password-Authentication',
    management_audience: process.env['AUTH0_MANAGEMENT_AUDIENCE'] ?? `${AUTH0_ISSUER}api/v2/`,
  };
  const call = (path: string, method: string, body: object, token = '') =>
    fetch(new URL(path, config.issuer), {
      method,
      headers: { 'content-type': 'application/json', authorization: `Bearer ${token}` },
      body: JSON.stringify(body),
    });
  const verify = async (subject: string) => {
    const { client_id, client_secret, management_audience } = config;
    const grant = { grant_type: 'client_credentials', client_id, client_secret, audience: management_audience };
    const { access_token } = (await (await call('oauth/token', 'POST', grant)).json()) as { access_token: string };
    await call(`api/v2/users/${encodeURIComponent(subject)}`, 'PATCH', { email_verified: true }, access_token);
  };
  identityContract('Auth0 tenant', () => ({ config, verify }));
}

/** A browser's cookies and redirects, by hand. */
const createBrowser = () => {
  const cookies = new Map<string, { value: string; path: string }>();
  const visit = async (address: string, form?: Record<string, string>): Promise<Response> => {
    const { pathname } = new URL(address);
    const sent = [...cookies].filter(([, { path }]) => pathname.startsWith(path));
    const response = await fetch(address, {
      redirect: 'manual',
      headers: { cookie: sent.map(([name, { value }]) => `${name}=${value}`).join('; ') },
      ...(form && { method: 'POST', body: new URLSearchParams(form) }),
    });
    for (const line of response.headers.getSetCookie()) {
      const [, name = '', value = '', rest = ''] = /^([^=]+)=([^;]*)(.*)$/.exec(line) ?? [];
      cookies.set(name, { value, path: /path=([^;]+)/i.exec(rest)?.[1] ?? '/' });
    }
    return response;
  };
  /** Follows redirects on the provider; stops at the first page or at another host. */
  const go = async (address: string, form?: Record<string, string>): Promise<{ at: string; response?: Response }> => {
    const response = await visit(address, form);
    const location = response.headers.get('location');
    if (location === null) return { at: address, response };
    const next = new URL(location, address).href;
    return next.startsWith(new URL(address).origin) ? go(next) : { at: next };
  };
  return { go };
};

const redirect_uri = 'http://localhost:3000/callback';
const authorizeUrl = (query: Record<string, string> = {}) =>
  `${provider.url}/authorize?${new URLSearchParams({
    response_type: 'code',
    client_id: client.client_id,
    redirect_uri,
    scope: 'openid profile email',
    audience,
    state: 'xyz',
    ...query,
  }).toString()}`;

const postJson = (path: string, body: object, headers: Record<string, string> = {}) =>
  fetch(`${provider.url}${path}`, {
    method: 'POST',
    headers: { 'content-type': 'application/json', ...headers },
    body: JSON.stringify(body),
  });

const newcomer = async (settings: { email_verified?: boolean } = {}) => {
  const person = { email: freshEmail(), password: strongPassword() };
  const user = await provider.createUser({ ...person, full_name: 'Bình', email_verified: true, ...settings });
  return { ...person, subject: user.subject };
};

describe('authorization page', () => {
  it('gives a code for e-mail and password, and a token for the code with PKCE', async () => {
    const person = await newcomer();
    const verifier = randomBytes(32).toString('base64url');
    const code_challenge = createHash('sha256').update(verifier).digest('base64url');
    const browser = createBrowser();
    const page = await browser.go(authorizeUrl({ code_challenge, code_challenge_method: 'S256' }));
    expect(await page.response?.text()).toContain('Log in');

    const refused = await browser.go(page.at, { email: person.email, password: 'Wrong-1234' });
    expect(refused.response?.status).toBe(403);
    expect(await refused.response?.text()).toContain('Wrong email or password.');

    const back = new URL((await browser.go(page.at, { email: person.email, password: person.password })).at);
    expect(back.href).toContain(redirect_uri);
    expect(back.searchParams.get('state')).toBe('xyz');
    const exchange = { grant_type: 'authorization_code', ...client, redirect_uri, code: back.searchParams.get('code') };
    expect((await postJson('/oauth/token', { ...exchange, code_verifier: 'w'.repeat(43) })).status).toBe(400);
    const answer = await postJson('/oauth/token', { ...exchange, code_verifier: verifier });
    const tokens = (await answer.json()) as { access_token: string; expires_in: number; id_token: string };
    expect(tokens.expires_in).toBe(86_400);
    expect((await verifierOf(provider)(tokens.access_token)).subject).toBe(person.subject);
    expect(await codeOf(verifierOf(provider)(tokens.id_token))).toBe('UNAUTHORIZED');
    expect((await postJson('/oauth/token', { ...exchange, code_verifier: verifier })).status).toBe(400);
  });

  it('does not ask again in the same browser until the person logs out', async () => {
    const person = await newcomer();
    const browser = createBrowser();
    const page = await browser.go(authorizeUrl());
    await browser.go(page.at, { email: person.email, password: person.password });
    expect((await browser.go(authorizeUrl())).at).toContain(`${redirect_uri}?code=`);

    const logout = await browser.go(`${provider.url}/v2/logout`);
    const xsrf = /name="xsrf" value="([^"]+)"/.exec((await logout.response?.text()) ?? '')?.[1] ?? '';
    const done = await browser.go(`${provider.url}/logout/confirm`, { xsrf, logout: 'yes' });
    expect(await done.response?.text()).toContain('You are logged out');
    expect((await browser.go(authorizeUrl())).at).toContain('/u/login/');
  });

  it('offers a sign-up page with the password rules, and lets the person in once verified', async () => {
    const person = { email: freshEmail(), password: strongPassword(), full_name: '<b>Chi</b>', phone: '' };
    const browser = createBrowser();
    const page = await browser.go(authorizeUrl({ screen_hint: 'signup' }));
    expect(page.at).toContain('/u/signup?state=');
    const weak = await (await browser.go(page.at, { ...person, password: 'weak' })).response?.text();
    expect(weak).toContain('Password is too weak');
    expect(weak).toContain('&lt;b&gt;Chi&lt;/b&gt;');
    expect(weak).not.toContain('<b>Chi');
    const done = await (await browser.go(page.at, person)).response?.text();
    const login = `${provider.url}${/href="(\/u\/login[^"]+)"/.exec(done ?? '')?.[1] ?? ''}`;

    const early = await browser.go(login, person);
    expect(await early.response?.text()).toContain('Please verify your email before logging in.');
    await fetch(mailbox.linkMailedTo(person.email) ?? '');
    expect((await browser.go(login, person)).at).toContain(`${redirect_uri}?code=`);
  });

  it('gives a refresh token for offline_access', async () => {
    const person = await newcomer();
    const browser = createBrowser();
    const page = await browser.go(authorizeUrl({ scope: 'openid offline_access' }));
    const back = new URL((await browser.go(page.at, { email: person.email, password: person.password })).at);
    const code = back.searchParams.get('code');
    const first = await postJson('/oauth/token', { grant_type: 'authorization_code', ...client, redirect_uri, code });
    const { refresh_token } = (await first.json()) as { refresh_token: string };
    const second = await postJson('/oauth/token', { grant_type: 'refresh_token', ...client, refresh_token });
    const { access_token } = (await second.json()) as { access_token: string };
    expect((await verifierOf(provider)(access_token)).subject).toBe(person.subject);
  });

  it.each(['https://evil.example/callback', 'http://localhost.evil.example/', 'javascript:alert(1)'])(
    'never sends a code to %s',
    async (evil) => {
      const { response } = await createBrowser().go(authorizeUrl({ redirect_uri: evil }));
      expect(response?.status).toBe(400);
    },
  );
});

describe('token call', () => {
  const grant = (person: { email: string; password: string }) => ({
    grant_type: 'password',
    username: person.email,
    password: person.password,
    audience,
    scope: 'openid profile email',
    ...client,
  });

  it('takes a form as well as JSON', async () => {
    const body = new URLSearchParams(grant(await newcomer()));
    const response = await fetch(`${provider.url}/oauth/token`, { method: 'POST', body });
    expect(await response.json()).toMatchObject({ token_type: 'Bearer', expires_in: 86_400 });
  });

  it('gives a refresh token for offline_access', async () => {
    const first = await postJson('/oauth/token', { ...grant(await newcomer()), scope: 'openid offline_access' });
    const { refresh_token } = (await first.json()) as { refresh_token: string };
    const second = await postJson('/oauth/token', { grant_type: 'refresh_token', ...client, refresh_token });
    expect(await second.json()).toMatchObject({ expires_in: 86_400, scope: 'openid offline_access' });
  });

  it('answers 403 access_denied to an unverified account', async () => {
    const response = await postJson('/oauth/token', grant(await newcomer({ email_verified: false })));
    expect(response.status).toBe(403);
    expect(await response.json()).toEqual({
      error: 'access_denied',
      error_description: 'Please verify your email before logging in.',
    });
  });

  it('refuses a wrong secret, another audience and a body that is no object', async () => {
    const person = await newcomer();
    const status = async (body: object) => (await postJson('/oauth/token', body)).status;
    expect(await status({ ...grant(person), client_secret: 'wrong' })).toBe(401);
    expect(await status({ ...grant(person), audience: 'https://other.example' })).toBe(403);
    expect(await status([])).toBe(400);
    const machine = { grant_type: 'client_credentials', ...client, audience };
    expect(await status(machine)).toBe(403);
    expect(await status({ ...grant(person), username: ['a', 'b'] })).toBe(400);
  });

  it('blocks after ten wrong passwords from one address, for fifteen minutes', async () => {
    const clock = fixedClock('2026-11-20T10:00:00Z');
    const person = { email: freshEmail(), password: strongPassword() };
    const own = await start({ clock, seedUsers: [{ ...person, email_verified: true }] });
    const auth0 = createAuth0(configOf(own), { clock });
    const attempt = (password: string, clientIp = '203.0.113.1') =>
      auth0.passwordLogin({ email: person.email, password, clientIp });
    for (let count = 0; count < 10; count += 1) expect(await codeOf(attempt('Wrong-1234'))).toBe('INVALID_CREDENTIALS');
    await expect(attempt(person.password)).rejects.toMatchObject({ code: 'RATE_LIMIT_EXCEEDED', retryAfterSeconds: 900 });
    expect(await codeOf(attempt(person.password, '203.0.113.2'))).toBe('no error');
    clock.advance(15 * 60_000);
    expect(await codeOf(attempt(person.password))).toBe('no error');
    await own.stop();
  });

  it('issues tokens to unverified people when told so', async () => {
    const person = { email: freshEmail(), password: strongPassword() };
    const own = await start({ blockUnverified: false, seedUsers: [{ ...person, email_verified: false }] });
    const auth0 = createAuth0(configOf(own), { clock: systemClock });
    const { subject } = await verifierOf(own)((await auth0.passwordLogin(person)).access_token);
    expect(await auth0.readUser(subject)).toMatchObject({ email_verified: false });
    await own.stop();
  });
});

describe('verification link', () => {
  it('works once, and for five days', async () => {
    const clock = fixedClock('2026-11-20T10:00:00Z');
    const box = createMailbox();
    const own = await start({ clock, sendMail: box.sendMail });
    const auth0 = createAuth0(configOf(own), { clock });
    const follow = async (email: string) => (await fetch(box.linkMailedTo(email) ?? '')).status;
    const [early, late] = [freshEmail(), freshEmail()];
    for (const email of [early, late]) await auth0.signUp({ email, password: strongPassword(), full_name: 'Dung' });
    expect(await follow(early)).toBe(200);
    expect(await follow(early)).toBe(400);
    clock.advance(5 * 24 * 3600_000 + 1);
    expect(await follow(late)).toBe(400);
    await own.stop();
  });
});

describe('management API', () => {
  it('refuses customers and strangers', async () => {
    const person = await newcomer();
    const auth0 = createAuth0(configOf(provider), { clock: systemClock });
    const { access_token } = await auth0.passwordLogin(person);
    const address = `${provider.url}/api/v2/users/${encodeURIComponent(person.subject)}`;
    const asCustomer = await fetch(address, { headers: { authorization: `Bearer ${access_token}` } });
    expect(asCustomer.status).toBe(401);
    const asStranger = await fetch(address);
    expect(await asStranger.json()).toMatchObject({ statusCode: 401, error: 'Unauthorized' });
  });

  it('changes and removes users', async () => {
    const person = await newcomer({ email_verified: false });
    const machine = { grant_type: 'client_credentials', ...client, audience: provider.managementAudience };
    const { access_token } = (await (await postJson('/oauth/token', machine)).json()) as { access_token: string };
    const call = (method: string, body?: object) =>
      fetch(`${provider.url}/api/v2/users/${encodeURIComponent(person.subject)}`, {
        method,
        headers: { authorization: `Bearer ${access_token}`, 'content-type': 'application/json' },
        ...(body && { body: JSON.stringify(body) }),
      });
    expect(await (await call('PATCH', { email_verified: true, blocked: true })).json()).toMatchObject({ blocked: true });
    const auth0 = createAuth0(configOf(provider), { clock: systemClock });
    expect(await codeOf(auth0.passwordLogin(person))).toBe('FORBIDDEN');
    expect((await call('DELETE')).status).toBe(204);
    expect(await auth0.readUser(person.subject)).toBeUndefined();
    expect(await codeOf(verifierOf(provider)(access_token))).toBe('UNAUTHORIZED');
  });
});

describe('data directory', () => {
  it('keeps users, keys and links across a restart', async () => {
    const dataDir = mkdtempSync(join(tmpdir(), 'nightlatch-identity-'));
    const box = createMailbox();
    const person = { email: freshEmail(), password: strongPassword(), full_name: 'Em' };
    const seeded = { ...person, email_verified: true };
    const first = await start({ dataDir, sendMail: box.sendMail, seedUsers: [seeded] });
    const { access_token } = await createAuth0(configOf(first), { clock: systemClock }).passwordLogin(person);
    const signUp = { email: freshEmail(), password: strongPassword(), full_name: 'Gia' };
    await createAuth0(configOf(first), { clock: systemClock }).signUp(signUp);
    await first.stop();

    const second = await start({ dataDir, port: first.port, sendMail: box.sendMail, seedUsers: [seeded] });
    const auth0 = createAuth0(configOf(second), { clock: systemClock });
    const { subject } = await verifierOf(second)(access_token);
    expect(await auth0.readUser(subject)).toMatchObject({ email: person.email });
    expect((await fetch(box.linkMailedTo(signUp.email) ?? '')).status).toBe(200);
    expect(await codeOf(auth0.passwordLogin(signUp))).toBe('no error');
    await second.stop();
    rmSync(dataDir, { recursive: true });
  });
});
