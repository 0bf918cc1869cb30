import { describe, expect, it } from 'vitest';
import { fixedClock } from '../../../shared/platform/time/clock.ts';
import type { ServiceError } from '../../../shared/platform/errors.ts';
import { fixedSecret } from '../../../shared/platform/secrets/index.ts';
import { createAuth0, type Auth0Config } from '../../../shared/platform/identity/index.ts';

const config: Auth0Config = {
  issuer: 'https://tenant.example/',
  audience: 'https://api.nightlatch.test',
  client_id: 'client',
  client_secret: fixedSecret('client-secret'),
  connection: 'customers',
  management_audience: 'https://tenant.example/api/v2/',
};
const person = { email: 'an@example.com', password: 'Secret-Password-1', full_name: 'An' };
const unverified = {
  error: 'access_denied',
  error_description: 'Please verify your email before logging in.',
};

type Reply = Response | Error | 'silence';
interface Call {
  method: string | undefined;
  path: string;
  body: Record<string, string>;
  headers: Headers;
}

const json = (status: number, body: unknown, headers: Record<string, string> = {}) =>
  new Response(JSON.stringify(body), { status, headers });
const tokens = (access_token: string) =>
  json(200, { access_token, expires_in: 86_400, token_type: 'Bearer' });
const user = (change: object = {}) => ({
  user_id: 'auth0|1',
  email: person.email,
  email_verified: true,
  name: 'An',
  identities: [{ connection: 'customers' }],
  ...change,
});

const lostConnection = (code: string) =>
  new TypeError('fetch failed', { cause: Object.assign(new Error('lost'), { code }) });

/** A provider with the given answers; a signal ends its silence. */
const createProvider = (
  answer: (call: Call, count: number) => Reply,
  times: { timeoutMs?: number; totalMs?: number } = {},
  given: Partial<Auth0Config> = {},
) => {
  const calls: Call[] = [];
  const clock = fixedClock('2026-11-20T10:00:00Z');
  const fetch = async (address: string | URL | Request, init?: RequestInit): Promise<Response> => {
    const { pathname, search } = new URL(address instanceof Request ? address.url : address);
    const body = init?.body === undefined ? {} : (JSON.parse(init.body as string) as Record<string, string>);
    const call = {
      path: `${pathname}${search}`,
      method: init?.method,
      body,
      headers: new Headers(init?.headers),
    };
    const reply = answer(call, calls.push(call));
    if (reply instanceof Error) throw reply;
    if (reply !== 'silence') return reply;
    return new Promise((_, reject) => {
      init?.signal?.addEventListener('abort', () => reject(init.signal?.reason as Error));
    });
  };
  return {
    auth0: createAuth0({ ...config, ...given }, { clock, fetch, backOffMs: [2, 4], ...times }),
    calls,
    clock,
  };
};

const failure = async (call: Promise<unknown>): Promise<ServiceError> =>
  call.then(
    () => Promise.reject(new Error('It did not fail.')),
    (error: unknown) => error as ServiceError,
  );
const codeOf = async (call: Promise<unknown>) => (await failure(call)).code;

/** Everything an error could show in a log. */
const textOf = (error: unknown): string =>
  error instanceof Error
    ? `${String(error.stack)} ${JSON.stringify(error)} ${textOf(error.cause)}`
    : JSON.stringify(error);

describe('login refusals', () => {
  it.each([
    [403, { error: 'invalid_grant', error_description: 'Wrong email or password.' }, 'INVALID_CREDENTIALS'],
    [403, unverified, 'EMAIL_NOT_VERIFIED'],
    [401, { error: 'unauthorized', error_description: 'Email not verified' }, 'EMAIL_NOT_VERIFIED'],
    [403, { error: 'unauthorized', error_description: 'user is blocked' }, 'FORBIDDEN'],
    [403, { error: 'mfa_required', error_description: 'Multifactor authentication required' }, 'FORBIDDEN'],
    [429, { error: 'too_many_attempts' }, 'RATE_LIMIT_EXCEEDED'],
    [503, {}, 'IDENTITY_PROVIDER_UNAVAILABLE'],
  ])('turns %i %o into %s', async (status, body, code) => {
    expect(await codeOf(createProvider(() => json(status, body)).auth0.passwordLogin(person))).toBe(code);
  });

  it.each([
    [401, { error: 'access_denied', error_description: 'Unauthorized' }],
    [401, { error: 'invalid_client', error_description: 'client authentication failed' }],
    [403, { error: 'access_denied', error_description: 'Service not found: https://api.nightlatch.test' }],
    [
      403,
      {
        error: 'unauthorized_client',
        error_description: "Grant type 'password' not allowed for the client.",
      },
    ],
    [200, { expires_in: 1 }],
  ])('does not blame the customer for our configuration: %i %o', async (status, body) => {
    const error = await failure(createProvider(() => json(status, body)).auth0.passwordLogin(person));
    expect(error.name).toBe('Error');
  });
});

