import { randomUUID } from 'node:crypto';
import { beforeEach, describe, expect, it } from 'vitest';
import { authorize } from '../../functions/authorizer/authorize.ts';
import { findOrCreateUser } from '../../shared/domain/people/find-or-create-user.ts';
import { followAccount } from '../../shared/domain/people/follow-account.ts';
import {
  EmailOwnerEntity,
  readUser,
  readUserByEmail,
  SubjectEntity,
  UserEntity,
} from '../../shared/domain/people/user.store.ts';
import type { UserCaller } from '../../shared/platform/auth.ts';
import type { IdentityUser } from '../../shared/platform/identity/index.ts';
import { change, present, put, remove } from '../../shared/platform/table/index.ts';
import { hostClaims, hosts } from '../support/api.ts';
import { interruptedTable } from '../support/interrupted.ts';
import { type TestDependencies, testDependencies, testUser } from '../support/table.ts';

let deps: TestDependencies;
beforeEach(async () => void (deps = await testDependencies()));

const hour = 3_600_000;
const freshEmail = (): string => `${randomUUID()}@example.com`;
const recordOf = async ({ subject }: IdentityUser) => {
  const found = await deps.table.get(SubjectEntity, { subject });
  return (await readUser(deps.table, found!.user_id))!.user;
};
const idOf = async (email: string) => (await readUserByEmail(deps.table, email))?.user.user_id;
const asked = () => deps.provider.calls.filter((call) => call.startsWith('readUser')).length;
const move = (account: IdentityUser, email: string, email_verified = true): IdentityUser =>
  deps.provider.add({ ...account, email, email_verified });

/** A call with a token of the account. */
const call = async ({ subject }: IdentityUser, claims: object): Promise<UserCaller> => {
  const verify = async () => ({
    subject,
    claims: { ...hostClaims, sub: subject, exp: 4_102_444_800, ...claims },
  });
  const answer = await authorize({ deps, verify, hosts, stage: 'test' })({
    type: 'REQUEST',
    methodArn: 'arn:aws:execute-api:ap-southeast-1:123456789012:abc123/test/GET/api/v1/auth/me',
    resource: '/api/v1/auth/me',
    headers: { Authorization: 'Bearer token' },
    requestContext: { requestId: 'r', identity: { sourceIp: '203.0.113.7' } },
  } as unknown as Parameters<ReturnType<typeof authorize>>[0]);
  return JSON.parse(String(answer.context?.['caller'])) as UserCaller;
};

/** A person who has called an hour ago. */
const person = async () => {
  const account = deps.provider.add();
  const { user } = await findOrCreateUser(deps, account.subject);
  deps.clock.advance(hour);
  return { account, user };
};

