import { beforeAll, describe, expect, it, vi } from 'vitest';
import { invitations } from '../../functions/invitations/index.ts';
import { invitationsRoutes } from '../../functions/invitations/routes.ts';
import { noteFirstPassword } from '../../shared/domain/people/first-password.store.ts';
import { planAdoption } from '../../shared/domain/people/find-or-create-user.ts';
import { promoteUser } from '../../shared/domain/people/promote-user.ts';
import { readUser } from '../../shared/domain/people/user.store.ts';
import { machineClock } from '../../shared/platform/time/clock.ts';
import { type Api, api, type Asked, type Reply } from '../support/api.ts';
import { apiAddress, freshEmail, mailedSecret, testPerson, type TestPerson } from '../support/invitations.ts';
import { freshId, testKey, testTeam, testUser } from '../support/table.ts';

let s: Api;
let team_id: number;
let owner: { token: string };
beforeAll(async () => {
  s = await api({ extra: (deps) => [{ group: invitationsRoutes, handler: invitations(() => deps) }] });
  ({ team_id } = await testTeam(s.deps, { name: 'Hoa Nắng' }));
  const { caller } = await testUser(s.deps, { memberships: [{ team_id, role: 'OWNER' }] });
  owner = { token: caller.subject };
});

const bodyOf = ({ body }: Reply) => body as Record<string, unknown>;
const seconds = (): number => Math.floor(machineClock.now() / 1000);
const members = (method: 'GET' | 'POST', asked: Asked = {}) =>
  s.call(method, '/api/v1/team/members', { ...owner, ...asked });
const invite = async (email: string, role = 'MANAGER') => members('POST', { body: { email, role } });
const invited = async (email: string, role = 'MANAGER') => {
  expect(await invite(email, role)).toMatchObject({ status: 201, body: { state: 'INVITED' } });
  return mailedSecret(s.deps, { team_id, email });
};
const look = (secret: string) => s.call('GET', `/api/v1/invitations/${secret}`);
const reset = (secret: string) => s.call('POST', `/api/v1/invitations/${secret}/reset`);
/** A token is the subject and when it was issued. */
const as = ({ caller }: TestPerson, iat = seconds()): Asked => ({ token: caller.subject, claims: { iat } });
const accept = (secret: string, who: Asked) => s.call('POST', `/api/v1/invitations/${secret}/accept`, who);
const keysBy = async (who: Asked) =>
  (await s.call('GET', '/api/v1/team/keys', { ...who, team: team_id })).status;
const listOf = async () =>
  (await members('GET')).body as {
    items: { email: string; state: string; user_id: number; expires_at: string | null }[];
  };

