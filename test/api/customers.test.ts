import { DynamoDBClient, ScanCommand } from '@aws-sdk/client-dynamodb';
import { afterAll, beforeAll, describe, expect, it, vi } from 'vitest';
import { EventEntity } from '../../shared/platform/events/event.entity.ts';
import { Phone } from '../../shared/domain/people/user.schema.ts';
import {
  MembershipEntity,
  readUserByEmail,
  readUserBySubject,
} from '../../shared/domain/people/user.store.ts';
import { ServiceError } from '../../shared/platform/errors.ts';
import { put } from '../../shared/platform/table/index.ts';
import { type PartnerScene, partnerScene } from '../support/partner-scene.ts';
import { testTableName, testUser } from '../support/table.ts';

let s: PartnerScene;
beforeAll(async () => void (s = await partnerScene()));
afterAll(() => s.provider.stop());

const upwards = (one: number, other: number) => one - other;
const withoutPassword = ({ email }: { email: string }) => ({ email, user_id: expect.any(Number) as number });

describe('register', () => {
  it('answers both published shapes, mails the link and joins every team of the key', async () => {
    const key = await s.partner(2);
    const person = s.newPerson();
    const answer = await s.calls.ok(key, 'registerCustomer', { body: person });
    expect(answer).toMatchObject({
      ...withoutPassword(person),
      full_name: person.full_name,
      teams: key.team_ids,
      customer_teams: key.team_ids,
      requires_email_verification: true,
      user: {
        id: answer.user_id,
        email: person.email,
        phone: person.phone,
        email_verified: false,
        verification_status: 'PENDING',
        status: 'ACTIVE',
        last_login_at: null,
        teams: key.team_ids.map((team_id) => ({ team_id, role: 'CUSTOMER', state: 'ACTIVE' })),
      },
    });
    expect(s.mailsTo(person.email)).toBe(1);
    const items = await s.deps.table.queryAll(EventEntity, {
      pk: `USER#${answer.user_id}`,
      prefix: 'EVENT#',
    });
    expect(items).toMatchObject([
      {
        event_type: 'customer.registered',
        team_id: key.team_ids[0],
        actor: `key:${key.key_id}`,
        data: { id: answer.user_id, team_ids: key.team_ids },
      },
    ]);
  });

  it.each(['Short-1', 'no-upper-case-1', 'NO-LOWER-CASE-1', 'No-Digit-At-All', ''])(
    'refuses the password %j before the provider is asked',
    async (password) => {
      const asked = vi.spyOn(s.identity, 'signUp');
      const refusal = await s.calls.refusal(await s.partner(), 'registerCustomer', {
        body: { ...s.newPerson(), password },
      });
      expect(refusal).toMatchObject({ status: 400, code: 'VALIDATION_ERROR' });
      expect(new Set(refusal.paths)).toEqual(new Set(['password']));
      expect(asked).not.toHaveBeenCalled();
      asked.mockRestore();
    },
  );

  it('refuses an e-mail that exists at the provider, whether its user is known here or not', async () => {
    const key = await s.partner();
    const person = s.newPerson();
    await s.calls.ok(key, 'registerCustomer', { body: person });
    for (const who of [key, await s.partner()])
      expect(await s.calls.refusal(who, 'registerCustomer', { body: person })).toMatchObject({
        status: 409,
        code: 'CUSTOMER_ALREADY_EXISTS',
      });
  });

  // A request during the first one completes the same record (D56); one after it is refused.
  it('makes one customer of three at once', async () => {
    const key = await s.partner();
    const person = s.newPerson();
    const replies = await Promise.all(
      [1, 2, 3].map(() => s.calls.call(key, 'registerCustomer', { body: person })),
    );
    const made = replies.filter(({ status }) => status === 201);
    expect(made.length).toBeGreaterThan(0);
    expect(replies.every(({ status }) => status === 201 || status === 409)).toBe(true);
    const ids = made.map(({ text }) => (JSON.parse(text) as { user_id: number }).user_id);
    expect(new Set(ids).size).toBe(1);
  });

  it('answers a repetition with an Idempotency-Key with the first answer', async () => {
    const key = await s.partner();
    const asked = { body: s.newPerson(), headers: { 'Idempotency-Key': 'register-1' } };
    const [first, again] = [
      await s.calls.call(key, 'registerCustomer', asked),
      await s.calls.call(key, 'registerCustomer', asked),
    ];
    expect([again.status, again.text]).toEqual([201, first.text]);
    expect(again.headers['Idempotent-Replayed']).toBe('true');
  });

  it('passes on that the provider limits us, and that it is away', async () => {
    const key = await s.partner();
    const limited = new ServiceError('RATE_LIMIT_EXCEEDED', 'limited', {}, { retryAfterSeconds: 7 });
    for (const [error, status] of [
      [limited, 429],
      [new ServiceError('IDENTITY_PROVIDER_UNAVAILABLE'), 502],
    ] as const) {
      const fails = vi.spyOn(s.identity, 'signUp').mockRejectedValueOnce(error);
      const reply = await s.calls.call(key, 'registerCustomer', { body: s.newPerson() });
      expect(reply.status).toBe(status);
      if (status === 429) expect(reply.headers['Retry-After']).toBe('7');
      fails.mockRestore();
    }
  });
});

