import { beforeEach, describe, expect, it } from 'vitest';
import { acceptInvitation } from '../../shared/domain/people/accept-invitation.ts';
import { addMember } from '../../shared/domain/people/members.ts';
import { removeTeamMember, setTeamMember } from '../../shared/domain/people/team-members.ts';
import { TeamEntity } from '../../shared/domain/people/team.store.ts';
import {
  hostSide,
  type Membership,
  MembershipEntity,
  readUser,
  teamMembersPartition,
} from '../../shared/domain/people/user.store.ts';
import { remove } from '../../shared/platform/table/index.ts';
import type { Role, UserCaller } from '../../shared/platform/auth.ts';
import { apiAddress, freshEmail, joinTeam, mailedSecret, testPerson } from '../support/invitations.ts';
import { interrupted, writing } from '../support/interrupted.ts';
import {
  testContext,
  type TestDependencies,
  testDependencies,
  testTeam,
  testUser,
} from '../support/table.ts';
import { type TeamCalls, teamCalls } from '../support/team-calls.ts';

let deps: TestDependencies;
let calls: TeamCalls;
let team_id: number;
let owner: UserCaller;
beforeEach(async () => {
  deps = await testDependencies();
  calls = teamCalls(deps);
  ({ team_id } = await testTeam(deps));
  owner = await member('OWNER');
});

const member = async (role: Role): Promise<UserCaller> =>
  (await testUser(deps, { memberships: [{ team_id, role }] })).caller;
const set = (email: string, role: string, who = owner) =>
  calls.ok(who, 'setTeamMember', { body: { email, role } });
const refusedRole = (email: string, role: string, who = owner) =>
  calls.refusal(who, 'setTeamMember', { body: { email, role } });
const out = ({ user_id }: { user_id: number }) => ({ params: { user_id } });
const roles = async (who = owner) => {
  const { items } = await calls.ok(who, 'listTeamMembers');
  return Object.fromEntries(items.map(({ user_id, role, state }) => [user_id, `${role} ${state}`]));
};
const ownersNow = async (...people: UserCaller[]): Promise<number[]> => {
  const found = await Promise.all(
    people.map(({ user_id }) => deps.table.get(MembershipEntity, { user_id, team_id })),
  );
  return found.flatMap((one) => (one?.role === 'OWNER' ? [one.user_id] : []));
};
const indexed = () =>
  deps.table.queryAll(MembershipEntity, {
    index: 'by_team',
    pk: teamMembersPartition(team_id),
    prefix: hostSide,
  });
/** Adds a member with an index that is as it was; returns the error of a refusal. */
const lateAddition = (stale: Membership[]): Promise<unknown> => {
  const table = new Proxy(deps.table, {
    get: (target, name) => {
      if (name === 'queryAll')
        return async (...read: Parameters<typeof target.queryAll>) =>
          read[0].name === 'Membership' ? stale : target.queryAll(...read);
      const value: unknown = Reflect.get(target, name, target);
      return typeof value === 'function' ? (value.bind(target) as unknown) : value;
    },
  });
  const ctx = testContext({ ...deps, table }, owner);
  return setTeamMember(ctx, { email: freshEmail(), role: 'STAFF' }, apiAddress).catch(
    (error: unknown) => error,
  );
};
const lastOwner = { code: 'INVALID_STATE_TRANSITION' };

describe('an address that is no member’s', () => {
  it('is invited: the list shows it with its end, and no account has the role', async () => {
    const person = await testPerson(deps);
    const { email } = person;
    const invited = await set(email, 'MANAGER');
    const shown = { email, role: 'MANAGER', state: 'INVITED', full_name: '' };
    expect(invited).toMatchObject({ ...shown, expires_at: '2027-01-22T03:00:00.000Z' });
    const { items } = await calls.ok(owner, 'listTeamMembers');
    expect(items).toContainEqual(invited);
    expect((await readUser(deps.table, person.user.user_id))?.memberships).toEqual([]);
    deps.clock.advance(7 * 86_400_000);
    expect(await roles()).toEqual({ [owner.user_id]: 'OWNER ACTIVE' });
  });

  it('of a record that was invited before invitations were accepted is invited anew, and that record goes', async () => {
    const { user } = await testUser(deps, {
      ...{ auth0_id: null, email_verified: false },
      memberships: [{ team_id, role: 'OWNER' }],
    });
    expect(await roles()).toMatchObject({ [user.user_id]: 'OWNER INACTIVE' });
    const { user_id } = await set(user.email, 'STAFF');
    expect(await roles()).toEqual({ [owner.user_id]: 'OWNER ACTIVE', [user_id]: 'STAFF INVITED' });
  });
});

