import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { RunningIdentityProvider } from '../../../infra/local/identity/index.ts';
import { fixedClock } from '../../../shared/platform/time/clock.ts';
import { createAuth0 } from '../../../shared/platform/identity/index.ts';
import {
  audience,
  callsOf,
  client,
  configOf,
  createBrowser,
  createMailbox,
  start,
} from '../../support/embedded-identity.ts';
import { codeOf, freshEmail, strongPassword } from '../../support/identity-contract.ts';

const clock = fixedClock('2027-01-15T03:00:00Z');
const mailbox = createMailbox();
let provider: RunningIdentityProvider;
beforeAll(async () => {
  provider = await start({ sendMail: mailbox.sendMail, clock });
});
afterAll(() => provider.stop());
const { postJson, newcomer } = callsOf(() => provider);

const auth0 = () => createAuth0(configOf(provider), { clock });
const logIn = (email: string, password: string) => codeOf(auth0().passwordLogin({ email, password }));
const linkFor = async (email: string) => {
  await auth0().sendPasswordReset(email);
  return mailbox.linkMailedTo(email) ?? 'no link';
};
const set = (link: string, password: string) =>
  fetch(link, { method: 'POST', body: new URLSearchParams({ password }) });
const mailsTo = (email: string) => mailbox.mails.filter(({ to }) => to === email).length;
const authorizeUrl = () =>
  `${provider.url}/authorize?${new URLSearchParams({
    response_type: 'code',
    client_id: client.client_id,
    redirect_uri: 'http://localhost:3000/callback',
    scope: 'openid profile email',
    audience,
    state: 'xyz',
  }).toString()}`;

describe('a forgotten password', () => {
  it('is one link away from the sign-in page, and the new one is taken there', async () => {
    const person = await newcomer();
    const browser = createBrowser();
    const signIn = await browser.go(authorizeUrl());
    const html = (await signIn.response?.text()) ?? '';
    const href = /href="([^"]*forgotten-password[^"]*)"/.exec(html)?.[1]?.replaceAll('&amp;', '&') ?? '';
    const ask = new URL(href, signIn.at).href;
    expect(await (await browser.go(ask)).response?.text()).toContain('Send me a link');
    const sent = await (await browser.go(ask, { email: person.email.toUpperCase() })).response?.text();
    expect(sent).toContain('Check your mail');
    expect(sent).toContain('/u/login/');

    const link = mailbox.linkMailedTo(person.email) ?? '';
    const password = strongPassword();
    expect(await (await browser.go(link)).response?.text()).toContain('Set a new password');
    expect(await (await browser.go(link, { password })).response?.text()).toContain('The password is set');
    expect(await logIn(person.email, person.password)).toBe('INVALID_CREDENTIALS');
    const back = await browser.go(signIn.at, { email: person.email, password });
    expect(back.at).toContain('http://localhost:3000/callback?code=');
  });

  it('is answered alike where there is no account, and mails nothing', async () => {
    const person = await newcomer();
    const ask = (email: string) =>
      postJson('/dbconnections/change_password', {
        client_id: client.client_id,
        connection: provider.connection,
        email,
      });
    const [known, unknown] = [await ask(person.email), await ask(freshEmail())];
    expect([unknown.status, await unknown.text()]).toEqual([known.status, await known.text()]);
    const page = async (email: string) => {
      const answer = await fetch(`${provider.url}/u/forgotten-password`, {
        method: 'POST',
        body: new URLSearchParams({ email }),
      });
      return [answer.status, await answer.text()];
    };
    const stranger = freshEmail();
    expect(await page(stranger)).toEqual(await page(person.email));
    expect([mailsTo(stranger), mailsTo(person.email)]).toEqual([0, 2]);
    expect((await ask('')).status).toBe(400);
  });
});

describe('the link to set a new password', () => {
  it('works once, also when it is used twice at once', async () => {
    const { email } = await newcomer();
    const link = await linkFor(email);
    const passwords = [strongPassword(), strongPassword()];
    const answers = await Promise.all(passwords.map((password) => set(link, password)));
    expect(answers.map(({ status }) => status).sort()).toEqual([200, 400]);
    const winner = passwords[answers.findIndex(({ status }) => status === 200)]!;
    expect(await logIn(email, winner)).toBe('no error');
    expect((await set(link, strongPassword())).status).toBe(400);
    expect((await fetch(link)).status).toBe(400);
  });

  it('outlives a weak password, and no hour', async () => {
    const { email } = await newcomer();
    const link = await linkFor(email);
    const weak = await set(link, 'weak');
    expect([weak.status, (await weak.text()).includes('Password is too weak')]).toEqual([400, true]);
    clock.advance(3_600_000);
    expect((await fetch(link)).status).toBe(200);
    clock.advance(1);
    expect((await fetch(link)).status).toBe(400);
    expect((await set(link, strongPassword())).status).toBe(400);
  });

  it('makes the person’s other links useless, and ends the sessions', async () => {
    const person = await newcomer();
    const browser = createBrowser();
    const page = await browser.go(authorizeUrl());
    await browser.go(page.at, { email: person.email, password: person.password });
    expect((await browser.go(authorizeUrl())).at).toContain('?code=');
    const [first, second] = [await linkFor(person.email), await linkFor(person.email)];
    expect((await set(second, strongPassword())).status).toBe(200);
    expect((await set(first, strongPassword())).status).toBe(400);
    expect((await browser.go(authorizeUrl())).at).toContain('/u/login/');
  });

  it('is no link that verifies an address, nor the other way round', async () => {
    const email = freshEmail();
    await auth0().signUp({ email, password: strongPassword(), full_name: 'An' });
    const verification = new URL(mailbox.linkMailedTo(email)!);
    const reset = new URL(await linkFor(email));
    const ticketOf = ({ searchParams }: URL) => searchParams.get('ticket') ?? '';
    const crossed = (path: string, ticket: string) => fetch(`${provider.url}${path}?ticket=${ticket}`);
    expect((await crossed('/u/reset-password', ticketOf(verification))).status).toBe(400);
    expect((await crossed('/verify', ticketOf(reset))).status).toBe(400);
    expect((await fetch(verification)).status).toBe(200);
  });
});