describe('a changed address', () => {
  it('replaces the one on record with the next newer token, once an hour', async () => {
    const { account, user } = await person();
    const next = freshEmail();
    expect(await call(account, { iat: 100 })).toMatchObject({ email: user.email });
    move(account, next);
    const before = asked();
    expect(await call(account, { iat: 100 })).toMatchObject({ email: user.email });
    expect(await call(account, { iat: 200 })).toMatchObject({ email: user.email });
    expect(asked()).toBe(before);
    deps.clock.advance(hour);
    expect(await call(account, { iat: 200 })).toMatchObject({ email: next, email_verified: true });
    await call(account, { iat: 200 });
    expect(asked()).toBe(before + 1);
    expect([await idOf(next), await idOf(user.email)]).toEqual([user.user_id, undefined]);
  });

  it('replaces it at once where the token says so, and an older token changes nothing back', async () => {
    const { account, user } = await person();
    const next = freshEmail();
    await call(account, { iat: 100 });
    move(account, next);
    expect(await call(account, { iat: 200, email: next })).toMatchObject({ email: next });
    const before = asked();
    expect(await call(account, { iat: 150, email: user.email })).toMatchObject({ email: next });
    expect(await call(account, { iat: 200, email: next, email_verified: 'no' })).toMatchObject({
      email: next,
    });
    expect(asked()).toBe(before);
  });

  it('is not verified until the provider says so, and found all the same', async () => {
    const { account, user } = await person();
    const next = freshEmail();
    move(account, next, false);
    expect(await call(account, { iat: 100 })).toMatchObject({ email: next, email_verified: false });
    expect(await recordOf(account)).toMatchObject({ email: next, email_verified: false });
    expect([await idOf(next), await idOf(user.email)]).toEqual([user.user_id, undefined]);
    move(account, next);
    expect(await call(account, { iat: 100 })).toMatchObject({ email: next, email_verified: true });
  });

  it('that is not verified is not taken from another account', async () => {
    const { account, user } = await person();
    const other = await testUser(deps);
    move(account, other.user.email, false);
    await call(account, { iat: 100 });
    expect(await idOf(other.user.email)).toBe(other.user.user_id);
    expect(await idOf(user.email)).toBeUndefined();
  });

  it('stops no request while the provider does not answer, or not as it should', async () => {
    const { account, user } = await person();
    deps.provider.isDown = true;
    expect(await call(account, { iat: 100 })).toMatchObject({ email: user.email });
    deps.provider.isDown = false;
    deps.provider.readUser = () => Promise.reject(new Error('403 insufficient_scope'));
    expect(await call(account, { iat: 100, email: 'x@example.com' })).toMatchObject({ email: user.email });
    expect(await recordOf(account)).not.toHaveProperty('account_seen_iat');
  });

  it('leaves the time of the last change where nothing differs, and keeps the look', async () => {
    const { account, user } = await person();
    await call(account, { iat: 100 });
    const account_seen_at = new Date(deps.clock.now()).toISOString();
    expect(await recordOf(account)).toEqual({ ...user, account_seen_at, account_seen_iat: 100 });
    deps.provider.accounts.delete(account.subject);
    deps.clock.advance(hour);
    expect(await call(account, { iat: 200 })).toMatchObject({ email: user.email, email_verified: true });
  });
});

describe('an address that the provider gives to another account', () => {
  it.each([true, false])('is lost by the record that has it still (verified: %s)', async (isVerified) => {
    const { account, user } = await person();
    const next = freshEmail();
    move(account, next);
    const other = deps.provider.add({ email: user.email, email_verified: isVerified });
    const { user: taker } = await findOrCreateUser(deps, other.subject);
    expect(await recordOf(account)).toMatchObject({ email: next, email_verified: true });
    expect([await idOf(user.email), await idOf(next)]).toEqual([taker.user_id, user.user_id]);
  });

  it('is lost by a record whose account is gone', async () => {
    const { account, user } = await person();
    deps.provider.accounts.delete(account.subject);
    const other = deps.provider.add({ email: user.email });
    const { user: taker } = await findOrCreateUser(deps, other.subject);
    expect(await recordOf(account)).toMatchObject({ email: '', email_verified: false });
    expect(await idOf(user.email)).toBe(taker.user_id);
  });

  it('is lost also where the other account gets it by a change', async () => {
    const { account, user } = await person();
    const second = await person();
    move(account, freshEmail());
    move(second.account, user.email);
    await call(second.account, { iat: 100 });
    expect(await idOf(user.email)).toBe(second.user.user_id);
    expect((await recordOf(account)).email).not.toBe(user.email);
  });

  it('stays with both where the provider has it twice, found by the first', async () => {
    const { account, user } = await person();
    const other = deps.provider.add({ email: user.email });
    await findOrCreateUser(deps, other.subject);
    expect(await recordOf(account)).toMatchObject({ email: user.email, email_verified: true });
    expect(await idOf(user.email)).toBe(user.user_id);
  });

  it('changes hands between two accounts, and each is found by its own after a call', async () => {
    const [one, two] = [await person(), await person()];
    move(one.account, two.user.email);
    move(two.account, one.user.email);
    await call(one.account, { iat: 100 });
    await call(two.account, { iat: 100 });
    expect([await idOf(one.user.email), await idOf(two.user.email)]).toEqual([
      two.user.user_id,
      one.user.user_id,
    ]);
  });
});