describe('a member', () => {
  it('gets another role, and is shown without a telephone number', async () => {
    const staff = await member('STAFF');
    expect(await set(staff.email, 'MANAGER')).toMatchObject({ user_id: staff.user_id, state: 'ACTIVE' });
    const { items } = await calls.ok(owner, 'listTeamMembers');
    expect(items).toHaveLength(2);
    expect(JSON.stringify(items)).not.toContain(staff.phone);
    expect(await roles()).toEqual({
      [owner.user_id]: 'OWNER ACTIVE',
      [staff.user_id]: 'MANAGER ACTIVE',
    });
  });

  it('is taken out; a customer, a stranger and another team’s host are no members', async () => {
    const staff = await member('STAFF');
    expect(await calls.ok(owner, 'removeTeamMember', out(staff))).toMatchObject({ id: staff.user_id });
    expect(await roles()).toEqual({ [owner.user_id]: 'OWNER ACTIVE' });
    const other = await testTeam(deps);
    const host = await testUser(deps, { memberships: [{ team_id: other.team_id, role: 'OWNER' }] });
    for (const person of [staff, await member('CUSTOMER'), host.caller, { user_id: 5 }])
      expect((await calls.refusal(owner, 'removeTeamMember', out(person))).code).toBe('NOT_FOUND');
  });

  it('with a role of customers does not exist', async () => {
    expect((await refusedRole(freshEmail(), 'CUSTOMER')).paths).toEqual(['role']);
  });

  it('is one of at most 100', async () => {
    await Promise.all(Array.from({ length: 99 }, () => member('STAFF')));
    expect((await refusedRole(freshEmail(), 'STAFF')).code).toBe('INVALID_STATE_TRANSITION');
    await set(owner.email, 'OWNER');
  });

  it('is one of at most 100 when several are added at once too', async () => {
    await Promise.all(Array.from({ length: 97 }, () => member('STAFF')));
    const replies = await Promise.all(
      Array.from({ length: 6 }, () =>
        calls.call(owner, 'setTeamMember', { body: { email: freshEmail(), role: 'STAFF' } }),
      ),
    );
    expect(replies.map(({ status }) => status).sort()).toEqual([201, 201, 409, 409, 409, 409]);
  });

  it('is one of at most 100 also where the index does not have the last one yet', async () => {
    await Promise.all(Array.from({ length: 98 }, () => member('STAFF')));
    const stale = await indexed();
    await joinTeam(deps, await testPerson(deps), { team_id, role: 'STAFF' });
    expect(await lateAddition(stale)).toMatchObject({ code: 'INVALID_STATE_TRANSITION' });
    expect(await indexed()).toHaveLength(100);
  });

  it('likewise where the operator invites the last one at that moment', async () => {
    await Promise.all(Array.from({ length: 98 }, () => member('STAFF')));
    const ctx = interrupted(testContext(deps, owner), () =>
      addMember(deps, { team_id, email: freshEmail(), role: 'STAFF', api_url: apiAddress }),
    );
    const late = setTeamMember(ctx, { email: freshEmail(), role: 'STAFF' }, apiAddress);
    await expect(late).rejects.toMatchObject({ code: 'INVALID_STATE_TRANSITION' });
  });

  it('or an open invitation, which the same address has once', async () => {
    await Promise.all(Array.from({ length: 98 }, () => member('STAFF')));
    const email = freshEmail();
    await set(email, 'STAFF');
    expect(await refusedRole(freshEmail(), 'STAFF')).toMatchObject({ code: 'INVALID_STATE_TRANSITION' });
    expect(await set(email, 'MANAGER')).toMatchObject({ role: 'MANAGER', state: 'INVITED' });
  });

  it('counts no more when taken out, also where the index still has it', async () => {
    const staff = await member('STAFF');
    await Promise.all(Array.from({ length: 98 }, () => member('STAFF')));
    const stale = await indexed();
    await calls.ok(owner, 'removeTeamMember', out(staff));
    expect(await lateAddition(stale)).toMatchObject({ role: 'STAFF' });
  });

  it('is one of at most 100 also where one gets another role, is taken out, and another one comes', async () => {
    const staff = await member('STAFF');
    await Promise.all(Array.from({ length: 98 }, () => member('STAFF')));
    const ctx = interrupted(testContext(deps, owner), async () => {
      await calls.ok(owner, 'removeTeamMember', out(staff));
      await set(freshEmail(), 'STAFF');
    });
    const changed = setTeamMember(ctx, { email: staff.email, role: 'MANAGER' }, apiAddress);
    await expect(changed).rejects.toMatchObject({ code: 'INVALID_STATE_TRANSITION' });
  });

  it('is named by the team for ten minutes after joining', async () => {
    const join = async () => {
      const person = await testPerson(deps);
      await joinTeam(deps, person, { team_id, role: 'STAFF' });
      return person.user.user_id;
    };
    const [one, other] = [await join(), await join()];
    const named = async () =>
      (await deps.table.get(TeamEntity, { team_id }))?.new_members?.map(({ user_id }) => user_id);
    expect(await named()).toEqual([one, other]);
    deps.clock.advance(600_000);
    expect(await named()).toEqual([one, other]);
    const last = await join();
    expect(await named()).toEqual([last]);
  });

  it('of a team that does not exist cannot be added by platform staff', async () => {
    const { caller } = await testUser(deps, { system_role: 'ADMIN' });
    const asked = { body: { email: freshEmail(), role: 'STAFF' }, headers: { 'X-Team-ID': '5' } };
    expect((await calls.refusal(caller, 'setTeamMember', asked)).code).toBe('NOT_FOUND');
  });
});