describe('sign-up refusals', () => {
  it.each([
    ['user_exists', 'CUSTOMER_ALREADY_EXISTS'],
    ['invalid_signup', 'CUSTOMER_ALREADY_EXISTS'],
    ['invalid_password', 'VALIDATION_ERROR'],
    ['password_dictionary_error', 'VALIDATION_ERROR'],
  ])('turns %s into %s', async (reason, code) => {
    const { auth0 } = createProvider(() => json(400, { code: reason, description: 'x' }));
    expect(await codeOf(auth0.signUp(person))).toBe(code);
  });

  it('says which field is wrong', async () => {
    const reply = { error: 'error in email - email format validation failed: x', statusCode: 400 };
    const error = await failure(createProvider(() => json(400, reply)).auth0.signUp(person));
    expect(error.details).toMatchObject({ issues: [{ path: 'email' }] });
  });
});

describe('what a provider that fails does to us', () => {
  it('stops waiting for silence, and tries a login again', async () => {
    const { auth0, calls } = createProvider((_, count) => (count < 3 ? 'silence' : tokens('t')), {
      timeoutMs: 10,
    });
    expect(await auth0.passwordLogin(person)).toEqual({
      access_token: 't',
      token_type: 'Bearer',
      expires_in: 86_400,
    });
    expect(calls).toHaveLength(3);
  });

  it('gives up when the time for all tries is over', async () => {
    const { auth0, calls } = createProvider(() => 'silence', { timeoutMs: 40, totalMs: 60 });
    expect(await codeOf(auth0.passwordLogin(person))).toBe('IDENTITY_PROVIDER_UNAVAILABLE');
    expect(calls).toHaveLength(2);
  });

  it.each([[new Response('<html>', { status: 502 })], [new TypeError('fetch failed')]])(
    'tries three times: %s',
    async (reply) => {
      const { auth0, calls } = createProvider(() => (reply instanceof Response ? reply.clone() : reply));
      expect(await codeOf(auth0.passwordLogin(person))).toBe('IDENTITY_PROVIDER_UNAVAILABLE');
      expect(calls).toHaveLength(3);
    },
  );

  it('does not sign up twice after a time-out or a 5xx, which may have created the account', async () => {
    const failing = createProvider(() => json(503, {}));
    expect(await codeOf(failing.auth0.signUp(person))).toBe('IDENTITY_PROVIDER_UNAVAILABLE');
    const silent = createProvider(() => 'silence', { timeoutMs: 10 });
    expect(await codeOf(silent.auth0.signUp(person))).toBe('IDENTITY_PROVIDER_UNAVAILABLE');
    expect([failing.calls.length, silent.calls.length]).toEqual([1, 1]);
  });

  it.each(['ECONNREFUSED', 'UND_ERR_SOCKET'])('signs up over a new connection after %s', async (code) => {
    const created = json(200, { _id: '1', email: person.email, email_verified: false });
    const { auth0 } = createProvider((_, count) => (count === 1 ? lostConnection(code) : created));
    expect(await auth0.signUp(person)).toEqual({
      subject: 'auth0|1',
      email: person.email,
      email_verified: false,
      full_name: 'An',
    });
  });

  it('opens the breaker after five failures, tries once after ten seconds, closes on success', async () => {
    let isDown = true;
    const { auth0, calls, clock } = createProvider(() => (isDown ? json(500, {}) : tokens('t')));
    const login = () => auth0.passwordLogin(person);
    await failure(login());
    await failure(login());
    expect(calls).toHaveLength(5);
    const refused = await failure(login());
    expect([refused.code, refused.retryAfterSeconds, calls.length]).toEqual([
      'IDENTITY_PROVIDER_UNAVAILABLE',
      10,
      5,
    ]);

    clock.advance(10_000);
    await failure(login());
    expect(calls).toHaveLength(6);
    clock.advance(10_000);
    isDown = false;
    await login();
    await login();
    expect(calls).toHaveLength(8);
  });

  it('does not stay open when the test clock is set back', async () => {
    let isDown = true;
    const { auth0, clock } = createProvider(() => (isDown ? json(500, {}) : tokens('t')));
    await failure(auth0.passwordLogin(person));
    await failure(auth0.passwordLogin(person));
    isDown = false;
    clock.advance(-3600_000);
    expect((await auth0.passwordLogin(person)).access_token).toBe('t');
  });

  it('does not count refusals of people as failures', async () => {
    const { auth0, calls } = createProvider(() => json(403, { error: 'invalid_grant' }));
    for (let count = 0; count < 12; count += 1) await failure(auth0.passwordLogin(person));
    expect(calls).toHaveLength(12);
  });

  it.each([
    [{ 'retry-after': '7' }, 7],
    [{ 'x-ratelimit-reset': String(Date.parse('2026-11-20T10:00:30Z') / 1000) }, 30],
    [{}, 1],
    [{ 'retry-after': '99999999' }, 3600],
  ])('passes a 429 on with its waiting time: %o', async (headers, seconds) => {
    const { auth0, calls } = createProvider(() => json(429, {}, headers));
    const error = await failure(auth0.passwordLogin(person));
    expect([error.code, error.retryAfterSeconds, calls.length]).toEqual(['RATE_LIMIT_EXCEEDED', seconds, 1]);
  });
});

