import { createHash, webcrypto } from 'node:crypto';
import { runInNewContext } from 'node:vm';
import { beforeAll, describe, expect, it } from 'vitest';
import { invitations } from '../../functions/invitations/index.ts';
import { pageScript } from '../../functions/invitations/page/script.ts';
import { invitationsRoutes } from '../../functions/invitations/routes.ts';
import { groupCalls } from '../support/group-calls.ts';
import { testDependencies } from '../support/table.ts';

beforeAll(() => {
  Object.assign(process.env, {
    ...{ ISSUER: 'https://tenant.example.com/', AUDIENCE: 'https://api.example.com' },
    PAGES_CLIENT_ID: 'pages"',
  });
});

const page = async (query: Record<string, string> = {}) => {
  const deps = await testDependencies();
  return groupCalls(
    invitations(() => deps),
    invitationsRoutes,
  ).call(undefined, 'getInvitationPage', { query });
};

it('getInvitationPage answers a page that runs its own script, and talks to itself and the provider', async () => {
  const { status, headers, text } = await page();
  expect(status).toBe(200);
  const [, script = ''] = /<script>(.*)<\/script>/s.exec(text) ?? [];
  const [, style = ''] = /<style>(.*)<\/style>/s.exec(text) ?? [];
  const hashOf = (of: string) => `'sha256-${createHash('sha256').update(of).digest('base64')}'`;
  expect(headers['Content-Security-Policy']).toBe(
    `default-src 'none'; script-src ${hashOf(script)}; style-src ${hashOf(style)}; connect-src 'self' https://tenant.example.com; form-action 'none'; base-uri 'none'; frame-ancestors 'none'`,
  );
  expect(headers).toMatchObject({ 'Referrer-Policy': 'no-referrer', 'Cache-Control': 'no-store' });
  expect(text).toContain('data-client="pages&quot;"');
});

it('getInvitationPage is answered where the provider leads back to', async () => {
  const back = await page({ code: 'a', state: 'b', iss: 'https://tenant.example.com/' });
  expect(back).toMatchObject({ status: 200, text: (await page()).text });
});

/** What the page draws: elements with texts, and buttons that can be pressed. */
class Element {
  readonly children: Element[] = [];
  readonly dataset = {
    issuer: 'https://tenant.example.com/',
    client: 'pages',
    audience: 'https://api.example.com',
  };
  textContent = '';
  press: () => void = () => undefined;
  setAttribute = () => undefined;
  append = (child: Element) => void this.children.push(child);
  replaceChildren = () => void this.children.splice(0);
  addEventListener = (_: string, act: () => void) => void (this.press = act);
  get text(): string {
    return [this.textContent, ...this.children.map(({ text }) => text)].join('\n');
  }
}

/** The digest is there at once: the other one comes from a thread of its own. */
const crypto = {
  getRandomValues: (bytes: Uint8Array<ArrayBuffer>) => webcrypto.getRandomValues(bytes),
  subtle: {
    digest: async (_: string, data: Uint8Array) => new Uint8Array(createHash('sha256').update(data).digest()),
  },
};

interface Answer {
  status: number;
  body?: object;
}

/** A browser with one tab. Answers are given by the path of the request. */
const browser = (answers: Record<string, Answer>) => {
  const kept = new Map<string, string>();
  const requests: { url: string; authorization?: string; body: string }[] = [];
  const at = { origin: 'https://api.example.com', pathname: '/dev/invitation', hash: '', search: '' };
  const state = { address: '', main: new Element() };
  const open = async (hash: string, search = '') => {
    state.main = new Element();
    const location = { ...at, hash, search, assign: (to: string) => void (state.address = to) };
    runInNewContext(pageScript, {
      ...{ URLSearchParams, TextEncoder, Uint8Array, btoa, crypto, Date, Promise },
      location,
      history: { replaceState: (_: unknown, __: string, path: string) => void (state.address = path) },
      navigator: { language: 'en-GB' },
      sessionStorage: {
        getItem: (name: string) => kept.get(name) ?? null,
        setItem: (name: string, value: string) => void kept.set(name, value),
        removeItem: (name: string) => void kept.delete(name),
        clear: () => kept.clear(),
      },
      document: {
        documentElement: {},
        querySelector: () => state.main,
        createElement: () => new Element(),
      },
      fetch: async (url: string, init: { headers?: Record<string, string>; body?: URLSearchParams } = {}) => {
        const authorization = init.headers?.['Authorization'];
        requests.push({ url, ...(authorization && { authorization }), body: init.body?.toString() ?? '' });
        const { status, body = {} } = answers[new URL(url).pathname.replace('/dev/api/v1/invitations', '')]!;
        return { status, ok: status < 400, json: async () => body };
      },
    });
    await settled();
  };
  const settled = async () => {
    for (let turns = 0; turns < 50; turns++) await new Promise(setImmediate);
  };
  return {
    kept,
    requests,
    open,
    text: () => state.main.text,
    address: () => state.address,
    press: async (label: string) => {
      state.main.children.find(({ textContent }) => textContent === label)!.press();
      await settled();
    },
  };
};

