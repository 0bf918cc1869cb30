import { beforeEach, describe, expect, test } from 'vitest';
import { EventEntity } from '../../shared/platform/events/event.entity.ts';
import { adoptAccount, findOrCreateUser } from '../../shared/domain/people/find-or-create-user.ts';
import { getMe, updateMe } from '../../shared/domain/people/me.ts';
import { addMember, listInvitations, listMembers, removeMember } from '../../shared/domain/people/members.ts';
import { createTeam, listTeams } from '../../shared/domain/people/teams.ts';
import { MembershipEntity, readUser, readUserByEmail } from '../../shared/domain/people/user.store.ts';
import { refreshVerification, requireVerified } from '../../shared/domain/people/verify-email.ts';
import type { Consumption } from '../../shared/platform/table/index.ts';
import { apiAddress, freshEmail, joinTeam, testPerson } from '../support/invitations.ts';
import {
  testContext,
  type TestDependencies,
  testDependencies,
  testTeam,
  testUser,
} from '../support/table.ts';

let deps: TestDependencies;
beforeEach(async () => void (deps = await testDependencies()));

const eventsOf = (userId: number) =>
  deps.table.queryAll(EventEntity, { pk: `USER#${userId}`, prefix: 'EVENT#' });

describe('the first call of an account', () => {
  test("makes a record from the provider's", async () => {
    const { subject, email } = deps.provider.add({
      email: `An.${freshEmail()}`,
      full_name: 'An',
      phone: '+84 1',
    });
    const { user } = await findOrCreateUser(deps, subject);
    expect(user).toMatchObject({
      auth0_id: subject,
      email: email.toLowerCase(),
      full_name: 'An',
      phone: '+84 1',
    });
    expect(user).toMatchObject({
      email_verified: true,
      language: 'vi',
      status: 'ACTIVE',
      system_role: 'USER',
    });
    expect(await readUserByEmail(deps.table, email)).toMatchObject({ user: { user_id: user.user_id } });
    expect(await eventsOf(user.user_id)).toMatchObject([{ event_type: 'customer.registered' }]);
  });

  test('20 at once make one record', async () => {
    const { subject } = deps.provider.add();
    const found = await Promise.all(Array.from({ length: 20 }, () => findOrCreateUser(deps, subject)));
    expect(new Set(found.map(({ user }) => user.user_id)).size).toBe(1);
    const [first] = found;
    expect(await eventsOf(first!.user.user_id)).toHaveLength(1);
  });

  test('of two accounts with one address make two records, and the address stays with the first', async () => {
    const email = freshEmail();
    const first = await findOrCreateUser(deps, deps.provider.add({ email }).subject);
    const second = await findOrCreateUser(deps, deps.provider.add({ email }).subject);
    expect(second.user.user_id).not.toBe(first.user.user_id);
    expect((await readUserByEmail(deps.table, email))?.user.user_id).toBe(first.user.user_id);
  });

  test('gives the address to the user who has verified it', async () => {
    const email = freshEmail();
    await findOrCreateUser(deps, deps.provider.add({ email, email_verified: false }).subject);
    const verified = await findOrCreateUser(deps, deps.provider.add({ email }).subject);
    expect((await readUserByEmail(deps.table, email))?.user.user_id).toBe(verified.user.user_id);
  });

  test('is refused when the provider has deleted the account', async () => {
    await expect(findOrCreateUser(deps, 'auth0|gone')).rejects.toMatchObject({ code: 'UNAUTHORIZED' });
  });

  test('asks the provider once, afterwards the table: one get and one query', async () => {
    const { subject } = deps.provider.add();
    await findOrCreateUser(deps, subject);
    const costs: Consumption[] = [];
    const table = deps.table.measured((cost) => costs.push(cost));
    await findOrCreateUser({ ...deps, table }, subject);
    expect(deps.provider.calls).toEqual([`readUser ${subject}`]);
    expect(costs.map(({ operation }) => operation)).toEqual(['get', 'query']);
  });
});

