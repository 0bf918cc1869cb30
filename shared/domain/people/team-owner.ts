import type { UserCaller } from '../../platform/auth.ts';
import type { Context } from '../../platform/context.ts';
import { ServiceError } from '../../platform/errors.ts';
import { all, conditionCheck, equals, readOf, type Table, type Write } from '../../platform/table/index.ts';
import {
  hostSide,
  type Membership,
  MembershipEntity,
  teamMembersPartition,
  UserEntity,
} from './user.store.ts';

/** The condition that a membership is that of an owner. */
export const isOwner = all(equals('role', 'OWNER'), equals('state', 'ACTIVE'));

export const noLongerOwner = (): ServiceError =>
  new ServiceError('FORBIDDEN', 'You are no longer an owner of this team.');

/**
 * Returns the condition that the caller is an owner of the team at the time of the write, because the gateway caches the
 * authorizer's result for a minute. Platform staff is no member.
 */
export const whileOwner = ({ caller }: Pick<Context<UserCaller>, 'caller'>, teamId: number): Write[] =>
  caller.system_role === 'ADMIN'
    ? []
    : [
        conditionCheck(
          MembershipEntity,
          { user_id: caller.user_id, team_id: teamId },
          { when: isOwner, onConflict: noLongerOwner },
        ),
      ];

/**
 * Returns the condition that the team keeps an owner without this one: another who is an owner at the time of the write,
 * so that of two owners who leave at once one is refused. Throws INVALID_STATE_TRANSITION if there is none.
 */
export const whileAnotherOwns = async (
  { table, caller }: Pick<Context<UserCaller>, 'table' | 'caller'>,
  { team_id, user_id }: Pick<Membership, 'team_id' | 'user_id'>,
): Promise<Write[]> => {
  const isCaller = caller.user_id === user_id || caller.system_role === 'ADMIN';
  if (!isCaller) return whileOwner({ caller }, team_id);
  const other = await findOtherOwner(table, { team_id, user_id });
  if (!other)
    throw new ServiceError(
      'INVALID_STATE_TRANSITION',
      'A team keeps at least one owner who has signed in: give another member the role OWNER first.',
    );
  return [conditionCheck(MembershipEntity, other, { when: isOwner })];
};

/** The index may lag, so what it lists is read again. An invited person is no owner before the first login. */
const findOtherOwner = async (
  table: Table,
  { team_id, user_id }: Pick<Membership, 'team_id' | 'user_id'>,
): Promise<Membership | undefined> => {
  const listed = await table.queryAll(MembershipEntity, {
    index: 'by_team',
    pk: teamMembersPartition(team_id),
    prefix: hostSide,
  });
  const others = listed.filter((one) => one.role === 'OWNER' && one.user_id !== user_id);
  const [memberships, users] = await Promise.all([
    table.getAll(others.map((ids) => readOf(MembershipEntity, ids))),
    table.getAll(others.map((ids) => readOf(UserEntity, ids))),
  ]);
  return memberships.find((membership, at) => {
    const user = users[at];
    return (
      membership?.role === 'OWNER' &&
      membership.state === 'ACTIVE' &&
      user?.status === 'ACTIVE' &&
      user.auth0_id !== null
    );
  });
};
