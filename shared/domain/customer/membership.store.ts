import type { Role } from '../../platform/auth.ts';
import { type Clock, instantText } from '../../platform/clock.ts';
import { all, change, equals, has, put, remove, type Table, type Write } from '../../platform/table/index.ts';
import {
  customerSide,
  hostSide,
  type Membership,
  MembershipEntity,
  teamMembersPartition,
} from './membership.entity.ts';
import { type User, UserEntity } from './user.entity.ts';

/** A member as others in the team see and reach the person. */
export type Member = Pick<User, 'user_id' | 'email' | 'full_name' | 'phone' | 'language'> &
  Pick<Membership, 'role' | 'state'>;

const batch = 100;

/** Makes a user a member, in the place of an earlier role; an invitation that ends meanwhile makes it a lost race. */
export const grantMembership = (
  clock: Clock,
  user: User,
  { team_id, role }: { team_id: number; role: Role },
): Write[] => {
  const now = instantText(clock.now());
  const { user_id, updated_at } = user;
  return [
    change(
      UserEntity,
      { user_id },
      { set: { updated_at: now } },
      { when: all(equals('status', 'ACTIVE'), equals('updated_at', updated_at)) },
    ),
    put(MembershipEntity, { user_id, team_id, role, state: 'ACTIVE', created_at: now }),
  ];
};

/** Ends a membership. */
export const endMembership = (ids: Pick<Membership, 'user_id' | 'team_id'>, absent: () => Error): Write =>
  remove(MembershipEntity, ids, { when: has('pk'), onConflict: absent });

/** The members of one side of a team with how to reach them; made for the hosts, who are few. */
export const readMembers = async (
  table: Table,
  teamId: number,
  side: 'hosts' | 'customers' = 'hosts',
): Promise<Member[]> => {
  const { items } = await table.queryAll({
    index: 'by_team',
    pk: teamMembersPartition(teamId),
    prefix: side === 'hosts' ? hostSide : customerSide,
  });
  const members: Member[] = [];
  for (let from = 0; from < items.length; from += batch) {
    const memberships = items.slice(from, from + batch) as unknown as Membership[];
    const wanted = memberships.map((ids) => ({ entity: UserEntity, key: UserEntity.key(ids) }));
    const users = (await table.getAll(wanted)) as (User | undefined)[];
    members.push(...memberships.flatMap((membership, at) => memberOf(membership, users[at])));
  }
  return members;
};

const memberOf = ({ role, state }: Membership, user: User | undefined): Member[] => {
  if (!user) return [];
  const { user_id, email, full_name, phone, language } = user;
  return [{ user_id, email, full_name, phone, language, role, state }];
};
