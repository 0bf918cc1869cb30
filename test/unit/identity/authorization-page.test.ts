import { createHash, randomBytes } from 'node:crypto';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { RunningIdentityProvider } from '../../../infra/local/identity/index.ts';
import {
  audience,
  callsOf,
  client,
  createBrowser,
  createMailbox,
  start,
  verifierOf,
} from '../../support/embedded-identity.ts';
import { codeOf, freshEmail, strongPassword } from '../../support/identity-contract.ts';

const mailbox = createMailbox();
const publicClient = { client_id: 'pages-of-the-test' };
let provider: RunningIdentityProvider;
beforeAll(async () => {
  provider = await start({ sendMail: mailbox.sendMail, clients: [client, publicClient] });
});
afterAll(() => provider.stop());
const { postJson, newcomer } = callsOf(() => provider);

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
    const exchange = {
      grant_type: 'authorization_code',
      ...client,
      redirect_uri,
      code: back.searchParams.get('code'),
    };
    expect((await postJson('/oauth/token', { ...exchange, code_verifier: 'w'.repeat(43) })).status).toBe(400);
    const answer = await postJson('/oauth/token', { ...exchange, code_verifier: verifier });
    const tokens = (await answer.json()) as { access_token: string; expires_in: number; id_token: string };
    expect(tokens.expires_in).toBe(86_400);
    expect((await verifierOf(provider)(tokens.access_token)).subject).toBe(person.subject);
    expect(await codeOf(verifierOf(provider)(tokens.id_token))).toBe('UNAUTHORIZED');
    expect((await postJson('/oauth/token', { ...exchange, code_verifier: verifier })).status).toBe(400);
  });

  it('gives a public application tokens for a code with PKCE alone', async () => {
    const person = await newcomer();
    const { client_id } = publicClient;
    const without = await createBrowser().go(authorizeUrl({ client_id }));
    expect(new URL(without.at).searchParams.get('error')).toBe('invalid_request');
    const verifier = randomBytes(32).toString('base64url');
    const code_challenge = createHash('sha256').update(verifier).digest('base64url');
    const browser = createBrowser();
    const page = await browser.go(authorizeUrl({ client_id, code_challenge, code_challenge_method: 'S256' }));
    const back = new URL((await browser.go(page.at, { email: person.email, password: person.password })).at);
    const code = back.searchParams.get('code');
    const exchange = { grant_type: 'authorization_code', client_id, redirect_uri, code };
    expect((await postJson('/oauth/token', exchange)).status).toBe(400);
    const answer = await postJson('/oauth/token', { ...exchange, code_verifier: verifier });
    const { access_token } = (await answer.json()) as { access_token: string };
    expect((await verifierOf(provider)(access_token)).claims).toMatchObject({ azp: client_id });
    const { email: username, password } = person;
    const byPassword = await postJson('/oauth/token', {
      grant_type: 'password',
      client_id,
      username,
      password,
    });
    expect(byPassword.status).toBe(400);
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
    const first = await postJson('/oauth/token', {
      grant_type: 'authorization_code',
      ...client,
      redirect_uri,
      code,
    });
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