describe('a registration that dies between the provider and the table (D56)', () => {
  const strand = async () => {
    const key = await s.partner();
    const person = s.newPerson();
    const dying = s.deps.table.waitingFor(() => Promise.resolve());
    dying.waitingFor = () => dying;
    dying.transact = () => Promise.reject(new Error('the process died'));
    expect((await s.callsOver(dying).call(key, 'registerCustomer', { body: person })).status).toBe(500);
    const account = await s.identity.findUserByEmail(person.email);
    expect(await readUserBySubject(s.deps.table, account?.subject ?? '')).toBeUndefined();
    return { key, person };
  };

  it('is completed by the same call', async () => {
    const { key, person } = await strand();
    const answer = await s.calls.ok(key, 'registerCustomer', { body: person });
    expect(answer).toMatchObject({ ...withoutPassword(person), teams: key.team_ids });
  });

  it('is not completed by a caller who does not know the password', async () => {
    const { key, person } = await strand();
    const other = { ...person, password: 'Another-2027' };
    expect(await s.calls.refusal(key, 'registerCustomer', { body: other })).toMatchObject({ status: 409 });
  });

  it('is completed by the first login, also while that is refused', async () => {
    const { key, person } = await strand();
    const { email, password } = person;
    const refusal = await s.calls.refusal(key, 'logInCustomer', { body: { email, password } });
    expect(refusal.code).toBe('EMAIL_NOT_VERIFIED');
    const user_id = Number(refusal.details['user_id']);
    expect(await s.calls.ok(key, 'getCustomer', { params: { user_id } })).toMatchObject({ email });
    await s.verify(email);
    expect(await s.calls.ok(key, 'logInCustomer', { body: { email, password } })).toMatchObject({ user_id });
  });
});

it('a password is in no item of the table, no answer and no log line', async () => {
  const key = await s.partner();
  const person = s.newPerson();
  const lines: unknown[] = [];
  const spies = (['debug', 'info', 'warn', 'error'] as const).map((level) =>
    vi.spyOn(s.deps.log, level).mockImplementation((...given) => void lines.push(given)),
  );
  const headers = { 'Idempotency-Key': 'secret-1' };
  const replies = [
    await s.calls.call(key, 'registerCustomer', { body: person, headers }),
    await s.calls.call(key, 'registerCustomer', { body: { ...person, phone: 7 } }),
    await s.calls.call(key, 'logInCustomer', { body: person, headers }),
    await s.calls.call(key, 'logInCustomer', { body: { email: person.email, password: person.password } }),
  ];
  for (const spy of spies) spy.mockRestore();
  const client = new DynamoDBClient({});
  const items: unknown[] = [];
  let after: Record<string, never> | undefined;
  do {
    const page = await client.send(
      new ScanCommand({ TableName: await testTableName(), ...(after ? { ExclusiveStartKey: after } : {}) }),
    );
    items.push(...(page.Items ?? []));
    after = page.LastEvaluatedKey as typeof after;
  } while (after);
  expect(JSON.stringify([items, lines, replies])).not.toContain(person.password);
  expect(JSON.stringify(items)).toContain(person.email);
});

