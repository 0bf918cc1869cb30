import { type Clock, instantText } from '../../platform/clock.ts';
import {
  all,
  change,
  create,
  equals,
  put,
  remove,
  type Table,
  type Write,
} from '../../platform/table/index.ts';
import {
  EmailOwnerEntity,
  type Membership,
  MembershipEntity,
  readUserByEmail,
  type User,
  UserEntity,
  type UserWithTeams,
} from './user.store.ts';

/** An invited person who has not come yet. */
export const isInvited = ({ auth0_id, status }: User): boolean => auth0_id === null && status === 'ACTIVE';

/** Holds while an invited person is still that, with the memberships that were read. */
export const stillInvited = ({ updated_at }: User) =>
  all(equals('auth0_id', null), equals('status', 'ACTIVE'), equals('updated_at', updated_at));

interface Taken {
  writes: Write[];
  memberships: Membership[];
}

/**
 * What it writes when a user has verified an address: the address stands for this user from now on, unless another has
 * verified it before; an invitation to it becomes this user's memberships.
 */
export const claimEmail = async (
  table: Table,
  clock: Clock,
  taker: UserWithTeams,
  email: string,
): Promise<Taken> => {
  const { user_id } = taker.user;
  const holder = await readUserByEmail(table, email);
  if (!holder)
    return { writes: [create(EmailOwnerEntity, { email, user_id })], memberships: taker.memberships };
  const unchanged = { writes: [], memberships: taker.memberships };
  if (holder.user.user_id === user_id) return unchanged;
  const repoint = pointEmail(email, user_id, holder.user.user_id);
  if (isInvited(holder.user)) {
    const inherited = inherit(clock, taker, holder);
    return { ...inherited, writes: [repoint, ...inherited.writes] };
  }
  return holder.user.email_verified ? unchanged : { ...unchanged, writes: [repoint] };
};

/** Makes an address stand for another user than before. */
export const pointEmail = (email: string, userId: number, before: number): Write =>
  put(EmailOwnerEntity, { email, user_id: userId }, { when: equals('user_id', before) });

/** The invited record ends; what it was a member of, the taker is, unless a host of that team already. */
const inherit = (clock: Clock, taker: UserWithTeams, invited: UserWithTeams): Taken => {
  const now = instantText(clock.now());
  const { user_id } = taker.user;
  const isHostIn = (teamId: number) =>
    taker.memberships.some(({ team_id, role }) => team_id === teamId && role !== 'CUSTOMER');
  const granted = invited.memberships
    .filter(({ team_id }) => !isHostIn(team_id))
    .map((membership) => ({ ...membership, user_id }));
  const kept = taker.memberships.filter(
    ({ team_id }) => !granted.some((membership) => membership.team_id === team_id),
  );
  const end = { status: 'DELETED', deleted_at: now, updated_at: now } as const;
  return {
    memberships: [...kept, ...granted],
    writes: [
      change(UserEntity, invited.user, { set: end }, { when: stillInvited(invited.user) }),
      ...invited.memberships.map((membership) => remove(MembershipEntity, membership)),
      ...granted.map((membership) => put(MembershipEntity, membership)),
    ],
  };
};
