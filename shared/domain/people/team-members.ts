import { actingTeam, type UserCaller } from '../../platform/auth.ts';
import type { Context } from '../../platform/context.ts';
import { ServiceError } from '../../platform/errors.ts';
import { equals, retryOnConflict, type Write } from '../../platform/table/index.ts';
import { countOfOwners, findAddressee, planTeamInvitation, withdraw } from './invite.ts';
import { type Invitation, readOpenInvitations } from './invitation.store.ts';
import {
  changeRole,
  endMembership,
  isHost,
  readHosts,
  requireMemberRoom,
  stateOf,
  type TeamHost,
} from './team-hosts.ts';
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
  return [{ user_id, email, full_name, role, state: stateOf(host), created_at, expires_at: null }];
};

const presentInvitation = (invitation: Invitation): TeamMember[] => {
  const { invitation_id, email, role, created_at, valid_until } = invitation;
  if (role === 'ADMIN') return [];
  const shown = { user_id: invitation_id, email, full_name: '', role, created_at } as const;
  return [{ ...shown, state: 'INVITED', expires_at: valid_until }];
};

/** Returns the hosts of the acting team and its open invitations (D93); one who joined a moment ago may be missing. */
export const listTeamMembers = async (ctx: Ctx): Promise<TeamMembers> => {
  const teamId = ownedTeam(ctx);
  const [hosts, invitations] = await Promise.all([
    readHosts(ctx.table, teamId),
    readOpenInvitations(ctx.table, teamId, ctx.clock.now()),
  ]);
  return { items: [...hosts.flatMap(presentHost), ...invitations.flatMap(presentInvitation)] };
};

/**
 * Gives a member of the acting team another role, or invites a person (D93, D105), who has nothing before accepting. Throws
 * INVALID_STATE_TRANSITION if the team would have no owner then, or too many members.
 */
export const setTeamMember = async (
  ctx: Ctx,
  { email, role }: SetTeamMember,
  apiUrl: string,
): Promise<TeamMember> => {
  const teamId = ownedTeam(ctx);
  return retryOnConflict(async () => {
    const team = await requireTeam(ctx.table, teamId);
    const { host, leftovers } = await findAddressee(ctx.table, teamId, email);
    if (host) return setRole(ctx, host, role);
    await requireMemberRoom(ctx, team, { email, most: mostMembers });
    const { invitation, writes } = await planTeamInvitation(ctx, team, { email, role, api_url: apiUrl });
    const counted = await countOfOwners(ctx, teamId);
    const [shown] = presentInvitation(invitation);
    return ctx.commit([...writes, counted, ...leftovers, ...whileOwner(ctx, teamId)], requireShown(shown));
  });
};

const requireShown = (shown: TeamMember | undefined): TeamMember => {
  if (!shown) throw new Error('a host role was given');
  return shown;
};

const setRole = async (ctx: Ctx, host: TeamHost, role: SetTeamMember['role']): Promise<TeamMember> => {
  const { user_id, team_id, role: before } = host.membership;
  const isCaller = user_id === ctx.caller.user_id && ctx.caller.system_role !== 'ADMIN';
  const stillOwner = { when: isOwner, onConflict: noLongerOwner };
  const { writes, membership } = changeRole(ctx, host, role, isCaller ? stillOwner : undefined);
  const isLowered = before === 'OWNER' && role !== 'OWNER';
  const ids = { team_id, user_id };
  const guards = isLowered ? await whileAnotherOwns(ctx, ids) : isCaller ? [] : whileOwner(ctx, team_id);
  const [shown] = presentHost({ ...host, membership });
  return ctx.commit([...writes, ...guards], requireShown(shown));
};

/**
 * Takes a person out of the acting team (D93), or withdraws an invitation by its id; access ends within 60 seconds. Throws
 * INVALID_STATE_TRANSITION for the last owner who has signed in.
 */
export const removeTeamMember = (ctx: Ctx, userId: number): Promise<{ message: string; id: number }> => {
  const ids = { team_id: ownedTeam(ctx), user_id: userId };
  return retryOnConflict(async () => {
    const before = await ctx.table.get(MembershipEntity, ids);
    if (!isHost(before)) return withdrawInvitation(ctx, ids.team_id, userId);
    const writes: Write[] = [
      ...endMembership(ctx, before, { when: equals('role', before.role) }),
      ...(before.role === 'OWNER' ? await whileAnotherOwns(ctx, ids) : guardsOf(ctx, ids)),
    ];
    return ctx.commit(writes, { message: 'The person is no longer a member of your team.', id: userId });
  });
};

const withdrawInvitation = async (ctx: Ctx, teamId: number, id: number) => {
  const open = await readOpenInvitations(ctx.table, teamId, ctx.clock.now());
  const invitation = open.find(({ invitation_id }) => invitation_id === id);
  if (!invitation) throw new ServiceError('NOT_FOUND', 'Your team has no such member or invitation.');
  return ctx.commit([withdraw(invitation), ...whileOwner(ctx, teamId)], {
    message: 'The invitation is withdrawn.',
    id,
  });
};

/** A caller who is no owner any more may still take themselves out. */
const guardsOf = (ctx: Ctx, { team_id, user_id }: Pick<Membership, 'team_id' | 'user_id'>): Write[] =>
  user_id === ctx.caller.user_id ? [] : whileOwner(ctx, team_id);
