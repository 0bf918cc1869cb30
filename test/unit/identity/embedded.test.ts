import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { RunningIdentityProvider } from '../../../infra/local/identity/index.ts';
import { fixedClock, systemClock } from '../../../shared/platform/time/clock.ts';
import { createAuth0, type Auth0Config } from '../../../shared/platform/identity/index.ts';
import { fixedSecret } from '../../../shared/platform/secrets/index.ts';
import {
  audience,
  callsOf,
  client,
  configOf,
  createMailbox,
  start,
  verifierOf,
} from '../../support/embedded-identity.ts';
import { codeOf, freshEmail, identityContract, strongPassword } from '../../support/identity-contract.ts';

const mailbox = createMailbox();
let provider: RunningIdentityProvider;
beforeAll(async () => {
  provider = await start({ sendMail: mailbox.sendMail });
});
afterAll(() => provider.stop());
const { postJson, newcomer } = callsOf(() => provider);

identityContract('embedded', () => ({ config: configOf(provider), linkMailedTo: mailbox.linkMailedTo }));

const { AUTH0_ISSUER, AUTH0_AUDIENCE, AUTH0_CLIENT_ID, AUTH0_CLIENT_SECRET, AUTH0_CONNECTION } = process.env;
if (AUTH0_ISSUER !== undefined && AUTH0_CLIENT_SECRET !== undefined) {
  const config: Auth0Config = {
    issuer: AUTH0_ISSUER,
    audience: AUTH0_AUDIENCE ?? '',
    client_id: AUTH0_CLIENT_ID ?? '',
    client_secret: fixedSecret(AUTH0_CLIENT_SECRET),
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
    const { client_id, management_audience } = config;
    const grant = {
      grant_type: 'client_credentials',
      client_id,
      client_secret: AUTH0_CLIENT_SECRET,
      audience: management_audience,
    };
    const { access_token } = (await (await call('oauth/token', 'POST', grant)).json()) as {
      access_token: string;
    };
    await call(
      `api/v2/users/${encodeURIComponent(subject)}`,
      'PATCH',
      { email_verified: true },
      access_token,
    );
  };
  identityContract('Auth0 tenant', () => ({ config, verify }));
}

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
    const first = await postJson('/oauth/token', {
      ...grant(await newcomer()),
      scope: 'openid offline_access',
    });
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
    const own = await start({ clock });
    await own.createUser({ ...person, email_verified: true });
    const auth0 = createAuth0(configOf(own), { clock });
    const attempt = (password: string, clientIp = '203.0.113.1') =>
      auth0.passwordLogin({ email: person.email, password, clientIp });
    for (let count = 0; count < 10; count += 1)
      expect(await codeOf(attempt('Wrong-1234'))).toBe('INVALID_CREDENTIALS');
    await expect(attempt(person.password)).rejects.toMatchObject({
      code: 'RATE_LIMIT_EXCEEDED',
      retryAfterSeconds: 900,
    });
    expect(await codeOf(attempt(person.password, '203.0.113.2'))).toBe('no error');
    clock.advance(15 * 60_000);
    expect(await codeOf(attempt(person.password))).toBe('no error');
    await own.stop();
  });

  it('issues tokens to unverified people when configured so', async () => {
    const person = { email: freshEmail(), password: strongPassword() };
    const own = await start({ blockUnverified: false });
    await own.createUser({ ...person, email_verified: false });
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
    for (const email of [early, late])
      await auth0.signUp({ email, password: strongPassword(), full_name: 'Dung' });
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
    const { access_token } = (await (await postJson('/oauth/token', machine)).json()) as {
      access_token: string;
    };
    const call = (method: string, body?: object) =>
      fetch(`${provider.url}/api/v2/users/${encodeURIComponent(person.subject)}`, {
        method,
        headers: { authorization: `Bearer ${access_token}`, 'content-type': 'application/json' },
        ...(body && { body: JSON.stringify(body) }),
      });
    expect(await (await call('PATCH', { email_verified: true, blocked: true })).json()).toMatchObject({
      blocked: true,
    });
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
    const first = await start({ dataDir, sendMail: box.sendMail });
    await first.createUser({ ...person, email_verified: true });
    const { access_token } = await createAuth0(configOf(first), { clock: systemClock }).passwordLogin(person);
    const signUp = { email: freshEmail(), password: strongPassword(), full_name: 'Gia' };
    await createAuth0(configOf(first), { clock: systemClock }).signUp(signUp);
    await first.stop();

    const second = await start({ dataDir, port: first.port, sendMail: box.sendMail });
    const auth0 = createAuth0(configOf(second), { clock: systemClock });
    const { subject } = await verifierOf(second)(access_token);
    expect(await auth0.readUser(subject)).toMatchObject({ email: person.email });
    expect((await fetch(box.linkMailedTo(signUp.email) ?? '')).status).toBe(200);
    expect(await codeOf(auth0.passwordLogin(signUp))).toBe('no error');
    await second.stop();
    rmSync(dataDir, { recursive: true });
  });
});
