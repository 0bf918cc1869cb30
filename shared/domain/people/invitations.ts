import type { Context } from '../../platform/context.ts';
import { addressDigest } from '../../platform/mail/allowance.rules.ts';
import { requireOpenInvitation, teamNameOf } from './invitation-of.ts';
import type { Invitation, RequestedReset } from './invitation.schema.ts';
import { InvitationMailsEntity, sendCounted } from './mail-allowance.store.ts';

/** Returns an address by which its owner knows it, and others do not. */
const masked = (email: string): string => email.replace(/^(.)[^@]*/u, '$1***');

/** Returns what an invitation is to, for the bearer of its link (D105). */
export const getInvitation = async (ctx: Context, secret: string): Promise<Invitation> => {
  const invitation = await requireOpenInvitation(ctx, secret);
  const { role, email, valid_until } = invitation;
  const teamName = await teamNameOf(ctx.table, invitation);
  return { team_name: teamName, role, email: masked(email), expires_at: valid_until };
};

/**
 * Has the identity provider mail a link to set a new password to the invited address, at most three times an hour (D105).
 * Nothing is said of whether it has an account.
 */
export const requestInvitedReset = async (ctx: Context, secret: string): Promise<RequestedReset> => {
  const { team_id, email } = await requireOpenInvitation(ctx, secret);
  const counted = { team_id, address: addressDigest(email), kind: 'PASSWORD' } as const;
  await sendCounted(ctx, InvitationMailsEntity, counted, () => ctx.identity().sendPasswordReset(email));
  return {
    message:
      'If there is an account with the invited address, a link to set a new password was mailed to it.',
    email: masked(email),
  };
};
