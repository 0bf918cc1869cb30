import { randomUUID } from 'node:crypto';
import { beforeEach, describe, expect, it } from 'vitest';
import { authenticateKey } from '../../shared/domain/people/authenticate-key.ts';
import { resendVerification } from '../../shared/domain/people/customers.ts';
import { findOrCreateUser } from '../../shared/domain/people/find-or-create-user.ts';
import { removeMember } from '../../shared/domain/people/members.ts';
import { updateMe } from '../../shared/domain/people/me.ts';
import { promoteUser } from '../../shared/domain/people/promote-user.ts';
import { registerCustomer } from '../../shared/domain/people/register-customer.ts';
import { logInCustomer } from '../../shared/domain/people/sessions.ts';
import {
  type Membership,
  MembershipEntity,
  readUser,
  readUserByEmail,
  type User,
  UserEntity,
} from '../../shared/domain/people/user.store.ts';
import { updateCustomer } from '../../shared/domain/people/update-customer.ts';
import { refreshVerification } from '../../shared/domain/people/verify-email.ts';
import { readKeys } from '../../shared/domain/people/key.store.ts';
import type { IdentityUser } from '../../shared/platform/identity/index.ts';
import { change, present, put } from '../../shared/platform/table/index.ts';
import { joinTeam, personOf } from '../support/invitations.ts';
import { interruptedTable } from '../support/interrupted.ts';
import {
  testContext,
  type TestDependencies,
  testDependencies,
  testKey,
  testTeam,
  testUser,
} from '../support/table.ts';

let deps: TestDependencies;
beforeEach(async () => void (deps = await testDependencies()));

/** The same with something that happens between the reads and the first write. */
const when = (happens: () => Promise<unknown>): TestDependencies => ({
  ...deps,
  table: interruptedTable(deps.table, 'transact', happens),
});
const freshEmail = (): string => `${randomUUID()}@example.com`;
const account = (email: string, email_verified = true) => deps.provider.add({ email, email_verified });
const enter = ({ subject }: IdentityUser, as = deps) => findOrCreateUser(as, subject);
const idOf = async (email: string) => (await readUserByEmail(deps.table, email))?.user.user_id;
/** Makes a person an owner of a team, by an invitation. */
const hired = (user: User, teamId: number) =>
  joinTeam(deps, personOf(deps, user), { team_id: teamId, role: 'OWNER' });
const rolesOf = async (userId: number) =>
  (await readUser(deps.table, userId))?.memberships.map(({ team_id, role }) => ({ team_id, role }));

/** A record whose address is verified at the provider, but not here yet. */
const unverified = async (email: string) => {
  const added = account(email, false);
  const found = await enter(added);
  return {
    user_id: found.user.user_id,
    verify: (address = email, as = deps) => {
      deps.provider.add({ ...added, email: address, email_verified: true });
      return refreshVerification(as, found);
    },
  };
};

describe('an address that two take at once', () => {
  it.each([
    ['unverified', false],
    ['verified', true],
  ])('belongs to the first of two %s accounts', async (_, isVerified) => {
    const email = freshEmail();
    const [first, second] = [account(email, isVerified), account(email, isVerified)];
    await enter(
      second,
      when(() => enter(first)),
    );
    expect(await idOf(email)).toBe((await enter(first)).user.user_id);
  });

  it('belongs to the first who has verified it, where it was an unverified account before', async () => {
    const email = freshEmail();
    await unverified(email);
    const [first, second] = [account(email), account(email)];
    await enter(
      second,
      when(() => enter(first)),
    );
    expect(await idOf(email)).toBe((await enter(first)).user.user_id);
  });

  it('stays with another person who verifies it while its first holder verifies a new one', async () => {
    const [before, after] = [freshEmail(), freshEmail()];
    const first = await unverified(before);
    const other = account(before);
    await first.verify(
      after,
      when(() => enter(other)),
    );
    expect(await idOf(before)).toBe((await enter(other)).user.user_id);
  });

  it('is the one that the provider has last, when it changes as the first is stored', async () => {
    const [email, next] = [freshEmail(), freshEmail()];
    const { user_id, verify } = await unverified(email);
    const fresh = await verify(
      email,
      when(() => verify(next)),
    );
    expect(fresh.user.email).toBe(next);
    expect([await idOf(email), await idOf(next)]).toEqual([undefined, user_id]);
  });
});

