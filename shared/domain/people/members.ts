import type { Role } from '../../platform/auth.ts';
import { type Clock, instantText } from '../../platform/clock.ts';
import type { Dependencies } from '../../platform/context.ts';
import { ServiceError } from '../../platform/errors.ts';
import {
  change,
  type Condition,
  equals,
  has,
  put,
  readOf,
  remove,
  retryOnConflict,
  type Table,
  type Write,
} from '../../platform/table/index.ts';
import { findOrInviteUser } from './invite-user.ts';
import type { HostRole } from './team.schema.ts';
import { requireTeam, TeamEntity } from './team.store.ts';
import {
  hostSide,
  type Membership,
  MembershipEntity,
  nextUpdate,
  readUserByEmail,
  teamMembersPartition,
  type User,
  UserEntity,
} from './user.store.ts';

/** A member of a team with contact data. */
type Member = Pick<User, 'user_id' | 'email' | 'full_name' | 'phone' | 'language'> &
  Pick<Membership, 'role'> & { state: ReturnType<typeof stateOf> };

interface Grant {
  writes: Write[];
  membership: Membership;
}

/**
 * Returns the writes that make a user a member, or change the role; they conflict if an invitation ends or another role is
 * given meanwhile. A guard is a further condition on the membership.
 */
export const grantMembership = (
  clock: Clock,
  user: User,
  { team_id, role }: { team_id: number; role: Role },
  guard?: { when: Condition; onConflict: () => Error },
): Grant => {
  const { user_id, updated_at } = user;
  const membership: Membership = {
    ...{ user_id, team_id, role, state: 'ACTIVE' },
    created_at: instantText(clock.now()),
  };
  return {
    membership,
    writes: [
      change(
        UserEntity,
        { user_id },
        { set: { updated_at: nextUpdate(clock, user) } },
        { when: equals('updated_at', updated_at) },
      ),
      put(MembershipEntity, membership, guard),
    ],
  };
};

const endMembership = (ids: Pick<Membership, 'user_id' | 'team_id'>, absent: () => Error): Write =>
  remove(MembershipEntity, ids, { when: has('pk'), onConflict: absent });

/** A membership with its user. */
export interface TeamHost {
  membership: Membership;
  user: User;
}

/** Returns the hosts of a team, who are few; the index may lag. */
export const readHosts = async (table: Table, teamId: number): Promise<TeamHost[]> => {
  const memberships = await table.queryAll(MembershipEntity, {
    index: 'by_team',
    pk: teamMembersPartition(teamId),
    prefix: hostSide,
  });
  const users = await table.getAll(memberships.map((ids) => readOf(UserEntity, ids)));
  return memberships.flatMap((membership, at) => {
    const user = users[at];
    return user ? [{ membership, user }] : [];
  });
};

/** Returns the state of a member; the role of an invited person takes effect with the first login. */
export const stateOf = ({ membership, user }: TeamHost): Membership['state'] | 'INVITED' =>
  user.auth0_id === null ? 'INVITED' : membership.state;

const memberOf = (host: TeamHost): Member => {
  const { user_id, email, full_name, phone, language } = host.user;
  return { user_id, email, full_name, phone, language, role: host.membership.role, state: stateOf(host) };
};

/** Gives a person a host role in a team (D13, D17); without an account it takes effect with the first verified login. */
export const addMember = async (
  deps: Pick<Dependencies, 'table' | 'clock' | 'identity'>,
  { team_id, email, role }: { team_id: number; email: string; role: HostRole },
): Promise<{ user_id: number }> => {
  await requireTeam(deps.table, team_id);
  return retryOnConflict(async () => {
    const { user } = await findOrInviteUser(deps, email);
    await deps.table.transact(grantMembership(deps.clock, user, { team_id, role }).writes);
    return { user_id: user.user_id };
  });
};

/** Returns the hosts of a team with e-mail, name and language, for notifications (D66). */
export const listMembers = async (
  { table }: Pick<Dependencies, 'table'>,
  teamId: number,
): Promise<Member[]> => (await readHosts(table, teamId)).map(memberOf);

/** Removes a member from a team (D17); access ends with the next authorizer call, within 60 seconds. */
export const removeMember = async (
  { table }: Pick<Dependencies, 'table'>,
  { team_id, email }: { team_id: number; email: string },
): Promise<{ user_id: number }> => {
  await requireTeam(table, team_id);
  const found = await readUserByEmail(table, email);
  const isMember = found?.memberships.some((membership) => membership.team_id === team_id);
  if (!found || !isMember) throw noMember(team_id);
  const { user_id } = found.user;
  await table.transact([endMembership({ user_id, team_id }, () => noMember(team_id))]);
  return { user_id };
};

const noMember = (teamId: number) =>
  new ServiceError('NOT_FOUND', `Team ${teamId} has no member with this e-mail.`);

/** Returns the contact for guests: the team's name and the phone of its first owner that has one. */
export const hostContact = async (
  deps: Pick<Dependencies, 'table'>,
  teamId: number,
): Promise<{ name: string; phone: string }> => {
  const [team, members] = await Promise.all([
    deps.table.get(TeamEntity, { team_id: teamId }),
    listMembers(deps, teamId),
  ]);
  const owners = members.filter(({ role, phone }) => role === 'OWNER' && phone);
  return { name: team?.name ?? '', phone: owners[0]?.phone ?? '' };
};
