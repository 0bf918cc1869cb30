import { createHash } from 'node:crypto';
import * as z from 'zod';
import type { PartnerCaller, UserCaller } from '../../platform/auth.ts';
import { instantText } from '../../platform/clock.ts';
import type { Context } from '../../platform/context.ts';
import { ServiceError } from '../../platform/errors.ts';
import type { IssuedTokens } from '../../platform/identity/index.ts';
import { change, equals, put, retryOnConflict } from '../../platform/table/index.ts';
import type { LoggedInCustomer, LoginCustomer } from './customer.schema.ts';
import { customerShapes } from './customers.ts';
import { planAdoption } from './find-or-create-user.ts';
import { joinTeams } from './register-customer.ts';
import { readUserBySubject, SignedOutTokenEntity, UserEntity, type UserWithTeams } from './user.store.ts';
import { unverified, withFreshVerification } from './verify-email.ts';

const Claims = z.object({ sub: z.string().min(1).optional(), exp: z.number().optional() });
export type TokenClaims = z.infer<typeof Claims>;

/** The claims of a token whose signature has been checked, or that came from the provider itself; none of an opaque one. */
export const tokenClaims = (token: string): TokenClaims => {
  try {
    const payload = Buffer.from(token.split('.')[1] ?? '', 'base64url').toString();
    return Claims.catch({}).parse(JSON.parse(payload));
  } catch {
    return {};
  }
};

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

/** What no token outlives. */
const longestLifeSeconds = 86_400;

/**
 * Ends the token of the call for its remaining life (D57): the authorizer refuses it from now on, and what the gateway still
 * remembers of it ends within 60 seconds. Other tokens of the person go on working.
 */
export const logOut = async (ctx: Context<UserCaller>): Promise<{ message: string }> => {
  if (ctx.bearer === undefined) throw new ServiceError('UNAUTHORIZED');
  const lives_until = tokenClaims(ctx.bearer).exp ?? Math.ceil(ctx.clock.now() / 1000) + longestLifeSeconds;
  const { user_id } = ctx.caller;
  const token = { user_id, token_hash: hashOf(ctx.bearer), lives_until };
  return ctx.commit([put(SignedOutTokenEntity, token)], { message: 'You are logged out.' });
};

/** Whether the bearer of the token has logged it out. */
export const isLoggedOut = ({ signed_out = [] }: UserWithTeams, token: string): boolean =>
  signed_out.length > 0 && signed_out.includes(hashOf(token));

const hashOf = (token: string): string => createHash('sha256').update(token).digest('base64url');