describe('login', () => {
  const registered = async (teams = 1) => {
    const key = await s.partner(teams);
    const person = s.newPerson();
    const { user_id } = await s.calls.ok(key, 'registerCustomer', { body: person });
    const { email, password } = person;
    return { key, person, user_id, login: { body: { email, password } } };
  };

  it('before the verification is refused in the published shape', async () => {
    const { key, user_id, login } = await registered();
    const { status, text } = await s.calls.call(key, 'logInCustomer', login);
    expect(status).toBe(403);
    expect(JSON.parse(text)).toEqual({
      error: 'EMAIL_NOT_VERIFIED',
      code: 'EMAIL_NOT_VERIFIED',
      message: expect.any(String) as string,
      details: { user_id, verification_status: 'PENDING', action_required: 'VERIFY_EMAIL' },
      request_id: expect.any(String) as string,
    });
  });

  it('answers both published shapes and sets last_login_at', async () => {
    const { key, person, user_id, login } = await registered(2);
    await s.verify(person.email);
    const answer = await s.calls.ok(key, 'logInCustomer', login);
    expect(answer).toMatchObject({
      token_type: 'Bearer',
      expires_in: 86_400,
      user_id,
      email: person.email,
      full_name: person.full_name,
      teams: key.team_ids.toSorted(upwards),
      customer_teams: key.team_ids.toSorted(upwards),
      user: { id: user_id, email_verified: true, last_login_at: new Date(s.deps.clock.now()).toISOString() },
    });
    expect(answer.access_token.split('.')).toHaveLength(3);
    expect(answer.id_token?.split('.')).toHaveLength(3);
  });

  it('follows an address that was changed at the provider, for others who had it too', async () => {
    const { key, person, user_id, login } = await registered();
    await s.verify(person.email);
    await s.calls.ok(key, 'logInCustomer', login);
    const { subject } = (await s.identity.findUserByEmail(person.email))!;
    const email = s.newPerson().email;
    await s.changeAccount(subject, { email });
    const again = { body: { email, password: person.password } };
    expect(await s.calls.ok(key, 'logInCustomer', again)).toMatchObject({ user_id, email });
    const next = { ...s.newPerson(), email: person.email, email_verified: true };
    await s.provider.createUser(next);
    const other = { body: { email: next.email, password: next.password } };
    const { user_id: taker } = await s.calls.ok(key, 'logInCustomer', other);
    expect(taker).not.toBe(user_id);
    expect((await readUserByEmail(s.deps.table, person.email))?.user.user_id).toBe(taker);
  });

  it('needs no registration', async () => {
    const key = await s.partner(2);
    const person = { ...s.newPerson(), email_verified: true };
    await s.provider.createUser(person);
    const { email, password } = person;
    const answer = await s.calls.ok(key, 'logInCustomer', { body: { email, password } });
    expect(answer).toMatchObject({ email, full_name: person.full_name, teams: key.team_ids });
    const other = await s.partner();
    const again = await s.calls.ok(other, 'logInCustomer', { body: { email, password } });
    expect(again).toMatchObject({ user_id: answer.user_id, teams: other.team_ids });
    expect(again.user.teams.map(({ team_id }) => team_id)).toEqual(other.team_ids);
  });

  it('activates an INACTIVE membership and leaves a host what the host is', async () => {
    const { key, person, user_id, login } = await registered(2);
    await s.verify(person.email);
    const [first = 0, second = 0] = key.team_ids;
    const since = { user_id, created_at: '2027-01-01T00:00:00.000Z' };
    await s.deps.table.transact([
      put(MembershipEntity, { ...since, team_id: first, role: 'CUSTOMER', state: 'INACTIVE' }),
      put(MembershipEntity, { ...since, team_id: second, role: 'MANAGER', state: 'ACTIVE' }),
    ]);
    expect((await s.calls.ok(key, 'logInCustomer', login)).user.teams).toEqual(
      [
        { team_id: first, role: 'CUSTOMER', state: 'ACTIVE' },
        { team_id: second, role: 'MANAGER', state: 'ACTIVE' },
      ].sort((one, other) => one.team_id - other.team_id),
    );
  });

  it('with a wrong password is INVALID_CREDENTIALS, also for an unknown address', async () => {
    const { key, person } = await registered();
    for (const email of [person.email, s.newPerson().email])
      expect(
        await s.calls.refusal(key, 'logInCustomer', { body: { email, password: 'Wrong-2027' } }),
      ).toMatchObject({ status: 401, code: 'INVALID_CREDENTIALS' });
  });

  it('joins once when 5 come at once', async () => {
    const { person, login } = await registered();
    await s.verify(person.email);
    const other = await s.partner(3);
    const answers = await Promise.all([1, 2, 3, 4, 5].map(() => s.calls.ok(other, 'logInCustomer', login)));
    for (const answer of answers)
      expect(answer.teams.toSorted(upwards)).toEqual(other.team_ids.toSorted(upwards));
  });
});