describe('verification of the e-mail', () => {
  test('is read live while the record says no, and kept', async () => {
    const account = deps.provider.add({ email_verified: false });
    const found = await findOrCreateUser(deps, account.subject);
    expect((await refreshVerification(deps, found)).user.email_verified).toBe(false);
    deps.provider.add({ ...account, email_verified: true });
    expect((await refreshVerification(deps, found)).user.email_verified).toBe(true);
    const kept = await readUser(deps.table, found.user.user_id);
    const calls = deps.provider.calls.length;
    expect((await refreshVerification(deps, kept!)).user.email_verified).toBe(true);
    expect(deps.provider.calls).toHaveLength(calls);
  });

  test('takes the address that was verified, not the one on record', async () => {
    const [claimed, own] = [freshEmail(), freshEmail()];
    const account = deps.provider.add({ email: claimed, email_verified: false });
    const found = await findOrCreateUser(deps, account.subject);
    deps.provider.add({ ...account, email: own, email_verified: true });
    expect((await refreshVerification(deps, found)).user.email).toBe(own);
    expect(await readUserByEmail(deps.table, claimed)).toBeUndefined();
    expect((await readUserByEmail(deps.table, own))?.user.user_id).toBe(found.user.user_id);
  });

  test('is asked for in the published shape', async () => {
    const account = deps.provider.add({ email_verified: false });
    const { user } = await findOrCreateUser(deps, account.subject);
    const { caller } = await testUser(deps, {
      auth0_id: account.subject,
      email_verified: false,
      user_id: user.user_id,
    });
    const ctx = testContext(deps, caller);
    await expect(requireVerified(ctx)).rejects.toMatchObject({
      code: 'USER_NOT_VERIFIED',
      details: { user_id: user.user_id, verification_status: 'PENDING', action_required: 'VERIFY_EMAIL' },
    });
    deps.provider.add({ ...account, email_verified: true });
    await expect(requireVerified(ctx)).resolves.toBeUndefined();
  });
});

describe("the caller's own record", () => {
  test('has the published fields and the teams', async () => {
    const { team_id } = await testTeam(deps);
    const { user, caller } = await testUser(deps, { memberships: [{ team_id, role: 'OWNER' }] });
    expect(await getMe(testContext(deps, caller))).toMatchObject({
      id: user.user_id,
      email: user.email,
      auth0_id: user.auth0_id,
      is_verified: true,
      verification_status: 'VERIFIED',
      teams: [{ team_id, role: 'OWNER', state: 'ACTIVE' }],
    });
  });

  test('is answered while the provider is away', async () => {
    const { caller } = await testUser(deps, { email_verified: false });
    deps.provider.isDown = true;
    expect(await getMe(testContext(deps, caller))).toMatchObject({ email_verified: false });
  });

  test('changes the given fields alone', async () => {
    const { user, caller } = await testUser(deps);
    deps.clock.advance(1000);
    const ctx = testContext(deps, caller);
    expect(await updateMe(ctx, { phone: '+84 2' })).toMatchObject({ phone: '+84 2' });
    expect(await updateMe(ctx, { language: 'en' })).toMatchObject({
      phone: '+84 2',
      language: 'en',
    });
    const after = (await readUser(deps.table, user.user_id))!.user;
    // Each change has a time of its own, also within a millisecond.
    const updated_at = '2027-01-15T03:00:01.001Z';
    expect(after).toEqual({ ...user, phone: '+84 2', language: 'en', updated_at });
  });
});

