import type { PartnerCaller } from '../../platform/auth.ts';
import type { Context } from '../../platform/context.ts';
import { accessibleCustomer } from './accessible-customer.ts';
import type { EmailVerification, LoginStatus } from './customer.schema.ts';
import { presentCustomer } from './present-customer.ts';
import { refreshVerification, withFreshVerification } from './refresh-verification.ts';
import type { UserRecord } from './user.schema.ts';

/** A customer of the key's teams. */
export const getCustomer = async (ctx: Context<PartnerCaller>, userId: number): Promise<UserRecord> =>
  presentCustomer(ctx.caller, await withFreshVerification(ctx, await accessibleCustomer(ctx, userId)));

/** Whether a customer can log in (D55). */
export const readLoginStatus = async (ctx: Context<PartnerCaller>, userId: number): Promise<LoginStatus> => {
  const { user } = await withFreshVerification(ctx, await accessibleCustomer(ctx, userId));
  const { user_id, email, status, email_verified, auth0_id, last_login_at } = user;
  const can_login = status === 'ACTIVE' && auth0_id !== null && email_verified;
  return { user_id, email, status, email_verified, can_login, last_login_at };
};

/** What the identity provider says about the e-mail at this moment; its yes is kept. */
export const readEmailVerification = async (
  ctx: Context<PartnerCaller>,
  userId: number,
): Promise<EmailVerification> => {
  const found = await accessibleCustomer(ctx, userId);
  const { auth0_id, user_id, email } = found.user;
  const account = auth0_id === null ? undefined : await ctx.identity().readUser(auth0_id);
  if (account?.email_verified) await refreshVerification(ctx, found);
  return {
    user_id,
    email: account?.email ?? email,
    email_verified: account?.email_verified ?? false,
    has_auth0_account: account !== undefined,
  };
};