it('a repeated request gets the first answer', async () => {
  const asked = { body: { email: freshEmail(), role: 'STAFF' }, headers: { 'Idempotency-Key': 'once' } };
  const first = await calls.call(owner, 'setTeamMember', asked);
  const again = await calls.call(owner, 'setTeamMember', asked);
  expect(again).toMatchObject({ text: first.text, headers: { 'Idempotent-Replayed': 'true' } });
});

describe('the last owner', () => {
  it('can neither leave nor take another role', async () => {
    await member('MANAGER');
    expect(await calls.refusal(owner, 'removeTeamMember', out(owner))).toMatchObject(lastOwner);
    expect(await refusedRole(owner.email, 'STAFF')).toMatchObject(lastOwner);
    expect(await ownersNow(owner)).toEqual([owner.user_id]);
  });

  it('is not taken out or lowered by platform staff either', async () => {
    const { caller } = await testUser(deps, { system_role: 'ADMIN' });
    const headers = { 'X-Team-ID': String(team_id) };
    expect(await calls.refusal(caller, 'removeTeamMember', { ...out(owner), headers })).toMatchObject(
      lastOwner,
    );
    const body = { email: owner.email, role: 'MANAGER' };
    expect(await calls.refusal(caller, 'setTeamMember', { body, headers })).toMatchObject(lastOwner);
  });

  it('stays until another owner has accepted', async () => {
    const person = await testPerson(deps);
    const { email } = person;
    await set(email, 'OWNER');
    expect(await calls.refusal(owner, 'removeTeamMember', out(owner))).toMatchObject(lastOwner);
    await acceptInvitation(person.as(), await mailedSecret(deps, { team_id, email }));
    await calls.ok(owner, 'removeTeamMember', out(owner));
    expect(await ownersNow(owner)).toEqual([]);
  });
});

