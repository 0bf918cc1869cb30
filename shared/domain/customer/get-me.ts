import type { UserCaller } from '../../platform/auth.ts';
import type { Context } from '../../platform/context.ts';
import { ServiceError } from '../../platform/errors.ts';
import { withFreshVerification } from './refresh-verification.ts';
import type { UserRecord } from './user.schema.ts';
import { readUser, toUserRecord } from './user.store.ts';

/** The caller's own record. */
export const getMe = async (ctx: Context<UserCaller>): Promise<UserRecord> => {
  const found = await readUser(ctx.table, ctx.caller.user_id);
  if (!found) throw new ServiceError('UNAUTHORIZED');
  return toUserRecord(await withFreshVerification(ctx, found));
};