const rowsOfOne = [
  ['getCustomer', undefined],
  ['updateCustomer', { phone: '+84 1234 5678' }],
  ['readLoginStatus', undefined],
  ['resendVerification', undefined],
  ['readEmailVerification', undefined],
  ['removeCustomer', undefined],
] as const;

it.each([
  ['+84 901 234 567', true],
  ['028 (3822) 1234', true],
  ['+123456789012345', true],
  ['+1234567890123456', false],
  ['123456789012345678901234567890', false],
  ['1(((((', false],
  ['+84 abc', false],
])('a telephone number has 5 to 15 digits: %s', (text, isOne) => {
  expect(Phone.safeParse(text).success).toBe(isOne);
});

describe('the customers of a key', () => {
  const filled = async (count: number) => {
    const key = await s.partner(2);
    const [first = 0, second = 0] = key.team_ids;
    const ids: number[] = [];
    for (let at = 0; at < count; at++) {
      const { user } = await testUser(s.deps, {
        memberships: [first, ...(at % 2 ? [second] : [])].map((team_id) => ({ team_id, role: 'CUSTOMER' })),
      });
      ids.push(user.user_id);
    }
    const host = await testUser(s.deps, { memberships: [{ team_id: first, role: 'OWNER' }] });
    return { key, first, second, host, ids: ids.sort((one, other) => other - one) };
  };

  it('are listed once each, newest first, by page and by cursor', async () => {
    const { key, ids, second } = await filled(7);
    const all = await s.calls.ok(key, 'listCustomers');
    expect(all).toMatchObject({ total: 7, page: 1, limit: 20, total_pages: 1, next_cursor: null });
    expect(all.items.map(({ id }) => id)).toEqual(ids);
    const seen: number[] = [];
    let cursor: string | null = null;
    do {
      const query: Record<string, string> = { limit: '2', ...(cursor === null ? {} : { cursor }) };
      const page: Awaited<ReturnType<typeof s.calls.ok<'listCustomers'>>> = await s.calls.ok(
        key,
        'listCustomers',
        { query },
      );
      expect(page.total).toBe(7);
      seen.push(...page.items.map(({ id }) => id));
      cursor = page.next_cursor;
    } while (cursor !== null);
    expect(seen).toEqual(ids);
    const third = await s.calls.ok(key, 'listCustomers', { query: { limit: '2', page: '3' } });
    expect(third.items.map(({ id }) => id)).toEqual(ids.slice(4, 6));
    const one = await s.calls.ok(key, 'listCustomers', { query: { team_id: String(second) } });
    expect(one.total).toBe(3);
  });

  it('of another team are not found', async () => {
    const { key } = await filled(1);
    const strange = (await s.partner()).team_ids[0] ?? 0;
    for (const query of [{ team_id: String(strange) }, { team_ids: `[${strange}]` }, { team_ids: '[]' }])
      expect(await s.calls.ok(key, 'listCustomers', { query })).toMatchObject({ items: [], total: 0 });
    expect(await s.calls.refusal(key, 'listCustomers', { query: { team_ids: '1,2' } })).toMatchObject({
      code: 'EXTERNAL_INVALID_REQUEST',
    });
  });

  it('are read, changed and removed; hosts, strangers and unknown ids are not accessible', async () => {
    const { key, first, ids, host } = await filled(1);
    const params = { user_id: ids[0] ?? 0 };
    const changed = await s.calls.ok(key, 'updateCustomer', { params, body: { full_name: 'Bình Trần' } });
    expect(changed.full_name).toBe('Bình Trần');
    expect(await s.calls.ok(key, 'getCustomer', { params })).toEqual(changed);
    const other = await s.partner();
    for (const [who, user_id] of [
      [other, params.user_id],
      [key, host.user.user_id],
      [key, 4711],
    ] as const)
      for (const [id, body] of rowsOfOne)
        expect(
          await s.calls.refusal(who, id, {
            params: { user_id, ...(id === 'removeCustomer' && { team_id: first }) },
            body,
          }),
          id,
        ).toMatchObject({ status: 403, code: 'EXTERNAL_CUSTOMER_NOT_ACCESSIBLE' });
    const removed = await s.calls.ok(key, 'removeCustomer', { params: { ...params, team_id: first } });
    expect(removed).toMatchObject({ ...params, team_id: first });
    expect((await s.calls.refusal(key, 'getCustomer', { params })).status).toBe(403);
    expect(
      (await s.calls.refusal(key, 'removeCustomer', { params: { ...params, team_id: first } })).status,
    ).toBe(403);
  });

  it('keep e-mail, role and verification to themselves', async () => {
    const { key, ids } = await filled(1);
    const refusal = await s.calls.refusal(key, 'updateCustomer', {
      params: { user_id: ids[0] ?? 0 },
      body: { email: 'x@example.com', email_verified: true, system_role: 'ADMIN' },
    });
    expect(refusal.paths.sort()).toEqual(['email', 'email_verified', 'system_role']);
  });
});