describe('an account', () => {
  it('has one record after two first calls, also where its address is taken', async () => {
    const email = freshEmail();
    await unverified(email);
    const taken = account(email, false);
    let first: number | undefined;
    const enterFirst = async () => void (first = (await enter(taken)).user.user_id);
    expect((await enter(taken, when(enterFirst))).user.user_id).toBe(first);
  });
});

it('each change of a person is later than the one before, also in one millisecond', async () => {
  const { team_id } = await testTeam(deps);
  const partner = testContext(deps, (await testKey(deps, { team_ids: [team_id] })).caller);
  const email = freshEmail();
  const person = await unverified(email);
  const { user_id } = person;
  const caller = { ...(await testUser(deps)).caller, user_id };
  const member = {
    user_id,
    team_id,
    role: 'CUSTOMER',
    state: 'ACTIVE',
    created_at: '2027-01-01T00:00:00.000Z',
  };
  await deps.table.transact([put(MembershipEntity, member as Membership)]);
  const changes = [
    () => person.verify(),
    () => updateMe(testContext(deps, caller), { full_name: 'Lý Thu' }),
    () => updateCustomer(partner, user_id, { phone: '+84 3' }),
    () => promoteUser(deps, { email, role: 'USER', api_url: 'https://api.example.com' }),
  ];
  const moment = async () => (await readUser(deps.table, user_id))!.user.updated_at;
  for (const change of changes) {
    const before = await moment();
    await change();
    expect((await moment()) > before, String(change)).toBe(true);
  }
});

it('a membership is taken away once', async () => {
  const { team_id } = await testTeam(deps);
  const { user } = await testUser(deps, { memberships: [{ team_id, role: 'STAFF' }] });
  const leave = (as = deps) => removeMember(as, { team_id, email: user.email });
  await expect(leave(when(() => leave()))).rejects.toMatchObject({ code: 'NOT_FOUND' });
});