describe('two owners at once', () => {
  let other: UserCaller;
  beforeEach(async () => void (other = await member('OWNER')));
  const as = (caller: UserCaller) => testContext(deps, caller);
  const removeBy =
    (caller: UserCaller, { user_id }: UserCaller) =>
    () =>
      removeTeamMember(as(caller), user_id);
  const lower =
    (caller: UserCaller, { email }: UserCaller) =>
    () =>
      setTeamMember(as(caller), { email, role: 'STAFF' }, apiAddress);
  const during = (meanwhile: () => Promise<unknown>) => interrupted(as(owner), meanwhile);

  it('who remove each other: one is no longer an owner', async () => {
    const ctx = during(removeBy(other, owner));
    await expect(removeTeamMember(ctx, other.user_id)).rejects.toMatchObject({ code: 'FORBIDDEN' });
    expect(await ownersNow(owner, other)).toEqual([other.user_id]);
  });

  it('who leave: the second stays', async () => {
    const ctx = during(removeBy(other, other));
    await expect(removeTeamMember(ctx, owner.user_id)).rejects.toMatchObject(lastOwner);
    expect(await ownersNow(owner, other)).toEqual([owner.user_id]);
  });

  it('who take a lower role: the second keeps it', async () => {
    const ctx = during(lower(other, other));
    await expect(setTeamMember(ctx, { email: owner.email, role: 'STAFF' }, apiAddress)).rejects.toMatchObject(
      lastOwner,
    );
    expect(await ownersNow(owner, other)).toEqual([owner.user_id]);
  });

  it('who lower each other: one is no longer an owner', async () => {
    const ctx = during(lower(other, owner));
    await expect(setTeamMember(ctx, { email: other.email, role: 'STAFF' }, apiAddress)).rejects.toMatchObject(
      {
        code: 'FORBIDDEN',
      },
    );
    expect(await ownersNow(owner, other)).toEqual([other.user_id]);
  });

  it('of whom one leaves while the other takes a lower role: the first stays', async () => {
    const ctx = during(lower(other, other));
    await expect(removeTeamMember(ctx, owner.user_id)).rejects.toMatchObject(lastOwner);
    expect(await ownersNow(owner, other)).toEqual([owner.user_id]);
  });

  it('of whom one was removed: a repetition of the own role does not bring it back', async () => {
    const ctx = during(removeBy(other, owner));
    await expect(setTeamMember(ctx, { email: owner.email, role: 'OWNER' }, apiAddress)).rejects.toMatchObject(
      {
        code: 'FORBIDDEN',
      },
    );
    expect(await ownersNow(owner, other)).toEqual([other.user_id]);
  });

  it('of whom one makes a member an owner and leaves as the other lowers that member', async () => {
    const staff = await member('STAFF');
    const ctx = during(async () => {
      await setTeamMember(as(other), { email: staff.email, role: 'OWNER' }, apiAddress);
      await removeTeamMember(as(other), owner.user_id);
      await removeTeamMember(as(other), other.user_id);
    });
    await expect(
      setTeamMember(ctx, { email: staff.email, role: 'MANAGER' }, apiAddress),
    ).rejects.toMatchObject({
      code: 'FORBIDDEN',
    });
    expect(await ownersNow(owner, other, staff)).toEqual([staff.user_id]);
  });
});

it('a member who becomes an owner while an owner takes the person out goes only if an owner stays', async () => {
  const staff = await member('STAFF');
  const ctx = interrupted(testContext(deps, owner), () =>
    setTeamMember(testContext(deps, owner), { email: staff.email, role: 'OWNER' }, apiAddress),
  );
  await removeTeamMember(ctx, staff.user_id);
  expect(await ownersNow(owner, staff)).toEqual([owner.user_id]);
});

describe('a member who becomes the last owner at the same moment', () => {
  let staff: UserCaller;
  let admin: UserCaller;
  beforeEach(async () => {
    staff = await member('STAFF');
    admin = (await testUser(deps, { system_role: 'ADMIN' })).caller;
  });
  const asAdmin = () =>
    interrupted(testContext(deps, admin, { teamHeader: team_id }), async () => {
      await setTeamMember(testContext(deps, owner), { email: staff.email, role: 'OWNER' }, apiAddress);
      await removeTeamMember(testContext(deps, owner), owner.user_id);
    });

  it('is not taken out by platform staff', async () => {
    await expect(removeTeamMember(asAdmin(), staff.user_id)).rejects.toMatchObject(lastOwner);
    expect(await ownersNow(owner, staff)).toEqual([staff.user_id]);
  });

  it('gets no other role from platform staff', async () => {
    const given = { email: staff.email, role: 'MANAGER' } as const;
    await expect(setTeamMember(asAdmin(), given, apiAddress)).rejects.toMatchObject(lastOwner);
    expect(await ownersNow(owner, staff)).toEqual([staff.user_id]);
  });
});

it('a team that is gone between the reads and the write is not made anew by a member', async () => {
  const gone = () => deps.table.transact([remove(TeamEntity, { team_id })]);
  const ctx = interrupted(testContext(deps, owner), gone, writing('Team'));
  await expect(setTeamMember(ctx, { email: freshEmail(), role: 'STAFF' }, apiAddress)).rejects.toMatchObject({
    code: 'NOT_FOUND',
  });
  expect(await deps.table.get(TeamEntity, { team_id })).toBeUndefined();
});

it('an owner who was removed a moment ago adds and removes no one', async () => {
  const staff = await member('STAFF');
  const other = await member('OWNER');
  await calls.ok(other, 'removeTeamMember', out(owner));
  expect((await refusedRole(freshEmail(), 'OWNER')).code).toBe('FORBIDDEN');
  expect((await calls.refusal(owner, 'removeTeamMember', out(staff))).code).toBe('FORBIDDEN');
  expect(await roles(other)).toEqual({
    [other.user_id]: 'OWNER ACTIVE',
    [staff.user_id]: 'STAFF ACTIVE',
  });
});
