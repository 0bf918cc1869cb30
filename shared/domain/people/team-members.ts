import { actingTeam, type UserCaller } from '../../platform/auth.ts';
import type { Context } from '../../platform/context.ts';
import { ServiceError } from '../../platform/errors.ts';
import { equals, remove, retryOnConflict, type Write } from '../../platform/table/index.ts';
import { findOrInviteUser } from './invite-user.ts';
import { countMember, grantMembership, isHost, readHosts, stateOf, type TeamHost } from './members.ts';
import type { SetTeamMember, TeamMember, TeamMembers } from './team-member.schema.ts';
import { isOwner, noLongerOwner, whileAnotherOwns, whileOwner } from './team-owner.ts';
import { requireTeam } from './team.store.ts';
import { type Membership, MembershipEntity } from './user.store.ts';

type Ctx = Context<UserCaller>;

/** All members are read at once: for mails, and for the contact that guests see. */
const mostMembers = 100;

const ownedTeam = (ctx: Ctx): number => actingTeam(ctx.caller, ctx.teamHeader, 'own');

const presentHost = (host: TeamHost): TeamMember[] => {
  const { role, created_at } = host.membership;
  if (role === 'CUSTOMER') return [];
  const { user_id, email, full_name } = host.user;
  return [{ user_id, email, full_name, role, state: stateOf(host), created_at }];
};

/** Returns the hosts of the acting team (D93); one who was added a moment ago may be missing. */
export const listTeamMembers = async (ctx: Ctx): Promise<TeamMembers> => {
  const hosts = await readHosts(ctx.table, ownedTeam(ctx));
  return { items: hosts.flatMap(presentHost) };
};

/**
 * Gives a person a role in the acting team, or another role (D93); without an account it takes effect with the first
 * verified login. Throws INVALID_STATE_TRANSITION if the team would have no owner then.
 */
export const setTeamMember = async (ctx: Ctx, { email, role }: SetTeamMember): Promise<TeamMember> => {
  const teamId = ownedTeam(ctx);
  return retryOnConflict(async () => {
    const team = await requireTeam(ctx.table, teamId);
    const { user, memberships } = await findOrInviteUser(ctx, email);
    const { user_id } = user;
    const before = memberships.find((membership) => membership.team_id === teamId);
    const addition = isHost(before) ? [] : [await countMember(ctx, team, user_id, mostMembers)];
    const isCaller = user_id === ctx.caller.user_id && ctx.caller.system_role !== 'ADMIN';
    const { writes, membership } = grantMembership(
      ctx.clock,
      user,
      { team_id: teamId, role, before },
      isCaller ? { when: isOwner, onConflict: noLongerOwner } : undefined,
    );
    const isLowered = before?.role === 'OWNER' && role !== 'OWNER';
    const ids = { team_id: teamId, user_id };
    const guards = isLowered ? await whileAnotherOwns(ctx, ids) : isCaller ? [] : whileOwner(ctx, teamId);
    const [shown] = presentHost({ membership, user });
    if (!shown) throw new Error('a host role was given');
    return ctx.commit([...writes, ...addition, ...guards], shown);
  });
};

/**
 * Takes a person out of the acting team (D93); access ends within 60 seconds. Throws INVALID_STATE_TRANSITION for the last
 * owner who has signed in.
 */
export const removeTeamMember = (ctx: Ctx, userId: number): Promise<{ message: string; id: number }> => {
  const ids = { team_id: ownedTeam(ctx), user_id: userId };
  return retryOnConflict(async () => {
    const before = await ctx.table.get(MembershipEntity, ids);
    if (!isHost(before)) throw new ServiceError('NOT_FOUND', 'Your team has no such member.');
    const unchanged = { when: equals('role', before.role) };
    const writes: Write[] = [
      remove(MembershipEntity, ids, unchanged),
      ...(before.role === 'OWNER' ? await whileAnotherOwns(ctx, ids) : guardsOf(ctx, ids)),
    ];
    return ctx.commit(writes, { message: 'The person is no longer a member of your team.', id: userId });
  });
};

/** A caller who is no owner any more may still take themselves out. */
const guardsOf = (ctx: Ctx, { team_id, user_id }: Pick<Membership, 'team_id' | 'user_id'>): Write[] =>
  user_id === ctx.caller.user_id ? [] : whileOwner(ctx, team_id);