describe('while an answer of the provider is stored', () => {
  const during = (happens: () => Promise<unknown>): TestDependencies => ({
    ...deps,
    table: interruptedTable(deps.table, 'transact', happens),
  });

  it('a later one is: the later one stays', async () => {
    const { account, user } = await person();
    const [first, second] = [freshEmail(), freshEmail()];
    const found = (await readUser(deps.table, user.user_id))!;
    move(account, first);
    const later = async () => {
      move(account, second, false);
      await followAccount(deps, found);
    };
    const stored = await followAccount(during(later), found, { iat: 100 });
    expect(stored.user).toMatchObject({ email: second, email_verified: false });
    expect([await idOf(first), await idOf(second)]).toEqual([undefined, user.user_id]);
  });

  /** A record whose address is found as another's, so that only the record itself can conflict. */
  const sharing = async () => {
    const found = await person();
    const other = await testUser(deps);
    await deps.table.transact([
      put(EmailOwnerEntity, { email: found.user.email, user_id: other.user.user_id }),
    ]);
    return { ...found, before: (await readUser(deps.table, found.user.user_id))! };
  };

  it('a later one is, of another address: the later one stays', async () => {
    const { account, before } = await sharing();
    const later = freshEmail();
    move(account, freshEmail());
    const storeLater = () => {
      move(account, later);
      return followAccount(deps, before);
    };
    expect((await followAccount(during(storeLater), before)).user.email).toBe(later);
    expect((await recordOf(account)).email).toBe(later);
  });

  it.each([[[]], [[150]]])('a later one says that nothing changed, after looks %j', async (looks) => {
    const { account, user } = await sharing();
    for (const iat of looks) await call(account, { iat });
    const before = (await readUser(deps.table, user.user_id))!;
    move(account, freshEmail());
    const lookAgain = () => {
      move(account, user.email);
      return followAccount(deps, before, { iat: 200 });
    };
    expect((await followAccount(during(lookAgain), before, { iat: 180 })).user.email).toBe(user.email);
    expect((await recordOf(account)).email).toBe(user.email);
  });

  it('a call with the same token does: the provider is asked no third time', async () => {
    const { account, user } = await person();
    const before = (await readUser(deps.table, user.user_id))!;
    const same = () => followAccount(deps, before, { iat: 100 });
    const calls = asked();
    await followAccount(during(same), before, { iat: 100 });
    expect(asked()).toBe(calls + 2);
    expect(await recordOf(account)).toMatchObject({ account_seen_iat: 100 });
  });

  it('the record ends: it gets no address again', async () => {
    const { account, user } = await person();
    const found = (await readUser(deps.table, user.user_id))!;
    move(account, freshEmail());
    const end = () =>
      deps.table.transact([
        change(UserEntity, user, { set: { status: 'DELETED', email: '' } }, { when: present() }),
      ]);
    expect((await followAccount(during(end), found)).user).toMatchObject({ status: 'DELETED', email: '' });
    expect((await recordOf(account)).email).toBe('');
  });

  it('another account takes the new address, or the old one: it stays theirs', async () => {
    const { account, user } = await person();
    const [other, third] = [await testUser(deps), await testUser(deps)];
    const next = freshEmail();
    const found = (await readUser(deps.table, user.user_id))!;
    move(account, next, false);
    const take = () =>
      deps.table.transact([
        put(EmailOwnerEntity, { email: next, user_id: other.user.user_id }),
        put(EmailOwnerEntity, { email: user.email, user_id: third.user.user_id }),
      ]);
    await followAccount(during(take), found);
    expect([await idOf(next), await idOf(user.email)]).toEqual([other.user.user_id, third.user.user_id]);
  });

  it('the old address alone is taken by another account: it stays theirs', async () => {
    const { account, user } = await person();
    const other = await testUser(deps);
    const found = (await readUser(deps.table, user.user_id))!;
    move(account, freshEmail());
    const take = () =>
      deps.table.transact([put(EmailOwnerEntity, { email: user.email, user_id: other.user.user_id })]);
    await followAccount(during(take), found);
    expect(await idOf(user.email)).toBe(other.user.user_id);
  });

  it('an address that is found by no record any more is found again', async () => {
    const { account, user } = await person();
    await deps.table.transact([remove(EmailOwnerEntity, { email: user.email })]);
    await call(account, { iat: 100 });
    expect(await idOf(user.email)).toBe(user.user_id);
  });
});
