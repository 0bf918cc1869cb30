import { beforeEach, describe, expect, test } from 'vitest';
import { blockUser, unblockUser } from '../../shared/domain/people/block-user.ts';
import { findOrCreateUser } from '../../shared/domain/people/find-or-create-user.ts';
import { getCustomer, readLoginStatus } from '../../shared/domain/people/customers.ts';
import { newKeyText } from '../../shared/domain/people/key.store.ts';
import { logInCustomer } from '../../shared/domain/people/sessions.ts';
import { MembershipEntity, readUser, readUserBySubject } from '../../shared/domain/people/user.store.ts';
import { type Api, api } from '../support/api.ts';
import { interruptedTable } from '../support/interrupted.ts';
import { answerOf, playOperator, refusalOf } from '../support/operator.ts';
import { tableDump } from '../support/table-dump.ts';
import { freshId, testContext, testKey, testTeam, testUser } from '../support/table.ts';

const me = '/api/v1/auth/me';

let service: Api;
let deps: Api['deps'];
beforeEach(async () => {
  service = await api({});
  deps = service.deps;
});

const operator = (...args: string[]) => playOperator(deps, args);
const statusWith = async (token: string) => (await service.call('GET', me, { token })).status;
const recordOf = async (user_id: number) => (await readUser(deps.table, user_id))?.user;

describe('a blocked account', () => {
  test('is refused as an unknown one, keeps its memberships, and comes back when unblocked', async () => {
    const { team_id } = await testTeam(deps);
    const { user, caller } = await testUser(deps, { memberships: [{ team_id, role: 'OWNER' }] });
    expect(await statusWith(caller.subject)).toBe(200);
    const { key } = await testKey(deps, { team_ids: [team_id], created_by: user.user_id, name: 'own' });
    await testKey(deps, { team_ids: [team_id], created_by: freshId() });
    expect(answerOf(await operator('user', 'block', '--email', user.email))).toEqual({
      user_id: user.user_id,
      status: 'BLOCKED',
      teams: [{ team_id, role: 'OWNER' }],
      keys: [{ key_id: key.key_id, name: 'own', team_ids: [team_id] }],
    });
    expect(await service.call('GET', me, { token: caller.subject })).toMatchObject({
      status: 401,
      body: { code: 'UNAUTHORIZED' },
    });
    const ids = { user_id: user.user_id, team_id };
    expect(await deps.table.get(MembershipEntity, ids)).toMatchObject({ role: 'OWNER', state: 'ACTIVE' });
    const unblocked = await operator('user', 'unblock', '--user', String(user.user_id));
    expect(answerOf(unblocked)).toEqual({ user_id: user.user_id, status: 'ACTIVE' });
    expect(await statusWith(caller.subject)).toBe(200);
  });

  test('has the times of its last block, however often it is repeated', async () => {
    const { user } = await testUser(deps);
    const { user_id } = user;
    await Promise.all([blockUser(deps, { user_id }), blockUser(deps, { user_id })]);
    const first = await recordOf(user_id);
    expect(first).toEqual({
      ...user,
      status: 'BLOCKED',
      updated_at: first?.blocked_at,
      blocked_at: first?.updated_at,
    });
    expect(Date.parse(first!.blocked_at!)).toBeGreaterThan(Date.parse(user.updated_at));
    await blockUser(deps, { user_id });
    expect(await recordOf(user_id)).toEqual(first);
    await unblockUser(deps, { user_id });
    const last = await recordOf(user_id);
    expect(last).toMatchObject({ status: 'ACTIVE', blocked_at: first!.blocked_at });
    expect(last?.unblocked_at).toBe(last?.updated_at);
  });

  test.each(['email', 'subject'] as const)('may be one that has not called yet, by %s', async (by) => {
    const account = deps.provider.add({ email_verified: by === 'subject' });
    const blocked = answerOf<{ user_id: number }>(await operator('user', 'block', `--${by}`, account[by]));
    expect(blocked).toMatchObject({ status: 'BLOCKED', teams: [], keys: [] });
    expect(await statusWith(account.subject)).toBe(401);
    expect(await recordOf(blocked.user_id)).toMatchObject({
      auth0_id: account.subject,
      email: account.email,
    });
    answerOf(await operator('user', 'unblock', '--subject', account.subject));
    expect(await statusWith(account.subject)).toBe(200);
    expect(refusalOf(await operator('user', 'block', `--${by}`, 'x@example.com')).code).toBe('NOT_FOUND');
  });

  test.each(['before its record is written', 'as it is written'])(
    'is blocked once, and refused, if its first call comes %s',
    async (moment) => {
      const { subject } = deps.provider.add();
      const call = () => findOrCreateUser(deps, subject);
      const block = (as = deps) => blockUser(as, { subject });
      const between = (happens: () => Promise<unknown>) => ({
        ...deps,
        table: interruptedTable(deps.table, 'transact', happens),
      });
      if (moment === 'as it is written') await block(between(call));
      else expect((await findOrCreateUser(between(block), subject)).user.status).toBe('BLOCKED');
      expect(await statusWith(subject)).toBe(401);
      expect((await readUserBySubject(deps.table, subject))?.user.status).toBe('BLOCKED');
    },
  );

  test('is the one that has the address at the provider, and the record’s while that does not answer', async () => {
    const former = deps.provider.add();
    const { user } = await findOrCreateUser(deps, former.subject);
    deps.provider.isDown = true;
    expect(await blockUser(deps, { email: user.email })).toMatchObject({ user_id: user.user_id });
    await expect(blockUser(deps, { email: 'unknown@example.com' })).rejects.toMatchObject({
      code: 'IDENTITY_PROVIDER_UNAVAILABLE',
    });
    deps.provider.isDown = false;
    await unblockUser(deps, { email: user.email });
    deps.provider.add({ ...former, email: `next-${former.email}` });
    const holder = deps.provider.add({ email: former.email, email_verified: false });
    await blockUser(deps, { email: former.email });
    expect([await statusWith(former.subject), await statusWith(holder.subject)]).toEqual([200, 401]);
  });

  test('cannot log in through a partner either', async () => {
    const { team_id } = await testTeam(deps);
    const { caller } = await testKey(deps, { team_ids: [team_id] });
    const account = deps.provider.add();
    const ctx = testContext(deps, caller);
    const login = { email: account.email, password: 'Correct-horse-7' };
    const { user_id } = await logInCustomer(ctx, login);
    await blockUser(deps, { user_id });
    await expect(logInCustomer(ctx, login)).rejects.toMatchObject({ code: 'INVALID_CREDENTIALS' });
    expect(await readLoginStatus(ctx, user_id)).toMatchObject({ status: 'ACTIVE', can_login: false });
    expect(await getCustomer(ctx, user_id)).toMatchObject({ id: user_id, status: 'ACTIVE' });
  });

  test('does not count as the owner that a team keeps', async () => {
    const { team_id } = await testTeam(deps);
    const [first, second] = await Promise.all(
      [1, 2].map(() => testUser(deps, { memberships: [{ team_id, role: 'OWNER' }] })),
    );
    await blockUser(deps, { user_id: second!.user.user_id });
    const leave = () =>
      service.call('DELETE', `/api/v1/team/members/${first!.user.user_id}`, { token: first!.caller.subject });
    expect((await leave()).status).toBe(409);
    await unblockUser(deps, { user_id: second!.user.user_id });
    expect((await leave()).status).toBe(200);
  });

  test('is blocked when another operator blocks it at that moment', async () => {
    const { user } = await testUser(deps);
    const { user_id } = user;
    const table = interruptedTable(deps.table, 'transact', () => blockUser(deps, { user_id }));
    expect((await blockUser({ ...deps, table }, { user_id })).status).toBe('BLOCKED');
    expect((await recordOf(user_id))?.status).toBe('BLOCKED');
  });

  test('has to be one: unknown, invited and deleted people are not blocked', async () => {
    // A record from before invitations were accepted.
    const { user: invited } = await testUser(deps, { auth0_id: null, email_verified: false });
    const { email } = invited;
    expect(refusalOf(await operator('user', 'block', '--email', email))).toEqual({
      code: 'INVALID_STATE_TRANSITION',
      message: 'This person has not logged in yet: take them out of their teams with member remove.',
    });
    const { user } = await testUser(deps, { status: 'DELETED' });
    const deleted = await operator('user', 'block', '--user', String(user.user_id));
    expect(refusalOf(deleted).code).toBe('INVALID_STATE_TRANSITION');
    expect(refusalOf(await operator('user', 'block', '--user', '1')).code).toBe('NOT_FOUND');
  });
});

