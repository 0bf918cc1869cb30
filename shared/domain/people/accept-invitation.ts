import type { UserCaller } from '../../platform/auth.ts';
import { type Clock, instantText, machineClock } from '../../platform/time/clock.ts';
import type { Context } from '../../platform/context.ts';
import { ServiceError } from '../../platform/errors.ts';
import { normalEmail } from '../../platform/text/normal-email.ts';
import {
  absent,
  all,
  any,
  change,
  equals,
  put,
  retryOnConflict,
  type Write,
} from '../../platform/table/index.ts';
import { recordEvent } from '../../record-event.ts';
import type { Acceptance } from './acceptance.rules.ts';
import { findInvitation, noInvitation, teamNameOf } from './invitation-of.ts';
import type { AcceptedInvitation } from './invitation.schema.ts';
import { type Invitation, InvitationEntity, isOpen } from './invitation.store.ts';
import { readAccount, requireOwnAccount } from './own-account.ts';
import { countMember, isHost } from './team-hosts.ts';
import { memberEventsOf, requireTeam } from './team.store.ts';
import { tokenHash } from './token-hash.ts';
import {
  type Membership,
  MembershipEntity,
  nextUpdate,
  readUser,
  UserEntity,
  type UserWithTeams,
} from './user.store.ts';

type Ctx = Context<UserCaller>;

/**
 * Accepts an invitation for the caller, whose address is the invited one and verified at the identity provider now (D105). The
 * role has the token of this request, and those that are issued from now on. The same person may repeat it. Throws NOT_FOUND,
 * INVITATION_FOR_ANOTHER_ADDRESS, USER_NOT_VERIFIED, PASSWORD_RESET_REQUIRED, and INVALID_STATE_TRANSITION for a member.
 */
export const acceptInvitation = (
  ctx: Ctx,
  secret: string,
  tokenClock: Clock = machineClock,
): Promise<AcceptedInvitation> =>
  retryOnConflict(async () => {
    const invitation = await findInvitation(ctx.table, secret);
    const found = await readUser(ctx.table, ctx.caller.user_id);
    if (found?.user.status !== 'ACTIVE' || ctx.bearer === undefined) throw new ServiceError('UNAUTHORIZED');
    if (invitation?.state === 'ACCEPTED' && holdsWhat(invitation, found))
      return answerOf(ctx, invitation, found);
    if (!invitation || !isOpen(invitation, ctx.clock.now())) throw noInvitation();
    const account = await readAccount(ctx);
    if (normalEmail(account.email) !== invitation.email)
      throw new ServiceError('INVITATION_FOR_ANOTHER_ADDRESS');
    await requireOwnAccount(ctx, found.user, account);
    const accepted = {
      accepted_at: Math.floor(tokenClock.now() / 1000),
      accepted_token: tokenHash(ctx.bearer),
    };
    return ctx.commit(
      [
        ...(await grantWrites(ctx, found, invitation, accepted)),
        changeInvitation(invitation, { ...accepted, accepted_by: found.user.user_id }),
        joined(ctx, invitation),
      ],
      await answerOf(ctx, { ...invitation, ...accepted }, found),
    );
  });

/** Whether a person has accepted an invitation, and still holds what it gave. */
const holdsWhat = (
  { team_id, accepted_by, accepted_at }: Invitation,
  { user, memberships }: UserWithTeams,
): boolean => {
  if (accepted_by !== user.user_id) return false;
  if (team_id === null) return user.system_role === 'ADMIN' && user.admin_accepted_at === accepted_at;
  const membership = memberships.find((one) => one.team_id === team_id);
  return isHost(membership) && membership.accepted_at === accepted_at;
};

const answerOf = async (
  { table }: Pick<Ctx, 'table'>,
  invitation: Invitation,
  { user: { user_id } }: UserWithTeams,
): Promise<AcceptedInvitation> => {
  const { team_id, role, accepted_at = 0 } = invitation;
  return {
    user_id,
    team_id,
    team_name: await teamNameOf(table, invitation),
    role,
    state: 'ACTIVE',
    accepted_at: instantText(accepted_at * 1000),
  };
};

const grantWrites = async (
  { table, clock }: Ctx,
  { user, memberships }: UserWithTeams,
  { team_id, role }: Invitation,
  { accepted_at, accepted_token }: Required<Acceptance>,
): Promise<Write[]> => {
  const { user_id, updated_at } = user;
  const unchanged = { when: equals('updated_at', updated_at) };
  const seen = { updated_at: nextUpdate(clock, user) };
  if (role === 'ADMIN' || team_id === null) {
    const staff = {
      system_role: 'ADMIN',
      admin_accepted_at: accepted_at,
      admin_accepted_token: accepted_token,
    } as const;
    return [change(UserEntity, user, { set: { ...seen, ...staff } }, unchanged)];
  }
  const before = memberships.find((membership) => membership.team_id === team_id);
  if (isHost(before))
    throw new ServiceError(
      'INVALID_STATE_TRANSITION',
      'You are a member of this team already: one of its owners changes your role.',
    );
  const membership: Membership = {
    ...{ user_id, team_id, role, state: 'ACTIVE', created_at: instantText(clock.now()) },
    ...{ accepted_at, accepted_token },
  };
  return [
    change(UserEntity, user, { set: seen }, unchanged),
    put(MembershipEntity, membership, { when: any(absent(), equals('role', 'CUSTOMER')) }),
    countMember(clock, await requireTeam(table, team_id), user_id),
  ];
};

/** Conflicts if it was replaced, withdrawn, used or mailed again meanwhile. */
const changeInvitation = (
  invitation: Invitation,
  accepted: Pick<Invitation, 'accepted_at' | 'accepted_by'> & Acceptance,
): Write => {
  const { accepted_at, accepted_by } = accepted;
  return change(
    InvitationEntity,
    invitation,
    { set: { state: 'ACCEPTED', accepted_at, accepted_by } },
    { when: all(equals('state', 'OPEN'), equals('secret_hash', invitation.secret_hash)) },
  );
};

const joined = (ctx: Ctx, { team_id, role }: Invitation): Write =>
  recordEvent(ctx, {
    subject: memberEventsOf(team_id),
    event_type: 'team.member_joined',
    team_id,
    data: { id: ctx.caller.user_id, team_id, role },
  });
