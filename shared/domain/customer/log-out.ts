import { createHash } from 'node:crypto';
import type { UserCaller } from '../../platform/auth.ts';
import type { Context } from '../../platform/context.ts';
import { ServiceError } from '../../platform/errors.ts';
import { put } from '../../platform/table/index.ts';
import { SignedOutTokenEntity } from './signed-out-token.entity.ts';
import { tokenClaims } from './token-claims.ts';
import type { UserWithTeams } from './user.store.ts';

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
