import type { Clock } from '../../platform/clock.ts';
import {
  change,
  create,
  equals,
  present,
  put,
  remove,
  type Table,
  type Write,
} from '../../platform/table/index.ts';
import {
  EmailOwnerEntity,
  type Membership,
  MembershipEntity,
  nextUpdate,
  readUserByEmail,
  type User,
  UserEntity,
  type UserWithTeams,
} from './user.store.ts';

/** Whether the user was invited and has not logged in yet. */
export const isInvited = ({ auth0_id, status }: User): boolean => auth0_id === null && status === 'ACTIVE';

/** Returns the condition that an invited user is unchanged, its memberships included. */
export const stillInvited = ({ updated_at }: User) => equals('updated_at', updated_at);

interface ClaimedEmail {
  writes: Write[];
  memberships: Membership[];
}

/**
 * Returns the writes after a user has verified an address: the address now belongs to this user, unless another user has
 * verified it before, and the memberships of an invitation to it become this user's.
 */
export const claimEmail = async (
  table: Table,
  clock: Clock,
  taker: UserWithTeams,
  email: string,
): Promise<ClaimedEmail> => {
  const { user_id } = taker.user;
  const holder = await readUserByEmail(table, email);
  if (!holder)
    return { writes: [create(EmailOwnerEntity, { email, user_id })], memberships: taker.memberships };
  const unchanged = { writes: [], memberships: taker.memberships };
  if (holder.user.user_id === user_id) return unchanged;
  const repoint = reassignEmail(email, user_id, holder.user.user_id);
  if (isInvited(holder.user)) {
    const inherited = inheritMemberships(clock, taker, holder);
    return { ...inherited, writes: [repoint, ...inherited.writes] };
  }
  return holder.user.email_verified ? unchanged : { ...unchanged, writes: [repoint] };
};

/** Returns the write that assigns an address to another user. */
export const reassignEmail = (email: string, userId: number, before: number): Write =>
  put(EmailOwnerEntity, { email, user_id: userId }, { when: equals('user_id', before) });

/**
 * Returns the writes that end the invited record and give its memberships to the user, except where the user is already a
 * host of the team.
 */
const inheritMemberships = (clock: Clock, taker: UserWithTeams, invited: UserWithTeams): ClaimedEmail => {
  const now = nextUpdate(clock, invited.user);
  const { user_id } = taker.user;
  const isHostIn = (teamId: number) =>
    taker.memberships.some(({ team_id, role }) => team_id === teamId && role !== 'CUSTOMER');
  const granted = invited.memberships
    .filter(({ team_id }) => !isHostIn(team_id))
    .map((membership) => ({ ...membership, user_id }));
  const others = taker.memberships.filter(
    ({ team_id }) => !granted.some((membership) => membership.team_id === team_id),
  );
  const end = { status: 'DELETED', deleted_at: now, updated_at: now } as const;
  return {
    memberships: [...others, ...granted],
    writes: [
      change(UserEntity, invited.user, { set: end }, { when: stillInvited(invited.user) }),
      // One that was taken back meanwhile is not given to the user.
      ...invited.memberships.map((membership) => remove(MembershipEntity, membership, { when: present() })),
      ...granted.map((membership) => put(MembershipEntity, membership)),
    ],
  };
};