describe('the verification of an e-mail', () => {
  const registered = async () => {
    const key = await s.partner();
    const person = s.newPerson();
    const { user_id } = await s.calls.ok(key, 'registerCustomer', { body: person });
    return { key, person, user_id, asked: { params: { user_id } } };
  };

  it('is read live, and the login status follows', async () => {
    const { key, person, user_id, asked } = await registered();
    const before = await s.calls.ok(key, 'readEmailVerification', asked);
    expect(before).toEqual({ user_id, email: person.email, email_verified: false, has_auth0_account: true });
    expect(await s.calls.ok(key, 'readLoginStatus', asked)).toMatchObject({
      user_id,
      status: 'ACTIVE',
      email_verified: false,
      can_login: false,
      last_login_at: null,
    });
    await s.verify(person.email);
    expect((await s.calls.ok(key, 'readEmailVerification', asked)).email_verified).toBe(true);
    const status = await s.calls.ok(key, 'readLoginStatus', asked);
    expect([status.email_verified, status.can_login]).toEqual([true, true]);
  });

  it('says so when the provider is away, where it has to be live', async () => {
    const { key, asked } = await registered();
    const away = vi
      .spyOn(s.identity, 'readUser')
      .mockRejectedValue(new ServiceError('IDENTITY_PROVIDER_UNAVAILABLE'));
    expect((await s.calls.refusal(key, 'readEmailVerification', asked)).status).toBe(502);
    expect((await s.calls.call(key, 'readLoginStatus', asked)).status).toBe(200);
    away.mockRestore();
  });

  it('is asked for again three times an hour', async () => {
    const { key, person, asked } = await registered();
    for (let at = 0; at < 3; at++) await s.calls.ok(key, 'resendVerification', asked);
    const reply = await s.calls.call(key, 'resendVerification', asked);
    expect([reply.status, reply.headers['Retry-After']]).toEqual([429, '3600']);
    expect(s.mailsTo(person.email)).toBe(4);
    s.deps.clock.advance(3_600_000);
    await s.calls.ok(key, 'resendVerification', asked);
  });

  it('is not counted when nothing was sent, and not needed once it is done', async () => {
    const { key, person, asked } = await registered();
    const fails = vi
      .spyOn(s.identity, 'sendVerificationEmail')
      .mockRejectedValue(new ServiceError('IDENTITY_PROVIDER_UNAVAILABLE'));
    for (let at = 0; at < 4; at++)
      expect((await s.calls.refusal(key, 'resendVerification', asked)).status).toBe(502);
    fails.mockRestore();
    expect((await s.calls.ok(key, 'resendVerification', asked)).email_verified).toBe(false);
    await s.verify(person.email);
    const mails = s.mailsTo(person.email);
    expect((await s.calls.ok(key, 'resendVerification', asked)).email_verified).toBe(true);
    expect(s.mailsTo(person.email)).toBe(mails);
  });
});

