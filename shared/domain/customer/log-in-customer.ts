import type { PartnerCaller } from '../../platform/auth.ts';
import { instantText } from '../../platform/clock.ts';
import type { Context } from '../../platform/context.ts';
import { ServiceError } from '../../platform/errors.ts';
import { change, equals, retryOnConflict } from '../../platform/table/index.ts';
import type { IssuedTokens } from '../../platform/identity/index.ts';
import type { LoggedInCustomer, LoginCustomer } from './customer.schema.ts';
import { planAdoption } from './find-or-create-user.ts';
import { joinTeams } from './join-teams.ts';
import { customerShapes } from './present-customer.ts';
import { unverified, withFreshVerification } from './refresh-verification.ts';
import { tokenClaims } from './token-claims.ts';
import { UserEntity } from './user.entity.ts';
import { readUserBySubject, type UserWithTeams } from './user.store.ts';

/**
 * Logs a customer in at the identity provider and makes the person a customer of every team of the key; no registration is
 * needed before.
 */
export const logInCustomer = async (
  ctx: Context<PartnerCaller>,
  input: LoginCustomer,
): Promise<LoggedInCustomer> => {
  const tokens = await tokensOf(ctx, input);
  const found = await enter(ctx, await subjectOf(ctx, tokens, input.email));
  return { ...tokens, ...customerShapes(ctx.caller, found) };
};

const tokensOf = async (ctx: Context<PartnerCaller>, login: LoginCustomer): Promise<IssuedTokens> => {
  try {
    return await ctx.identity().passwordLogin(login);
  } catch (error) {
    if (!(error instanceof ServiceError) || error.code !== 'EMAIL_NOT_VERIFIED') throw error;
    throw await notVerified(ctx, login.email, error);
  }
};

/** The refusal in the published shape; the password was right, so an account without a record gets it here too (D56). */
const notVerified = async (
  ctx: Context<PartnerCaller>,
  email: string,
  error: ServiceError,
): Promise<ServiceError> => {
  const account = await ctx.identity().findUserByEmail(email);
  if (!account) return error;
  const { user } = await retryOnConflict(async () => {
    const known = await readUserBySubject(ctx.table, account.subject);
    if (known) return known;
    const adoption = await planAdoption(ctx, account, { caller: ctx.caller, isLogin: false });
    const { found, writes } = joinTeams(ctx, adoption.found);
    await ctx.table.transact([...adoption.writes, ...writes]);
    return found;
  });
  return unverified('EMAIL_NOT_VERIFIED', user.user_id);
};

/** Whom the provider has issued the token to: it came from the provider itself, over a channel that only it holds. */
const subjectOf = async (
  ctx: Context<PartnerCaller>,
  { access_token }: IssuedTokens,
  email: string,
): Promise<string> => {
  const subject = tokenClaims(access_token).sub ?? (await ctx.identity().findUserByEmail(email))?.subject;
  if (subject === undefined) throw new ServiceError('INVALID_CREDENTIALS');
  return subject;
};

const enter = (ctx: Context<PartnerCaller>, subject: string): Promise<UserWithTeams> =>
  retryOnConflict(async () => {
    const known = await readUserBySubject(ctx.table, subject);
    return known ? enterAgain(ctx, await withFreshVerification(ctx, known)) : enterFirst(ctx, subject);
  });

const enterFirst = async (ctx: Context<PartnerCaller>, subject: string): Promise<UserWithTeams> => {
  const account = await ctx.identity().readUser(subject);
  if (!account) throw new ServiceError('INVALID_CREDENTIALS');
  const adoption = await planAdoption(ctx, account, { caller: ctx.caller, isLogin: true });
  const { found, writes } = joinTeams(ctx, adoption.found);
  await ctx.table.transact([...adoption.writes, ...writes]);
  return found;
};

const enterAgain = async (ctx: Context<PartnerCaller>, known: UserWithTeams): Promise<UserWithTeams> => {
  if (known.user.status !== 'ACTIVE') throw new ServiceError('INVALID_CREDENTIALS');
  const { found, writes } = joinTeams(ctx, known);
  const set = { last_login_at: instantText(ctx.clock.now()) };
  const { user_id } = known.user;
  await ctx.table.transact([
    change(UserEntity, { user_id }, { set }, { when: equals('status', 'ACTIVE') }),
    ...writes,
  ]);
  return { ...found, user: { ...found.user, ...set } };
};
