import type { UserCaller } from '../../platform/auth.ts';
import type { Context } from '../../platform/context.ts';
import { ServiceError } from '../../platform/errors.ts';
import { change, present } from '../../platform/table/index.ts';
import type { UpdateMe, UserRecord } from './user.schema.ts';
import {
  nextUpdate,
  readUser,
  toUserRecord,
  type User,
  UserEntity,
  type UserWithTeams,
} from './user.store.ts';
import { withFreshVerification } from './verify-email.ts';

/** Returns the caller's own record. */
export const getMe = async (ctx: Context<UserCaller>): Promise<UserRecord> => {
  const found = await readUser(ctx.table, ctx.caller.user_id);
  if (!found) throw new ServiceError('UNAUTHORIZED');
  return shownTo(ctx.caller, await withFreshVerification(ctx, found));
};

/** Applications for guests do not learn where the person is a host (D106). */
const shownTo = ({ guest_only }: UserCaller, { user, memberships }: UserWithTeams): UserRecord =>
  toUserRecord({
    user,
    memberships: guest_only ? memberships.filter(({ role }) => role === 'CUSTOMER') : memberships,
  });

/** Changes the caller's own record; absent fields stay (D57, D74). */
export const updateMe = async (ctx: Context<UserCaller>, input: UpdateMe): Promise<UserRecord> => {
  const { user_id } = ctx.caller;
  const found = await readUser(ctx.table, user_id);
  if (!found) throw new ServiceError('UNAUTHORIZED');
  // JSON has no undefined: a field that is present has a value.
  const fields = input as Partial<Pick<User, keyof UpdateMe>>;
  const set = { ...fields, updated_at: nextUpdate(ctx.clock, found.user) };
  const user = { ...found.user, ...set };
  const write = change(UserEntity, { user_id }, { set }, { when: present() });
  return ctx.commit([write], shownTo(ctx.caller, { ...found, user }));
};
