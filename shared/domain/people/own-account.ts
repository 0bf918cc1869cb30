import type { UserCaller } from '../../platform/auth.ts';
import type { Context } from '../../platform/context.ts';
import { ServiceError } from '../../platform/errors.ts';
import type { IdentityUser } from '../../platform/identity/index.ts';
import { hasForeignPassword } from './first-password.store.ts';
import type { User } from './user.store.ts';
import { unverified } from './verify-email.ts';

type Ctx = Context<UserCaller>;

/** Returns the caller's account as the provider has it now: the record may have an address that it had before. */
export const readAccount = async (ctx: Ctx): Promise<IdentityUser> => {
  const account = await ctx.identity().readUser(ctx.caller.subject);
  if (!account) throw new ServiceError('UNAUTHORIZED');
  return account;
};

/**
 * Throws unless the caller alone has the account, before it gets a role of hosts (D105): USER_NOT_VERIFIED, or
 * PASSWORD_RESET_REQUIRED where another party chose the first password and the token is not from after a reset.
 */
export const requireOwnAccount = async (ctx: Ctx, user: User, account: IdentityUser): Promise<void> => {
  if (!account.email_verified) throw unverified('USER_NOT_VERIFIED', user.user_id);
  if (!(await hasForeignPassword(ctx.table, user))) return;
  const { last_password_reset: reset } = account;
  if (reset === undefined || (ctx.caller.issued_at ?? 0) < Math.floor(Date.parse(reset) / 1000))
    throw new ServiceError('PASSWORD_RESET_REQUIRED', undefined, { action_required: 'RESET_PASSWORD' });
};
