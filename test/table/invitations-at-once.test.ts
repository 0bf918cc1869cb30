import { beforeEach, describe, expect, it } from 'vitest';
import { acceptInvitation } from '../../shared/domain/people/accept-invitation.ts';
import { blockUser } from '../../shared/domain/people/block-user.ts';
import { InvitationEntity } from '../../shared/domain/people/invitation.store.ts';
import { getInvitation } from '../../shared/domain/people/invitations.ts';
import { listInvitations, removeMember } from '../../shared/domain/people/members.ts';
import { promoteUser } from '../../shared/domain/people/promote-user.ts';
import { readInvitation, renewSecret } from '../../shared/domain/people/renew-secret.ts';
import { listTeamMembers, removeTeamMember, setTeamMember } from '../../shared/domain/people/team-members.ts';
import { MembershipEntity, readUser } from '../../shared/domain/people/user.store.ts';
import type { UserCaller } from '../../shared/platform/auth.ts';
import { put } from '../../shared/platform/table/index.ts';
import { interrupted, interruptedTable } from '../support/interrupted.ts';
import {
  apiAddress,
  freshEmail,
  mailedSecret,
  signedIn,
  teamMails,
  testPerson,
  type TestPerson,
} from '../support/invitations.ts';
import {
  testContext,
  type TestDependencies,
  testDependencies,
  testTeam,
  testUser,
} from '../support/table.ts';

let deps: TestDependencies;
let team_id: number;
let owner: UserCaller;
let person: TestPerson;
let email: string;
beforeEach(async () => {
  deps = await testDependencies();
  ({ team_id } = await testTeam(deps));
  owner = (await testUser(deps, { memberships: [{ team_id, role: 'OWNER' }] })).caller;
  person = await testPerson(deps);
  ({ email } = person);
});

const asOwner = () => testContext(deps, owner);
const invite = (role: 'STAFF' | 'OWNER' = 'STAFF') => setTeamMember(asOwner(), { email, role }, apiAddress);
const invited = async (role: 'STAFF' | 'OWNER' = 'STAFF') => {
  const { user_id: id } = await invite(role);
  return { id, secret: await mailedSecret(deps, { team_id, email }) };
};
const accept = (secret: string) => acceptInvitation(person.as(), secret);
const acceptDuring = (secret: string, meanwhile: () => Promise<unknown>) =>
  acceptInvitation(interrupted(person.as(), meanwhile), secret);
const membership = () => deps.table.get(MembershipEntity, { team_id, user_id: person.user.user_id });
const stored = () => deps.table.get(InvitationEntity, { team_id, email });
const notFound = { code: 'NOT_FOUND' };

describe('an invitation that is accepted', () => {
  it('twice at once by one person is accepted with the first token', async () => {
    const { secret } = await invited();
    const first = signedIn(deps, person.caller);
    let answered: unknown;
    const second = await acceptDuring(
      secret,
      async () => void (answered = await acceptInvitation(first, secret)),
    );
    expect(second).toEqual(answered);
    const { accepted_token } = (await membership())!;
    await acceptInvitation(first, secret);
    expect((await membership())?.accepted_token).toBe(accepted_token);
  });

  it('by two accounts, between which the address moves, is that of the second', async () => {
    const { secret } = await invited();
    const other = await testPerson(deps);
    const late = acceptDuring(secret, async () => {
      deps.provider.add({ subject: person.caller.subject, email: freshEmail() });
      deps.provider.add({ subject: other.caller.subject, email });
      await acceptInvitation(other.as(), secret);
    });
    await expect(late).rejects.toMatchObject(notFound);
    expect(await membership()).toBeUndefined();
  });

  it('while it is withdrawn by its owner gives nothing', async () => {
    const { id, secret } = await invited();
    await expect(acceptDuring(secret, () => removeTeamMember(asOwner(), id))).rejects.toMatchObject(notFound);
    expect(await membership()).toBeUndefined();
  });

  it('while its owner withdraws it stays: the owner sees a member', async () => {
    const { id, secret } = await invited();
    const late = removeTeamMember(
      interrupted(asOwner(), () => accept(secret)),
      id,
    );
    await expect(late).rejects.toMatchObject(notFound);
    const { items } = await listTeamMembers(asOwner());
    expect(items.find((member) => member.email === email)).toMatchObject({ state: 'ACTIVE' });
  });

  it('while the operator takes the person out ends, at each moment', async () => {
    for (const moment of ['transact', { before: 'Invitation' }, { listed: 'Invitation' }] as const) {
      const { secret } = await invited();
      const table = interruptedTable(deps.table, moment, () => accept(secret));
      expect(await removeMember({ ...deps, table }, { team_id, email })).toEqual({
        user_id: person.user.user_id,
      });
      expect(await membership()).toBeUndefined();
      deps.clock.advance(3_600_000);
    }
  });

  it('while it is replaced gives nothing, and the new one is open', async () => {
    const { secret } = await invited();
    await expect(acceptDuring(secret, () => invite('OWNER'))).rejects.toMatchObject(notFound);
    expect(await listInvitations(deps, team_id)).toMatchObject([{ email, role: 'OWNER' }]);
  });

  it('while an owner invites anew has the new role at once, and the rights of the same tokens', async () => {
    const { secret } = await invited();
    const late = setTeamMember(
      interrupted(asOwner(), () => accept(secret)),
      { email, role: 'OWNER' },
      apiAddress,
    );
    expect(await late).toMatchObject({ user_id: person.user.user_id, role: 'OWNER', state: 'ACTIVE' });
    expect(await membership()).toMatchObject({ role: 'OWNER', accepted_at: expect.any(Number) as number });
    expect(await listInvitations(deps, team_id)).toEqual([]);
  });

  it('while its mail is repeated asks for the new link', async () => {
    const { id, secret } = await invited();
    const again = async () => renewSecret(deps.table, (await readInvitation(deps, { id, team_id }))!);
    await expect(acceptDuring(secret, again)).rejects.toMatchObject(notFound);
    expect(await membership()).toBeUndefined();
  });

  it('while the account is blocked gives nothing', async () => {
    const { secret } = await invited();
    const { user_id } = person.user;
    const late = acceptDuring(secret, () => blockUser(deps, { user_id }));
    await expect(late).rejects.toMatchObject({ code: 'UNAUTHORIZED' });
    expect(await membership()).toBeUndefined();
  });

  it('by a customer of the team makes the person a host; by one who becomes a host meanwhile, nothing', async () => {
    const { user_id, created_at } = person.user;
    const held = { user_id, team_id, state: 'ACTIVE', created_at } as const;
    await deps.table.transact([put(MembershipEntity, { ...held, role: 'CUSTOMER' })]);
    const { secret } = await invited();
    const hire = () => deps.table.transact([put(MembershipEntity, { ...held, role: 'MANAGER' })]);
    await expect(acceptDuring(secret, hire)).rejects.toMatchObject({ code: 'INVALID_STATE_TRANSITION' });
    expect(await membership()).toMatchObject({ role: 'MANAGER' });
    await deps.table.transact([put(MembershipEntity, { ...held, role: 'CUSTOMER' })]);
    await accept(secret);
    expect(await membership()).toMatchObject({ role: 'STAFF' });
  });

  it('is so up to its last millisecond', async () => {
    const { secret } = await invited();
    deps.clock.advance(7 * 86_400_000 - 1);
    expect(await getInvitation(person.as(), secret)).toMatchObject({ role: 'STAFF' });
    deps.clock.advance(1);
    await expect(getInvitation(person.as(), secret)).rejects.toMatchObject(notFound);
    await expect(accept(secret)).rejects.toMatchObject(notFound);
    expect(await listInvitations(deps, team_id)).toEqual([]);
    deps.clock.advance(-1);
    expect(await accept(secret)).toMatchObject({ state: 'ACTIVE' });
  });
});