describe('a new password', () => {
  const ask = (key: Awaited<ReturnType<PartnerScene['partner']>>, email: string, headers = {}) =>
    s.calls.call(key, 'requestPasswordReset', { body: { email }, headers });

  it('is set by a link that is mailed, and the answer does not depend on the account', async () => {
    const key = await s.partner();
    const person = s.newPerson();
    await s.calls.ok(key, 'registerCustomer', { body: person });
    await s.verify(person.email);
    const stranger = s.newPerson().email;
    const [known, unknown] = [await ask(key, person.email.toUpperCase()), await ask(key, stranger)];
    expect([known.status, unknown.status]).toEqual([202, 202]);
    expect(unknown.text.replace(stranger, '')).toBe(known.text.replace(person.email, ''));
    expect([s.mailsTo(person.email), s.mailsTo(stranger)]).toEqual([2, 0]);
    const password = 'Another-2027';
    await s.setPassword(person.email, password);
    const logIn = (given: string) =>
      s.calls.call(key, 'logInCustomer', { body: { email: person.email, password: given } });
    expect([(await logIn(person.password)).status, (await logIn(password)).status]).toEqual([401, 200]);
  });

  it('is asked for three times an hour with a key for an address, whether or not there is an account', async () => {
    const [key, other] = [await s.partner(), await s.partner()];
    const person = s.newPerson();
    await s.calls.ok(key, 'registerCustomer', { body: person });
    for (const email of [person.email, s.newPerson().email]) {
      const tries = [
        await ask(key, email),
        await ask(key, email),
        await ask(key, email),
        await ask(key, email),
      ];
      expect(tries.map(({ status }) => status)).toEqual([202, 202, 202, 429]);
      expect(tries[3]?.headers['Retry-After']).toBe('3600');
      expect(tries[3]?.text).not.toContain(email);
      expect((await ask(other, email)).status).toBe(202);
    }
    expect((await ask(key, s.newPerson().email)).status).toBe(202);
    s.deps.clock.advance(3_600_000);
    expect((await ask(key, person.email)).status).toBe(202);
  });

  it('is asked for three times in all by twenty at once', async () => {
    const key = await s.partner();
    const email = s.newPerson().email;
    const tries = await Promise.all(Array.from({ length: 20 }, () => ask(key, email)));
    expect(tries.filter(({ status }) => status === 202)).toHaveLength(3);
    expect(tries.filter(({ status }) => status === 429)).toHaveLength(17);
  });

  it('is not counted while the provider is away, and mailed once under one Idempotency-Key', async () => {
    const key = await s.partner();
    const person = s.newPerson();
    await s.calls.ok(key, 'registerCustomer', { body: person });
    const away = vi
      .spyOn(s.identity, 'sendPasswordReset')
      .mockRejectedValue(new ServiceError('IDENTITY_PROVIDER_UNAVAILABLE'));
    for (let at = 0; at < 4; at++) expect((await ask(key, person.email)).status).toBe(502);
    away.mockRestore();
    const headers = { 'Idempotency-Key': 'reset-1' };
    for (let at = 0; at < 5; at++) expect((await ask(key, person.email, headers)).status).toBe(202);
    expect(s.mailsTo(person.email)).toBe(2);
  });

  it.each([{}, { email: 'no-address' }, { email: 'an@example.com', user_id: 1 }])(
    'refuses %j',
    async (body) => {
      const refusal = await s.calls.refusal(await s.partner(), 'requestPasswordReset', { body });
      expect(refusal.code).toBe('VALIDATION_ERROR');
    },
  );
});