describe('a key is found by its secret', () => {
  const find = (input: string) =>
    playOperator(deps, ['key', 'find', '--secret-stdin'], { input, stage: 'test' });

  test('from standard input, and nothing is written', async () => {
    const { team_id } = await testTeam(deps);
    const { key, api_key } = await testKey(deps, { team_ids: [team_id], scopes: ['read'] });
    const before = await tableDump();
    const played = await find(`${api_key}\n`);
    expect(answerOf(played)).toMatchObject({
      ...{ key_id: key.key_id, team_ids: [team_id], state: 'ACTIVE', scopes: ['read'], last_used: null },
    });
    expect(await tableDump()).toEqual(before);
    expect(JSON.stringify(played)).not.toContain(api_key);
  });

  test('that is unknown, of another stage or cut off is refused without a word of it', async () => {
    const { api_key } = await testKey(deps, { team_ids: [1] });
    const wrong = [
      [newKeyText('test'), 'NOT_FOUND'],
      [newKeyText('production'), 'VALIDATION_ERROR'],
      [api_key.slice(0, -1), 'VALIDATION_ERROR'],
      ['', 'VALIDATION_ERROR'],
    ];
    for (const [secret = '', code] of wrong) {
      const played = await find(secret);
      expect(refusalOf(played).code).toBe(code);
      if (secret !== '') expect(JSON.stringify(played)).not.toContain(secret);
    }
  });
});