describe('an invitation', () => {
  it('gives nothing before it is accepted, also to a verified account, and says what it is to', async () => {
    const person = await testPerson(s.deps);
    const secret = await invited(person.email, 'OWNER');
    expect(await keysBy(as(person))).toBe(403);
    expect((await look(secret)).body).toEqual({
      ...{ team_name: 'Hoa Nắng', role: 'OWNER', email: `${person.email[0]}***@example.com` },
      expires_at: expect.any(String) as string,
    });
    const { items } = await listOf();
    expect(items.find(({ email }) => email === person.email)).toMatchObject({ state: 'INVITED' });
  });

  it('accepted, gives the role to its token and to later ones, and to none from before', async () => {
    const person = await testPerson(s.deps);
    const secret = await invited(person.email, 'OWNER');
    const now = seconds();
    const [old, used, same] = [as(person, now - 60), as(person, now - 30), as(person, now)];
    const reply = await accept(secret, used);
    expect(reply).toMatchObject({
      status: 200,
      body: { user_id: person.user.user_id, team_id, team_name: 'Hoa Nắng', role: 'OWNER', state: 'ACTIVE' },
    });
    expect(await keysBy(used)).toBe(200);
    expect(await keysBy(as(person, seconds() + 5))).toBe(200);
    expect([await keysBy(old), await keysBy(same)]).toEqual([403, 403]);
    const teams = async (who: Asked) => bodyOf(await s.call('GET', '/api/v1/auth/me', who))['teams'];
    expect([await teams(old), await teams(used)]).toMatchObject([[], [{ team_id, role: 'OWNER' }]]);
  });

  it('is accepted again by the same person with the same answer, and by no other', async () => {
    const [person, other] = [await testPerson(s.deps), await testPerson(s.deps)];
    const secret = await invited(person.email);
    const first = await accept(secret, as(person));
    expect(await accept(secret, as(person, seconds() + 9))).toMatchObject({
      status: 200,
      body: bodyOf(first),
    });
    expect(await accept(secret, as(other))).toMatchObject({ status: 404, body: { code: 'NOT_FOUND' } });
    expect((await look(secret)).status).toBe(404);
    await s.call('DELETE', `/api/v1/team/members/${person.user.user_id}`, owner);
    expect((await accept(secret, as(person))).status).toBe(404);
  });

  it('is repeated under an Idempotency-Key byte for byte', async () => {
    const person = await testPerson(s.deps);
    const secret = await invited(person.email);
    const asked = { ...as(person), headers: { 'Idempotency-Key': 'accepts' } };
    const first = await accept(secret, asked);
    expect(await accept(secret, asked)).toMatchObject({
      text: first.text,
      headers: { 'idempotent-replayed': 'true' },
    });
  });

  it('is for the person who has the address at the provider now', async () => {
    const [person, other] = [await testPerson(s.deps), await testPerson(s.deps)];
    const secret = await invited(person.email);
    const foreign = { status: 403, body: { code: 'INVITATION_FOR_ANOTHER_ADDRESS' } };
    expect(await accept(secret, as(other))).toMatchObject(foreign);
    const { subject } = person.caller;
    // Another person's account gets the address, unverified at first.
    s.deps.provider.add({ subject, email: freshEmail() });
    expect(await accept(secret, as(person))).toMatchObject(foreign);
    s.deps.provider.add({ subject: other.caller.subject, email: person.email, email_verified: false });
    expect(await accept(secret, as(other))).toMatchObject({
      status: 403,
      body: { code: 'USER_NOT_VERIFIED' },
    });
    s.deps.provider.add({ subject: other.caller.subject, email: person.email });
    expect((await accept(secret, as(other))).status).toBe(200);
  });

  it('that is unknown, withdrawn or replaced is not found', async () => {
    const person = await testPerson(s.deps);
    const first = await invited(person.email);
    const second = await invited(person.email, 'STAFF');
    expect([(await look(first)).status, bodyOf(await look(second))['role']]).toEqual([404, 'STAFF']);
    const open = (await listOf()).items.filter(({ email }) => email === person.email);
    expect(open).toHaveLength(1);
    const path = `/api/v1/team/members/${open[0]!.user_id}`;
    expect(await s.call('DELETE', path, owner)).toMatchObject({
      status: 200,
      body: { id: open[0]!.user_id },
    });
    expect((await s.call('DELETE', path, owner)).status).toBe(404);
    for (const secret of [first, second, 'never-mailed']) {
      expect((await look(secret)).status).toBe(404);
      expect((await accept(secret, as(person))).status).toBe(404);
      expect((await reset(secret)).status).toBe(404);
    }
  });

  it('is made three times an hour for an address', async () => {
    const email = freshEmail();
    for (let times = 0; times < 3; times++) expect((await invite(email)).status).toBe(201);
    expect(await invite(email)).toMatchObject({ status: 429, body: { code: 'RATE_LIMIT_EXCEEDED' } });
    expect((await invite(freshEmail())).status).toBe(201);
    // Mails of a day to come are those of a clock that was turned back.
    vi.useFakeTimers({ toFake: ['Date'] });
    try {
      vi.setSystemTime(machineClock.now() - 86_400_000);
      expect((await invite(email)).status).toBe(201);
    } finally {
      vi.useRealTimers();
    }
  });

  it('is made 30 times an hour for a team, withdrawn ones included', async () => {
    const other = await testTeam(s.deps);
    const { caller } = await testUser(s.deps, { memberships: [{ team_id: other.team_id, role: 'OWNER' }] });
    const asked = () =>
      members('POST', { token: caller.subject, body: { email: freshEmail(), role: 'STAFF' } });
    for (let times = 0; times < 30; times++) {
      const reply = await asked();
      expect(reply.status).toBe(201);
      const path = `/api/v1/team/members/${bodyOf(reply)['user_id'] as number}`;
      if (times % 2 === 0) await s.call('DELETE', path, { token: caller.subject });
    }
    expect(await asked()).toMatchObject({ status: 429, body: { code: 'RATE_LIMIT_EXCEEDED' } });
  });

  it('of a member is refused: an owner changes the role', async () => {
    const person = await testPerson(s.deps);
    const secret = await invited(person.email);
    await accept(secret, as(person));
    const email = freshEmail();
    const second = await invited(email);
    s.deps.provider.add({ subject: person.caller.subject, email });
    expect(await accept(second, as(person))).toMatchObject({
      status: 409,
      body: { code: 'INVALID_STATE_TRANSITION' },
    });
  });

  it('is not accepted while the identity provider does not answer, nor by an account that it has not', async () => {
    const person = await testPerson(s.deps);
    const secret = await invited(person.email);
    s.deps.provider.isDown = true;
    const down = { status: 502, body: { code: 'IDENTITY_PROVIDER_UNAVAILABLE' } };
    expect(await accept(secret, as(person))).toMatchObject(down);
    expect(await reset(secret)).toMatchObject(down);
    s.deps.provider.isDown = false;
    s.deps.provider.accounts.delete(person.caller.subject);
    expect((await accept(secret, as(person))).status).toBe(401);
  });

  it('takes no text that could not be a secret', async () => {
    expect(await look('x'.repeat(200))).toMatchObject({ status: 400, body: { code: 'VALIDATION_ERROR' } });
  });
});