describe('a customer of a partner', () => {
  const scene = async () => {
    const { team_id } = await testTeam(deps);
    const { caller } = await testKey(deps, { team_ids: [team_id] });
    return { team_id, as: (over = deps) => testContext(over, caller) };
  };
  const end = (user_id: number) => () =>
    deps.table.transact([
      change(UserEntity, { user_id }, { set: { status: 'DELETED' } }, { when: present() }),
    ]);

  it('whose account ends meanwhile is not logged in', async () => {
    const { as } = await scene();
    const added = account(freshEmail());
    const { user } = await enter(added);
    const login = { email: added.email, password: 'of the provider' };
    await expect(logInCustomer(as(when(end(user.user_id))), login)).rejects.toMatchObject({
      code: 'INVALID_CREDENTIALS',
    });
  });

  it('whose account ends meanwhile is shown as it is', async () => {
    const { as, team_id } = await scene();
    const { user } = await testUser(deps, { memberships: [{ team_id, role: 'CUSTOMER' }] });
    const changed = await updateCustomer(as(when(end(user.user_id))), user.user_id, { phone: '+84 3' });
    expect(changed).toMatchObject({ status: 'DELETED', phone: '+84 3' });
  });

  const otherPartner = async () => {
    const { team_id } = await testTeam(deps);
    const { caller } = await testKey(deps, { team_ids: [team_id] });
    return testContext(deps, caller);
  };
  const login = (as: ReturnType<typeof testContext>, { email }: IdentityUser) =>
    logInCustomer(as as Parameters<typeof logInCustomer>[0], { email, password: 'of the provider' });

  it.each(['logs in at another partner', 'registers with another one at once', 'is hired'])(
    'who %s as the name is changed keeps the own record',
    async (what) => {
      const { as } = await scene();
      const added = account(freshEmail());
      const { user_id } = await login(as(), added);
      const own = (await readUser(deps.table, user_id))!.user;
      const elsewhere = await otherPartner();
      const join: Record<string, () => Promise<unknown>> = {
        'logs in at another partner': () => login(elsewhere, added),
        'registers with another one at once': () => registerAgain(elsewhere, added),
        'is hired': async () => hired(own, (await testTeam(deps)).team_id),
      };
      const changed = await updateCustomer(as(when(join[what]!)), user_id, { full_name: 'Not the own' });
      expect(changed.full_name).toBe('Not the own');
      expect((await readUser(deps.table, user_id))?.user.full_name).toBe(own.full_name);
    },
  );

  /** The provider has just made the account for another call, whose record is there before this one's. */
  const registerAgain = (as: Awaited<ReturnType<typeof otherPartner>>, added: IdentityUser) => {
    deps.provider.signUp = async () => added;
    return registerCustomer(as, { email: added.email, full_name: 'Bình', password: 'Dalat-2027' });
  };

  it('who becomes a host as these teams’ name is changed keeps no other name', async () => {
    const { as, team_id } = await scene();
    const { user } = await testUser(deps, { memberships: [{ team_id, role: 'CUSTOMER' }] });
    await hired(user, (await testTeam(deps)).team_id);
    const hire = () => hired(user, team_id);
    await expect(
      updateCustomer(as(when(hire)), user.user_id, { phone: '+84 999 999' }),
    ).rejects.toMatchObject({ code: 'EXTERNAL_CUSTOMER_NOT_ACCESSIBLE' });
    expect((await readUser(deps.table, user.user_id))?.memberships).not.toContainEqual(
      expect.objectContaining({ phone: '+84 999 999' }),
    );
  });

  it.each(['logs in', 'registers'])(
    'who %s as they log in at another partner has two times of change',
    async (what) => {
      const { as } = await scene();
      const added = account(freshEmail());
      await enter(added);
      const elsewhere = await otherPartner();
      const moment = async () => (await readUserByEmail(deps.table, added.email))!.user.updated_at;
      let first: string | undefined;
      const loginThere = async () => {
        await login(elsewhere, added);
        first = await moment();
      };
      await (what === 'logs in' ? login : registerAgain)(as(when(loginThere)), added);
      expect((await moment()) > first!).toBe(true);
    },
  );

  it('who becomes a host at the login stays one', async () => {
    const { as, team_id } = await scene();
    const added = account(freshEmail());
    const { user } = await enter(added);
    const hire = () => hired(user, team_id);
    await logInCustomer(as(when(hire)), { email: added.email, password: 'of the provider' });
    expect(await rolesOf(user.user_id)).toEqual([{ team_id, role: 'OWNER' }]);
  });

  it('who left and becomes a host at the login stays one', async () => {
    const { as, team_id } = await scene();
    const { subject, email } = account(freshEmail());
    const { user } = await testUser(deps, { auth0_id: subject, email });
    const { user_id, created_at } = user;
    const left = { user_id, team_id, role: 'CUSTOMER', state: 'INACTIVE', created_at } as const;
    await deps.table.transact([put(MembershipEntity, left)]);
    const hire = () => hired(user, team_id);
    await logInCustomer(as(when(hire)), { email, password: 'of the provider' });
    expect(await rolesOf(user.user_id)).toEqual([{ team_id, role: 'OWNER' }]);
  });

  it.each([
    ['first', 0],
    ['next', 1],
  ])('gets three mails an hour, the %s two asked for at once', async (_, before) => {
    const { as, team_id } = await scene();
    const { subject, email } = account(freshEmail(), false);
    const given = { auth0_id: subject, email, email_verified: false };
    const memberships = [{ team_id, role: 'CUSTOMER' as const }];
    const { user } = await testUser(deps, { ...given, memberships });
    const send = (over = deps) => resendVerification(as(over), user.user_id);
    for (let at = 0; at < before; at++) await send();
    await send(when(() => send()));
    for (let at = before + 2; at < 3; at++) await send();
    await expect(send()).rejects.toMatchObject({ code: 'RATE_LIMIT_EXCEEDED' });
  });
});

it('the last use of a key is the later of two at once', async () => {
  const { team_id } = await testTeam(deps);
  const { key, api_key } = await testKey(deps, { team_ids: [team_id] });
  const use = (as = deps) =>
    authenticateKey(as, { text: api_key, address: async () => '192.0.2.1', stage: 'test' });
  const useLater = async () => {
    deps.clock.advance(1000);
    await use();
  };
  await use(when(useLater));
  const known = (await readKeys(deps.table)).find(({ key_id }) => key_id === key.key_id);
  expect(known?.last_used).toBe('2027-01-15T03:00:01.000Z');
});
