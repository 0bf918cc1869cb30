import * as z from 'zod';
import { hasScope, type PartnerCaller, type UserCaller } from '../../platform/auth.ts';
import { instantText } from '../../platform/time/clock.ts';
import type { Context } from '../../platform/context.ts';
import { ServiceError } from '../../platform/errors.ts';
import type { IssuedTokens } from '../../platform/identity/index.ts';
import { all, change, equals, put, retryOnConflict } from '../../platform/table/index.ts';
import type { AccountClaims } from './account-look.rules.ts';
import type { LoggedInCustomer, LoginCustomer } from './customer.schema.ts';
import { customerShapes } from './customers.ts';
import { planAdoption } from './find-or-create-user.ts';
import { logInCounted } from './log-in-counted.ts';
import { joinKeyTeams } from './register-customer.ts';
import { tokenHash } from './token-hash.ts';
import {
  nextUpdate,
  readUserBySubject,
  SignedOutTokenEntity,
  UserEntity,
  type UserWithTeams,
} from './user.store.ts';
import { unverified, withFreshVerification } from './verify-email.ts';

const Claims = z.object({
  sub: z.string().min(1).optional(),
  exp: z.number().optional(),
  iat: z.int().optional(),
  email: z.string().optional().catch(undefined),
  email_verified: z.boolean().optional().catch(undefined),
});
type TokenClaims = z.infer<typeof Claims>;

/**
 * Returns the claims of a token whose signature was checked, or that came from the provider itself; none of an opaque
 * one.
 */
const tokenClaims = (token: string): TokenClaims => {
  try {
    const payload = Buffer.from(token.split('.')[1] ?? '', 'base64url').toString();
    return Claims.catch({}).parse(JSON.parse(payload));
  } catch {
    return {};
  }
};

/**
 * Logs a customer in at the identity provider and makes the person a customer of every team of the key; registration is
 * not required. The id token names the person, so it is for keys with the scope `personal` (D93).
 */
export const logInCustomer = async (
  ctx: Context<PartnerCaller>,
  input: LoginCustomer,
): Promise<LoggedInCustomer> => {
  const { id_token, ...tokens } = await tokensOf(ctx, input);
  const subject = await subjectOf(ctx, tokens, input.email);
  const found = await enterAccount(ctx, subject, accountClaims(tokens.access_token, id_token));
  const named = hasScope(ctx.caller, 'personal') && id_token !== undefined ? { id_token } : {};
  return { ...tokens, ...named, ...customerShapes(ctx.caller, found) };
};

const tokensOf = async (ctx: Context<PartnerCaller>, login: LoginCustomer): Promise<IssuedTokens> => {
  try {
    return await logInCounted(ctx, login);
  } catch (error) {
    if (!(error instanceof ServiceError) || error.code !== 'EMAIL_NOT_VERIFIED') throw error;
    throw await notVerified(ctx, login.email, error);
  }
};

/**
 * Returns the error in the published shape. The password was right, so an account without a record gets a record here
 * (D56).
 */
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
    const { found, writes } = joinKeyTeams(ctx, adoption.found);
    await ctx.table.transact([...adoption.writes, ...writes]);
    return found;
  });
  return unverified('EMAIL_NOT_VERIFIED', user.user_id);
};

/** Returns the subject of a token that came directly from the provider. */
const subjectOf = async (
  ctx: Context<PartnerCaller>,
  { access_token }: IssuedTokens,
  email: string,
): Promise<string> => {
  const subject = tokenClaims(access_token).sub ?? (await ctx.identity().findUserByEmail(email))?.subject;
  if (subject === undefined) throw new ServiceError('INVALID_CREDENTIALS');
  return subject;
};

/** The id token names the address; without one the access token may. */
const accountClaims = (accessToken: string, idToken: string | undefined): AccountClaims => ({
  ...tokenClaims(accessToken),
  ...(idToken === undefined ? {} : tokenClaims(idToken)),
});

const enterAccount = (
  ctx: Context<PartnerCaller>,
  subject: string,
  claims: AccountClaims,
): Promise<UserWithTeams> =>
  retryOnConflict(async () => {
    const known = await readUserBySubject(ctx.table, subject);
    return known
      ? logInKnown(ctx, await withFreshVerification(ctx, known, claims))
      : logInFirst(ctx, subject);
  });

const logInFirst = async (ctx: Context<PartnerCaller>, subject: string): Promise<UserWithTeams> => {
  const account = await ctx.identity().readUser(subject);
  if (!account) throw new ServiceError('INVALID_CREDENTIALS');
  const adoption = await planAdoption(ctx, account, { caller: ctx.caller, isLogin: true });
  const { found, writes } = joinKeyTeams(ctx, adoption.found);
  await ctx.table.transact([...adoption.writes, ...writes]);
  return found;
};

const logInKnown = async (ctx: Context<PartnerCaller>, known: UserWithTeams): Promise<UserWithTeams> => {
  if (known.user.status !== 'ACTIVE') throw new ServiceError('INVALID_CREDENTIALS');
  const { found, writes } = joinKeyTeams(ctx, known);
  const { user_id, updated_at } = known.user;
  const joins = writes.length > 0;
  const set = {
    last_login_at: instantText(ctx.clock.now()),
    ...(joins && { updated_at: nextUpdate(ctx.clock, known.user) }),
  };
  const isActive = equals('status', 'ACTIVE');
  const when = joins ? all(isActive, equals('updated_at', updated_at)) : isActive;
  await ctx.table.transact([change(UserEntity, { user_id }, { set }, { when }), ...writes]);
  return { ...found, user: { ...found.user, ...set } };
};

/** The longest life of a token. */
const maxTokenLifeSeconds = 86_400;

/**
 * Revokes the token of the request for its remaining life (D57): the authorizer refuses it from now on, cached results of
 * the gateway end within 60 seconds. Other tokens of the person stay valid.
 */
export const logOut = async (ctx: Context<UserCaller>): Promise<{ message: string }> => {
  if (ctx.bearer === undefined) throw new ServiceError('UNAUTHORIZED');
  const livesUntil = tokenClaims(ctx.bearer).exp ?? Math.ceil(ctx.clock.now() / 1000) + maxTokenLifeSeconds;
  const { user_id } = ctx.caller;
  const token = { user_id, token_hash: tokenHash(ctx.bearer), lives_until: livesUntil };
  return ctx.commit([put(SignedOutTokenEntity, token)], { message: 'You are logged out.' });
};

/** Whether the token was logged out. */
export const isLoggedOut = ({ signed_out = [] }: UserWithTeams, token: string): boolean =>
  signed_out.length > 0 && signed_out.includes(tokenHash(token));
