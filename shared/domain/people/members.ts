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
import { minuteMs } from '../../platform/time.ts';
import { findOrInviteUser } from './invite-user.ts';
import type { HostRole } from './team.schema.ts';
import { countAddition, requireTeam, type Team, TeamEntity } from './team.store.ts';
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
type Member = Pick<User, 'user_id' | 'email' | 'full_name' | 'phone' | 'language' | 'email_verified'> &
  Pick<Membership, 'role'> & { state: ReturnType<typeof stateOf> };

interface Grant {
  writes: Write[];
  membership: Membership;
}

/**
 * Returns the writes that make a user a member, or change the role; they conflict if an invitation ends, another role is
 * given or the one before ends meanwhile. A guard replaces that condition.
 */
export const grantMembership = (
  clock: Clock,
  user: User,
  { team_id, role, before }: { team_id: number; role: Role; before: Membership | undefined },
  guard: { when: Condition; onConflict?: () => Error } | undefined = before && {
    when: equals('role', before.role),
  },
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

const hostsOf = (teamId: number) =>
  ({ index: 'by_team', pk: teamMembersPartition(teamId), prefix: hostSide }) as const;

/** Returns the hosts of a team, who are few; the index may lag. */
export const readHosts = async (table: Table, teamId: number): Promise<TeamHost[]> => {
  const memberships = await table.queryAll(MembershipEntity, hostsOf(teamId));
  const users = await table.getAll(memberships.map((ids) => readOf(UserEntity, ids)));
  return memberships.flatMap((membership, at) => {
    const user = users[at];
    return user ? [{ membership, user }] : [];
  });
};

/** An index lags behind the table by a second, and by minutes where writes to it are throttled. */
const indexLagMs = 10 * minuteMs;

/**
 * Returns the write that counts a new host of a team, which was read before its members. With `most`, throws
 * INVALID_STATE_TRANSITION if the team has so many. Additions conflict, and the team names those of the last ten minutes, so
 * an index that lags by less lets none pass the limit; who is no host any more does not count. Not counted may be a person
 * who takes an invitation over at that moment: until the index is behind it no more.
 */
export const countMember = async (
  { table, clock }: Pick<Dependencies, 'table' | 'clock'>,
  team: Team,
  userId: number,
  most?: number,
): Promise<Write> => {
  const { team_id } = team;
  const now = clock.now();
  const recent = (team.new_members ?? []).filter(({ at }) => at > now - indexLagMs);
  if (most !== undefined) {
    const indexed = await table.queryAll(MembershipEntity, hostsOf(team_id));
    const ids = [...new Set([...indexed, ...recent].map(({ user_id }) => user_id))];
    if (ids.length >= most && (await countHosts(table, team_id, ids)) >= most)
      throw new ServiceError('INVALID_STATE_TRANSITION', `A team can have at most ${most} members.`);
  }
  const others = recent.filter(({ user_id }) => user_id !== userId);
  return countAddition(team, 'members_added', { new_members: [...others, { user_id: userId, at: now }] });
};

const countHosts = async (table: Table, teamId: number, userIds: readonly number[]): Promise<number> => {
  const found = await table.getAll(
    userIds.map((userId) => readOf(MembershipEntity, { user_id: userId, team_id: teamId })),
  );
  return found.filter(isHost).length;
};

/** Whether a person is a host of a team; customers are members of another kind. */
export const isHost = (membership: Membership | undefined): membership is Membership =>
  membership !== undefined && membership.role !== 'CUSTOMER';

/** Returns the state of a member; the role of an invited person takes effect with the first login. */
export const stateOf = ({ membership, user }: TeamHost): Membership['state'] | 'INVITED' =>
  user.auth0_id === null ? 'INVITED' : membership.state;

const memberOf = (host: TeamHost): Member => {
  const { user_id, email, full_name, phone, language, email_verified } = host.user;
  const person = { user_id, email, full_name, phone, language, email_verified };
  return { ...person, role: host.membership.role, state: stateOf(host) };
};

/** Gives a person a host role in a team (D13, D17), which the operator may do beyond the limit of its owners; without an account it takes effect with the first verified login. */
export const addMember = async (
  deps: Pick<Dependencies, 'table' | 'clock' | 'identity'>,
  { team_id, email, role }: { team_id: number; email: string; role: HostRole },
): Promise<{ user_id: number }> =>
  retryOnConflict(async () => {
    const team = await requireTeam(deps.table, team_id);
    const { user, memberships } = await findOrInviteUser(deps, email);
    const before = memberships.find((membership) => membership.team_id === team_id);
    const { writes } = grantMembership(deps.clock, user, { team_id, role, before });
    const addition = isHost(before) ? [] : [await countMember(deps, team, user.user_id)];
    await deps.table.transact([...writes, ...addition]);
    return { user_id: user.user_id };
  });

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