describe('an account whose first password a partner chose', () => {
  /** A person whom a partner has registered, and who has verified the address since. */
  const registered = async () => {
    const email = freshEmail();
    const { caller } = await testKey(s.deps, { team_ids: [freshId()] });
    await noteFirstPassword(s.deps.table, email, caller);
    const account = s.deps.provider.add({ email });
    const { found, writes } = await planAdoption(s.deps, account, { caller, isLogin: false });
    await s.deps.table.transact(writes);
    return {
      email,
      account,
      found,
      token: (iat = seconds()) => ({ token: account.subject, claims: { iat } }),
    };
  };

  it('accepts with a token from after a password reset alone, which the answer names', async () => {
    const { email, account, token } = await registered();
    const secret = await invited(email, 'OWNER');
    const required = {
      status: 403,
      body: { code: 'PASSWORD_RESET_REQUIRED', details: { action_required: 'RESET_PASSWORD' } },
    };
    const refused = await accept(secret, token());
    expect(refused).toMatchObject(required);
    expect(bodyOf(refused)['message']).toContain('/reset');
    const changedAt = Math.floor(Date.parse('2027-02-01T03:00:00.000Z') / 1000);
    s.deps.provider.add({ ...account, last_password_reset: '2027-02-01T03:00:00.400Z' });
    expect(await accept(secret, token(changedAt - 1))).toMatchObject(required);
    expect((await accept(secret, token(changedAt))).status).toBe(200);
  });

  it('is known also where a registration was left half-way, and of records from before that was stored', async () => {
    const { found } = await registered();
    expect(found.user.first_password_by).toMatch(/^key:\d+$/);
    const email = freshEmail();
    const { caller } = await testKey(s.deps, { team_ids: [freshId()] });
    const account = s.deps.provider.add({ email });
    const { writes, found: old } = await planAdoption(s.deps, account, { caller, isLogin: false });
    expect(old.user.first_password_by).toBe(null);
    Reflect.deleteProperty(old.user, 'first_password_by');
    await s.deps.table.transact(writes);
    const secret = await invited(email);
    const who = { token: account.subject, claims: { iat: seconds() } };
    expect(bodyOf(await accept(secret, who))['code']).toBe('PASSWORD_RESET_REQUIRED');
  });

  it('gets the reset mail of the provider, three times an hour', async () => {
    const { email } = await registered();
    const secret = await invited(email);
    expect(await reset(secret)).toMatchObject({ status: 202, body: { email: `${email[0]}***@example.com` } });
    expect(s.deps.provider.calls).toContain(`sendPasswordReset ${email}`);
    await reset(secret);
    await reset(secret);
    expect(await reset(secret)).toMatchObject({ status: 429, body: { code: 'RATE_LIMIT_EXCEEDED' } });
  });
});

describe('an invitation to the platform’s staff', () => {
  it('makes its token and later ones those of an ADMIN', async () => {
    const person = await testPerson(s.deps);
    const { email } = person;
    await promoteUser(s.deps, { email, role: 'ADMIN', api_url: apiAddress });
    expect(await keysBy(as(person))).toBe(403);
    const secret = await mailedSecret(s.deps, { team_id: null, email });
    expect((await look(secret)).body).toMatchObject({ team_name: null, role: 'ADMIN' });
    const [old, used] = [as(person, seconds() - 60), as(person, seconds() - 30)];
    const reply = await accept(secret, used);
    expect(reply).toMatchObject({ status: 200, body: { team_id: null, team_name: null, role: 'ADMIN' } });
    expect(await accept(secret, used)).toMatchObject({ status: 200, body: bodyOf(reply) });
    expect([await keysBy(used), await keysBy(as(person, seconds() + 5)), await keysBy(old)]).toEqual([
      200, 200, 403,
    ]);
    await promoteUser(s.deps, { email, role: 'USER', api_url: apiAddress });
    expect(await keysBy(used)).toBe(403);
    expect((await accept(secret, used)).status).toBe(404);
    expect((await readUser(s.deps.table, person.user.user_id))?.user.system_role).toBe('USER');
  });
});