describe('a team', () => {
  test('is made and listed', async () => {
    const { team_id } = await createTeam(deps, { name: 'Hồ Tây' });
    expect(await listTeams(deps)).toContainEqual(expect.objectContaining({ team_id, name: 'Hồ Tây' }));
  });

  test('lists its hosts with how to reach them, and no customer', async () => {
    const { team_id } = await testTeam(deps);
    const { user } = await testUser(deps, { memberships: [{ team_id, role: 'STAFF' }], language: 'en' });
    await testUser(deps, { memberships: [{ team_id, role: 'CUSTOMER' }] });
    const { user_id, email, full_name, phone } = user;
    const person = { user_id, email, full_name, phone, language: 'en', email_verified: true };
    expect(await listMembers(deps, team_id)).toEqual([{ ...person, role: 'STAFF', state: 'ACTIVE' }]);
  });

  test('invites by e-mail, changes the role of a member and lets go', async () => {
    const { team_id } = await testTeam(deps);
    const person = await testPerson(deps);
    const { user_id } = person.user;
    const member = { team_id, email: person.email.toUpperCase(), api_url: apiAddress };
    await joinTeam(deps, person, { team_id, role: 'STAFF' });
    const before = await deps.table.get(MembershipEntity, { team_id, user_id });
    expect(await addMember(deps, { ...member, role: 'OWNER' })).toEqual({ user_id });
    expect(await listMembers(deps, team_id)).toMatchObject([{ user_id, role: 'OWNER', state: 'ACTIVE' }]);
    // Which tokens have the role does not change with it.
    expect(before?.accepted_at).toBeGreaterThan(0);
    expect(await deps.table.get(MembershipEntity, { team_id, user_id })).toEqual({
      ...before,
      role: 'OWNER',
    });
    await removeMember(deps, member);
    expect(await listMembers(deps, team_id)).toEqual([]);
    await expect(removeMember(deps, member)).rejects.toMatchObject({ code: 'NOT_FOUND' });
  });

  test('a customer whose invitation is withdrawn stays a customer, and has no invitation', async () => {
    const { team_id } = await testTeam(deps);
    const email = freshEmail();
    const { user } = await testUser(deps, { email, memberships: [{ team_id, role: 'CUSTOMER' }] });
    const { user_id } = user;
    await addMember(deps, { team_id, email, role: 'OWNER', api_url: apiAddress });
    const [open] = await listInvitations(deps, team_id);
    expect(await removeMember(deps, { team_id, email })).toEqual({ invitation_id: open?.invitation_id });
    expect(await listInvitations(deps, team_id)).toEqual([]);
    const customer = () => deps.table.get(MembershipEntity, { team_id, user_id });
    expect(await customer()).toMatchObject({ role: 'CUSTOMER' });
    expect(await removeMember(deps, { team_id, email })).toEqual({ user_id });
    expect(await customer()).toBeUndefined();
  });

  test('that does not exist cannot be joined', async () => {
    const { user } = await testUser(deps);
    const nowhere = { team_id: 1, email: user.email, role: 'OWNER', api_url: apiAddress } as const;
    await expect(addMember(deps, nowhere)).rejects.toMatchObject({ code: 'NOT_FOUND' });
  });
});

describe('a person invited by e-mail', () => {
  const invited = async (email: string) => {
    const { team_id } = await testTeam(deps);
    await addMember(deps, { team_id, email, role: 'MANAGER', api_url: apiAddress });
    return team_id;
  };

  test('has nothing from signing in, before and after', async () => {
    const email = freshEmail();
    await invited(email);
    const account = deps.provider.add({ email, email_verified: false });
    const found = await findOrCreateUser(deps, account.subject);
    deps.provider.add({ ...account, email_verified: true });
    expect((await refreshVerification(deps, found)).memberships).toEqual([]);
    await invited(email);
    expect((await findOrCreateUser(deps, account.subject)).memberships).toEqual([]);
  });

  test('whose invitation is from before invitations were accepted gets no membership of that record', async () => {
    const { team_id } = await testTeam(deps);
    const memberships = [{ team_id, role: 'OWNER' as const }];
    const { user } = await testUser(deps, { auth0_id: null, email_verified: false, memberships });
    const found = await findOrCreateUser(deps, deps.provider.add({ email: user.email }).subject);
    expect(found).toMatchObject({ memberships: [] });
    expect(found.user.user_id).not.toBe(user.user_id);
    expect((await readUserByEmail(deps.table, user.email))?.user.user_id).toBe(found.user.user_id);
    expect(await readUser(deps.table, user.user_id)).toMatchObject({ user: { status: 'ACTIVE' } });
  });
});

test('an account whose registration stopped half-way is adopted', async () => {
  const account = deps.provider.add({ email_verified: false });
  const first = await adoptAccount(deps, account);
  const again = await adoptAccount(deps, account);
  expect(again.user.user_id).toBe(first.user.user_id);
});