describe('secrets', () => {
  it.each<[string, () => Reply]>([
    ['refusal', () => json(403, { error: 'invalid_grant' })],
    ['wrong configuration', () => json(401, { error: 'invalid_client', error_description: 'x' })],
    ['failure', () => json(500, { echoed: person.password })],
    ['broken connection', () => new TypeError('fetch failed')],
    ['weak password', () => json(400, { code: 'invalid_password', description: `no: ${person.password}` })],
  ])('are in no error: %s', async (_, reply) => {
    const login = await failure(createProvider(reply).auth0.passwordLogin(person));
    const signUp = await failure(createProvider(reply).auth0.signUp(person));
    for (const secret of [person.password, config.client_secret])
      expect(textOf(login) + textOf(signUp)).not.toContain(secret);
  });
});

describe('a client secret that was rotated', () => {
  const rotated = (answer: (secret: string) => Reply, now = 'new') => {
    const renewed: string[] = [];
    const client_secret = {
      read: () => Promise.resolve('old'),
      renew: (refused: string) => {
        renewed.push(refused);
        return Promise.resolve(now);
      },
    };
    const provider = createProvider(({ body }) => answer(body['client_secret'] ?? ''), {}, { client_secret });
    return { ...provider, renewed };
  };
  const refused = () => json(401, { error: 'access_denied', error_description: 'Unauthorized' });

  it('is read again when the provider refuses the client, and the login goes on', async () => {
    const { auth0, calls, renewed } = rotated((secret) => (secret === 'new' ? tokens('t') : refused()));
    expect(await auth0.passwordLogin(person)).toMatchObject({ access_token: 't' });
    expect(calls.map(({ body }) => body['client_secret'])).toEqual(['old', 'new']);
    expect(renewed).toEqual(['old']);
  });

  it('is read again for the management token too', async () => {
    const { auth0, calls } = rotated((secret) => {
      if (secret === '') return json(200, user());
      return secret === 'new' ? tokens('t') : refused();
    });
    expect(await auth0.readUser('auth0|1')).toMatchObject({ email: person.email });
    expect(calls.map(({ body }) => body['client_secret'])).toEqual(['old', 'new', undefined]);
  });

  it('is not sent a second time when it is still the same', async () => {
    const { auth0, calls } = rotated(refused, 'old');
    expect((await failure(auth0.passwordLogin(person))).name).toBe('Error');
    expect(calls).toHaveLength(1);
  });

  it('is not read again because a customer is refused', async () => {
    const { auth0, renewed } = rotated(() => json(403, unverified));
    expect(await codeOf(auth0.passwordLogin(person))).toBe('EMAIL_NOT_VERIFIED');
    expect(renewed).toEqual([]);
  });
});

describe('management token', () => {
  const answer = ({ path }: Call, count: number): Reply =>
    path === '/oauth/token' ? tokens(`t${count}`) : json(200, user());
  const tokenCalls = (calls: Call[]) => calls.filter(({ path }) => path === '/oauth/token').length;

  it('is asked for once, by many readers at once', async () => {
    const { auth0, calls } = createProvider(answer);
    await Promise.all(Array.from({ length: 20 }, () => auth0.readUser('auth0|1')));
    expect(tokenCalls(calls)).toBe(1);
    expect(calls[0]?.body).toMatchObject({
      grant_type: 'client_credentials',
      audience: config.management_audience,
    });
    expect(calls.at(-1)?.headers.get('authorization')).toBe('Bearer t1');
  });

  it('is renewed before it expires', async () => {
    const { auth0, calls, clock } = createProvider(answer);
    await auth0.readUser('auth0|1');
    clock.advance(0.89 * 86_400_000);
    await auth0.readUser('auth0|1');
    expect(tokenCalls(calls)).toBe(1);
    clock.advance(0.02 * 86_400_000);
    await auth0.readUser('auth0|1');
    expect(tokenCalls(calls)).toBe(2);
  });

  it('is replaced once when the provider does not accept it', async () => {
    const { auth0, calls } = createProvider((call, count) => {
      if (call.path === '/oauth/token') return tokens(`t${count}`);
      return call.headers.get('authorization') === 'Bearer t1' ? json(401, {}) : json(200, user());
    });
    expect(await auth0.readUser('auth0|1')).toMatchObject({ subject: 'auth0|1' });
    expect(tokenCalls(calls)).toBe(2);
  });

  it('is not asked for without end', async () => {
    const { auth0, calls } = createProvider(({ path }) =>
      path === '/oauth/token' ? tokens('t') : json(401, {}),
    );
    await failure(auth0.readUser('auth0|1'));
    expect(tokenCalls(calls)).toBe(2);
  });

  it('failing once does not fail the next call', async () => {
    const { auth0 } = createProvider((call, count) => (count <= 3 ? json(503, {}) : answer(call, count)));
    expect(await codeOf(auth0.readUser('auth0|1'))).toBe('IDENTITY_PROVIDER_UNAVAILABLE');
    expect(await auth0.readUser('auth0|1')).toMatchObject({ email: person.email });
  });
});

