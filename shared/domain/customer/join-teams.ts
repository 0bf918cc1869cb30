import type { PartnerCaller } from '../../platform/auth.ts';
import { instantText } from '../../platform/clock.ts';
import type { Context } from '../../platform/context.ts';
import { absent, all, equals, put, type Write } from '../../platform/table/index.ts';
import { type Membership, MembershipEntity } from './membership.entity.ts';
import type { UserWithTeams } from './user.store.ts';

export interface Joined {
  found: UserWithTeams;
  writes: Write[];
}

/**
 * Makes a person a customer of every team of the key: added where absent, active again where INACTIVE. Whoever is
 * a host of a team stays it.
 */
export const joinTeams = (
  { caller, clock }: Pick<Context<PartnerCaller>, 'caller' | 'clock'>,
  { user, memberships }: UserWithTeams,
): Joined => {
  const { user_id } = user;
  const before = new Map(memberships.map((membership) => [membership.team_id, membership]));
  const writes: Write[] = [];
  for (const team_id of new Set(caller.team_ids)) {
    const old = before.get(team_id);
    if (old?.state === 'ACTIVE') continue;
    const joined: Membership = old
      ? { ...old, state: 'ACTIVE' }
      : { user_id, team_id, role: 'CUSTOMER', state: 'ACTIVE', created_at: instantText(clock.now()) };
    const unchanged = old ? all(equals('state', 'INACTIVE'), equals('role', old.role)) : absent();
    writes.push(put(MembershipEntity, joined, { when: unchanged }));
    before.set(team_id, joined);
  }
  return { found: { user, memberships: [...before.values()] }, writes };
};
