import type { UserCaller } from '../../platform/auth.ts';
import type { Context, Dependencies } from '../../platform/context.ts';
import { ServiceError } from '../../platform/errors.ts';
import { normalEmail } from '../../platform/normal-email.ts';
import { change, equals, remove, retryOnConflict } from '../../platform/table/index.ts';
import { claimEmail } from './claim-email.ts';
import { EmailOwnerEntity, nextUpdate, readUser, UserEntity, type UserWithTeams } from './user.store.ts';

type Deps = Pick<Dependencies, 'table' | 'clock' | 'identity'>;

/** Asks the identity provider if the record says that the e-mail is not verified, and stores a positive result (D12). */
export const refreshVerification = async (deps: Deps, found: UserWithTeams): Promise<UserWithTeams> => {
  const { auth0_id, email_verified } = found.user;
  if (email_verified || auth0_id === null) return found;
  const account = await deps.identity().readUser(auth0_id);
  if (!account?.email_verified) return found;
  return retryOnConflict(() => storeVerified(deps, found.user.user_id, normalEmail(account.email)));
};

/** The same for reads that do not depend on it: while the provider is unavailable, returns the record unchanged. */
export const withFreshVerification = async (
  deps: Deps & Pick<Dependencies, 'log'>,
  found: UserWithTeams,
): Promise<UserWithTeams> => {
  try {
    return await refreshVerification(deps, found);
  } catch (error) {
    if (!(error instanceof ServiceError)) throw error;
    deps.log.warn('verification not refreshed', { user_id: found.user.user_id, code: error.code });
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

/** Stores the verified address that the provider has now; it replaces another one on record. */
const storeVerified = async (
  { table, clock }: Deps,
  userId: number,
  email: string,
): Promise<UserWithTeams> => {
  const found = await readUser(table, userId);
  if (!found) throw new ServiceError('UNAUTHORIZED');
  const { user } = found;
  const set = { email, email_verified: true, updated_at: nextUpdate(clock, user) };
  await table.transact([
    change(UserEntity, user, { set }, { when: equals('email', user.email) }),
    ...(await claimEmail(table, user, email)),
    ...(await releaseEmail({ table }, found, email)),
  ]);
  return { ...found, user: { ...user, ...set } };
};

const releaseEmail = async ({ table }: Pick<Deps, 'table'>, { user }: UserWithTeams, email: string) => {
  if (user.email === email) return [];
  const before = await table.get(EmailOwnerEntity, { email: user.email });
  if (before?.user_id !== user.user_id) return [];
  return [remove(EmailOwnerEntity, { email: user.email }, { when: equals('user_id', user.user_id) })];
};
