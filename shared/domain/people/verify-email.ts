import type { UserCaller } from '../../platform/auth.ts';
import type { Context, Dependencies } from '../../platform/context.ts';
import { ServiceError } from '../../platform/errors.ts';
import { type AccountClaims, isLookDue } from './account-look.rules.ts';
import { followAccount } from './follow-account.ts';
import { readUser, type UserWithTeams } from './user.store.ts';

type Deps = Pick<Dependencies, 'table' | 'clock' | 'identity'>;

/** Asks the identity provider about an account whose e-mail is not verified on record, and stores what it says (D12). */
export const refreshVerification = async (deps: Deps, found: UserWithTeams): Promise<UserWithTeams> =>
  found.user.email_verified ? found : followAccount(deps, found);

/**
 * The same for reads that do not depend on it, and for a token after which the address is to be compared (D108): while the
 * provider does not answer, or not as it should, returns the record unchanged.
 */
export const withFreshVerification = async (
  deps: Deps & Pick<Dependencies, 'log'>,
  found: UserWithTeams,
  token: AccountClaims = {},
): Promise<UserWithTeams> => {
  const isDue = isLookDue(found.user, token, deps.clock.now());
  if (found.user.email_verified && !isDue) return found;
  try {
    return await followAccount(deps, found, isDue ? token : {});
  } catch (error) {
    deps.log.warn('account not compared', { user_id: found.user.user_id, cause: String(error) });
    return found;
  }
};

/** Whether the caller's e-mail is verified (D8, D75); a negative result of the authorizer is checked live. */
const isEmailVerified = async (ctx: Context<UserCaller>): Promise<boolean> => {
  const { email_verified, user_id } = ctx.caller;
  if (email_verified) return true;
  const found = await readUser(ctx.table, user_id);
  return found !== undefined && (await refreshVerification(ctx, found)).user.email_verified;
};

/** Throws USER_NOT_VERIFIED in the published shape if the caller's e-mail is not verified (D8). */
export const requireVerified = async (ctx: Context<UserCaller>): Promise<void> => {
  if (await isEmailVerified(ctx)) return;
  throw unverified('USER_NOT_VERIFIED', ctx.caller.user_id);
};

/** Returns an error that requires verification of the e-mail, with the published details (D8). */
export const unverified = (code: 'USER_NOT_VERIFIED' | 'EMAIL_NOT_VERIFIED', userId: number): ServiceError =>
  new ServiceError(code, undefined, {
    user_id: userId,
    verification_status: 'PENDING',
    action_required: 'VERIFY_EMAIL',
  });