describe('an invitation that is withdrawn', () => {
  it('while another one of the address is made leaves that one', async () => {
    const { id } = await invited();
    const late = removeTeamMember(
      interrupted(asOwner(), () => invite('OWNER')),
      id,
    );
    await expect(late).rejects.toMatchObject(notFound);
    expect(await listInvitations(deps, team_id)).toMatchObject([{ role: 'OWNER' }]);
  });

  it('by a former owner stays', async () => {
    const { id } = await invited();
    const { user_id } = owner;
    const other = (await testUser(deps, { memberships: [{ team_id, role: 'OWNER' }] })).caller;
    const late = removeTeamMember(
      interrupted(asOwner(), () => removeTeamMember(testContext(deps, other), user_id)),
      id,
    );
    await expect(late).rejects.toMatchObject({ code: 'FORBIDDEN' });
    expect(await listInvitations(deps, team_id)).toHaveLength(1);
  });
});

describe('the mail of an invitation', () => {
  const mailDuring = (meanwhile: () => Promise<unknown>) =>
    teamMails({ ...deps, table: interruptedTable(deps.table, 'transact', meanwhile) }, team_id);

  it('that was replaced meanwhile is not sent, and the new one has its own', async () => {
    await invite();
    expect(await mailDuring(() => invite('OWNER'))).toEqual([]);
    expect((await stored())?.secret_hash).toBe(null);
    const secret = await mailedSecret(deps, { team_id, email });
    expect(await getInvitation(person.as(), secret)).toMatchObject({ role: 'OWNER' });
  });

  it('that was accepted meanwhile is not sent again', async () => {
    const { id, secret } = await invited();
    const open = (await readInvitation(deps, { id, team_id }))!;
    const answer = await accept(secret);
    expect(await renewSecret(deps.table, open)).toBeUndefined();
    expect(await accept(secret)).toEqual(answer);
  });

  it('that was withdrawn meanwhile is not sent', async () => {
    await invite();
    expect(await mailDuring(() => removeMember(deps, { team_id, email }))).toEqual([]);
    expect(await stored()).toBeUndefined();
  });
});

describe('the role ADMIN', () => {
  const roleOf = async () => (await readUser(deps.table, person.user.user_id))?.user.system_role;

  it('is accepted by one of two accounts between which the address moves', async () => {
    await promoteUser(deps, { email, role: 'ADMIN', api_url: apiAddress });
    const secret = await mailedSecret(deps, { team_id: null, email });
    const other = await testPerson(deps);
    const late = acceptDuring(secret, async () => {
      deps.provider.add({ subject: person.caller.subject, email: freshEmail() });
      deps.provider.add({ subject: other.caller.subject, email });
      await acceptInvitation(other.as(), secret);
    });
    await expect(late).rejects.toMatchObject(notFound);
    expect(await roleOf()).toBe('USER');
  });

  it('is not accepted while the account is blocked', async () => {
    await promoteUser(deps, { email, role: 'ADMIN', api_url: apiAddress });
    const secret = await mailedSecret(deps, { team_id: null, email });
    const { user_id } = person.user;
    const late = acceptDuring(secret, () => blockUser(deps, { user_id }));
    await expect(late).rejects.toMatchObject({ code: 'UNAUTHORIZED' });
    expect(await roleOf()).toBe('USER');
  });
});