const invitation = {
  team_name: 'Hoa Nắng',
  role: 'STAFF',
  email: 'm***@example.com',
  expires_at: '2027-01-22T03:00:00.000Z',
};
const token = { '/oauth/token': { status: 200, body: { access_token: 'a.b.c' } } };

/** Opens the link, signs in, and comes back. */
const signedIn = async (answers: Record<string, Answer>) => {
  const tab = browser({ '/s3cret': { status: 200, body: invitation }, ...token, ...answers });
  await tab.open('#s3cret');
  await tab.press('Sign in and accept');
  const asked = new URL(tab.address()).searchParams;
  await tab.open('', `?code=c0de&state=${asked.get('state')}`);
  return { tab, asked };
};

describe('the page of an invitation', () => {
  it('shows it, signs in with a proof of its own, accepts, and says so', async () => {
    const { tab, asked } = await signedIn({
      '/s3cret/accept': { status: 200, body: { ...invitation, email: undefined } },
    });
    expect(Object.fromEntries(asked)).toMatchObject({
      ...{
        response_type: 'code',
        client_id: 'pages',
        redirect_uri: 'https://api.example.com/dev/invitation',
      },
      ...{ audience: 'https://api.example.com', code_challenge_method: 'S256', prompt: 'login' },
    });
    expect(tab.requests.map(({ url }) => url)).toEqual([
      'https://api.example.com/dev/api/v1/invitations/s3cret',
      'https://tenant.example.com/oauth/token',
      'https://api.example.com/dev/api/v1/invitations/s3cret/accept',
    ]);
    const verifier = new URLSearchParams(tab.requests[1]!.body).get('code_verifier') ?? '';
    expect(createHash('sha256').update(verifier).digest('base64url')).toBe(asked.get('code_challenge'));
    expect(tab.requests[2]!.authorization).toBe('Bearer a.b.c');
    expect(tab.text()).toContain('You are a member now.');
    expect([...tab.kept]).toEqual([]);
  });

  it('shows team, role and masked address, and takes the secret out of the address', async () => {
    const tab = browser({ '/s3cret': { status: 200, body: invitation } });
    await tab.open('#s3cret');
    for (const text of ['Hoa Nắng', 'Staff', 'm***@example.com']) expect(tab.text()).toContain(text);
    expect(tab.address()).toBe('/dev/invitation');
    await tab.press('Tiếng Việt');
    expect(tab.text()).toContain('Nhân viên');
  });

  it('offers a reset mail where the password is another party’s', async () => {
    const { tab } = await signedIn({
      '/s3cret/accept': { status: 403, body: { code: 'PASSWORD_RESET_REQUIRED' } },
      '/s3cret/reset': { status: 202 },
    });
    await tab.press('Mail me the link');
    expect(tab.text()).toContain('The mail was sent.');
    await tab.press('Sign in again');
    expect(tab.address()).toMatch(/^https:\/\/tenant\.example\.com\/authorize\?/);
  });

  it.each([
    ['INVITATION_FOR_ANOTHER_ADDRESS', 403, 'another address'],
    ['USER_NOT_VERIFIED', 403, 'verification link'],
    ['INVALID_STATE_TRANSITION', 409, 'a member of this team already'],
    ['NOT_FOUND', 404, 'no longer open'],
    ['INTERNAL_ERROR', 500, 'Something went wrong'],
  ])('explains %s', async (code, status, text) => {
    const { tab } = await signedIn({ '/s3cret/accept': { status, body: { code } } });
    expect(tab.text()).toContain(text);
  });

  it('takes no answer of a sign-in that it did not ask for, and no link without an invitation', async () => {
    const tab = browser({ '/s3cret': { status: 200, body: invitation }, '/gone': { status: 404 }, ...token });
    await tab.open('#s3cret');
    await tab.press('Sign in and accept');
    await tab.open('', '?code=c0de&state=of-another');
    expect(tab.text()).toContain('You are not signed in.');
    expect(tab.requests).toHaveLength(1);
    await tab.open('#gone');
    expect(tab.text()).toContain('no longer open');
  });
});