describe('users', () => {
  const withUser = (found: unknown, status = 200) =>
    createProvider(({ path }) => (path === '/oauth/token' ? tokens('t') : json(status, found)));

  it('takes the name from the metadata first, and not when it is the e-mail', async () => {
    const metadata = { full_name: 'An Nguyễn', phone: '+84901234567' };
    expect(await withUser(user({ user_metadata: metadata })).auth0.readUser('auth0|1')).toEqual({
      subject: 'auth0|1',
      email: person.email,
      email_verified: true,
      ...metadata,
    });
    expect(await withUser(user({ name: person.email })).auth0.readUser('auth0|1')).not.toHaveProperty(
      'full_name',
    );
  });

  it('counts a missing email_verified as not verified, and survives strange metadata', async () => {
    const strange = user({ email_verified: undefined, user_metadata: { phone: 7 } });
    expect(await withUser(strange).auth0.readUser('auth0|1')).toMatchObject({
      email_verified: false,
      full_name: 'An',
    });
  });

  it('escapes the subject', async () => {
    const { auth0, calls } = withUser(user());
    await auth0.readUser('auth0|../clients?x');
    expect(calls.at(-1)?.path).toBe('/api/v2/users/auth0%7C..%2Fclients%3Fx');
  });

  it('finds only users of the password connection', async () => {
    const social = user({ user_id: 'google|1', identities: [{ connection: 'google-oauth2' }] });
    expect(await withUser([social]).auth0.findUserByEmail(person.email)).toBeUndefined();
    expect(await withUser([social, user()]).auth0.findUserByEmail(' AN@example.com')).toMatchObject({
      subject: 'auth0|1',
    });
  });

  it('sends the provider the address of the customer', async () => {
    const { auth0, calls } = createProvider(() => tokens('t'));
    await auth0.passwordLogin({ ...person, clientIp: '203.0.113.7' });
    expect(calls[0]?.headers.get('auth0-forwarded-for')).toBe('203.0.113.7');
  });
});

describe('the deletion of an account', () => {
  it('is a call of the Management API, repeated when the provider fails, and done when it knows no such user', async () => {
    const answers = [json(200, { access_token: 'm', expires_in: 60 }), json(503, {}), json(404, {})];
    const { auth0, calls } = createProvider(() => answers.shift()!);
    await auth0.deleteUser('auth0|1');
    const deletion = { path: '/api/v2/users/auth0%7C1', method: 'DELETE' };
    expect(calls.slice(1)).toEqual([expect.objectContaining(deletion), expect.objectContaining(deletion)]);
  });

  it('fails without the right to delete users', async () => {
    const answers = [json(200, { access_token: 'm', expires_in: 60 }), json(403, { message: 'no scope' })];
    const { auth0 } = createProvider(() => answers.shift()!);
    expect((await failure(auth0.deleteUser('auth0|1'))).message).toContain('the deletion of a user');
  });
});

describe('a link to set a new password', () => {
  it('is asked for at the connection of the customers, and the answer is text', async () => {
    const { auth0, calls } = createProvider(
      () => new Response("We've just sent you an email.", { status: 200 }),
    );
    await auth0.sendPasswordReset(person.email);
    expect(calls.map(({ path, body }) => ({ path, body }))).toEqual([
      {
        path: '/dbconnections/change_password',
        body: { client_id: 'client', connection: 'customers', email: person.email },
      },
    ]);
  });

  it('is not requested twice when the provider fails, and the answer says so', async () => {
    const { auth0, calls } = createProvider(() => json(503, {}));
    expect(await codeOf(auth0.sendPasswordReset(person.email))).toBe('IDENTITY_PROVIDER_UNAVAILABLE');
    expect(calls).toHaveLength(1);
    const misconfigured = createProvider(() => json(400, { error: 'connection is required' })).auth0;
    const { message } = await failure(misconfigured.sendPasswordReset(person.email));
    expect(message).toContain('the password reset');
  });
});
