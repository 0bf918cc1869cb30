import { type Clock, instantText } from '../../platform/time/clock.ts';
import type { Context, Dependencies } from '../../platform/context.ts';
import { ServiceError } from '../../platform/errors.ts';
import {
  change,
  type Condition,
  equals,
  put,
  readOf,
  remove,
  type Table,
  type Write,
} from '../../platform/table/index.ts';
import { minuteMs } from '../../platform/time/time.ts';
import { recordEvent } from '../../record-event.ts';
import { readOpenInvitations } from './invitation.store.ts';
import type { HostRole } from './team.schema.ts';
import { countAddition, memberEventsOf, type Team } from './team.store.ts';
import {
  hostSide,
  type Membership,
  MembershipEntity,
  nextUpdate,
  teamMembersPartition,
  type User,
  UserEntity,
} from './user.store.ts';

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

/** Whether a person is a host of a team; customers are members of another kind. */
export const isHost = (membership: Membership | undefined): membership is Membership =>
  membership !== undefined && membership.role !== 'CUSTOMER';

/** Returns the state of a member. Of an invitation from before invitations were accepted it is INACTIVE: no account has its record. */
export const stateOf = ({ membership, user }: TeamHost): Membership['state'] =>
  user.auth0_id === null ? 'INACTIVE' : membership.state;

type Acting = Pick<Context, 'clock' | 'caller'>;
type Guard = { when: Condition; onConflict?: () => Error };

/**
 * Returns the writes that give a host another role, and the membership with it; they conflict if another one is given or it
 * ends meanwhile. A guard replaces that condition. Which tokens have the role stays.
 */
export const changeRole = (
  ctx: Acting,
  { user, membership: before }: TeamHost,
  role: HostRole,
  guard: Guard = { when: equals('role', before.role) },
): { membership: Membership; writes: Write[] } => {
  const { user_id, team_id } = before;
  const membership = { ...before, role, state: 'ACTIVE', created_at: instantText(ctx.clock.now()) } as const;
  const told = {
    subject: memberEventsOf(team_id),
    event_type: 'team.member_role_changed',
    team_id,
    data: { id: user_id, team_id, role, role_before: before.role },
  } as const;
  return {
    membership,
    writes: [
      change(
        UserEntity,
        user,
        { set: { updated_at: nextUpdate(ctx.clock, user) } },
        { when: equals('updated_at', user.updated_at) },
      ),
      put(MembershipEntity, membership, guard),
      ...(role === before.role ? [] : [recordEvent(ctx, told)]),
    ],
  };
};

/** Returns the writes that end a membership. */
export const endMembership = (ctx: Acting, { user_id, team_id, role }: Membership, guard: Guard): Write[] => [
  remove(MembershipEntity, { user_id, team_id }, guard),
  recordEvent(ctx, {
    subject: memberEventsOf(team_id),
    event_type: 'team.member_removed',
    team_id,
    data: { id: user_id, team_id, role },
  }),
];

/** An index lags behind the table by a second, and by minutes where writes to it are throttled. */
const indexLagMs = 10 * minuteMs;

const newMembers = (team: Team, now: number) =>
  (team.new_members ?? []).filter(({ at }) => at > now - indexLagMs);

/**
 * Returns the write that counts a new host of a team. Additions conflict, and the team names those of the last ten minutes, so
 * an index that lags by less lets none pass the limit.
 */
export const countMember = (clock: Clock, team: Team, userId: number): Write => {
  const now = clock.now();
  const others = newMembers(team, now).filter(({ user_id }) => user_id !== userId);
  return countAddition(team, 'members_added', { new_members: [...others, { user_id: userId, at: now }] });
};

/**
 * Throws INVALID_STATE_TRANSITION if a team, which was read before, has `most` hosts and open invitations of other addresses.
 * Who is no host any more does not count.
 */
export const requireMemberRoom = async (
  { table, clock }: Pick<Dependencies, 'table' | 'clock'>,
  team: Team,
  { email, most }: { email: string; most: number },
): Promise<void> => {
  const { team_id } = team;
  const now = clock.now();
  const [indexed, invitations] = await Promise.all([
    table.queryAll(MembershipEntity, hostsOf(team_id)),
    readOpenInvitations(table, team_id, now),
  ]);
  const invited = invitations.filter((invitation) => invitation.email !== email).length;
  const ids = [...new Set([...indexed, ...newMembers(team, now)].map(({ user_id }) => user_id))];
  if (invited + ids.length >= most && invited + (await countHosts(table, team_id, ids)) >= most)
    throw new ServiceError(
      'INVALID_STATE_TRANSITION',
      `A team can have at most ${most} members, open invitations included.`,
    );
};

const countHosts = async (table: Table, teamId: number, userIds: readonly number[]): Promise<number> => {
  const found = await table.getAll(
    userIds.map((userId) => readOf(MembershipEntity, { user_id: userId, team_id: teamId })),
  );
  return found.filter(isHost).length;
};
