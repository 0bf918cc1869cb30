import type { UserCaller } from '../../platform/auth.ts';
import type { Context } from '../../platform/context.ts';
import { ServiceError } from '../../platform/errors.ts';
import { change, present } from '../../platform/table/index.ts';
import { hasAccepted } from './acceptance.rules.ts';
import { tokenHash } from './token-hash.ts';
import type { UpdateMe, UserRecord } from './user.schema.ts';
import {
  type Membership,
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
  return shownTo(ctx, await withFreshVerification(ctx, found));
};

/** Applications for guests do not learn where the person is a host (D106), nor do tokens from before that was accepted (D105). */
const shownTo = (
  { caller, bearer = '' }: Pick<Context<UserCaller>, 'caller' | 'bearer'>,
  { user, memberships }: UserWithTeams,
): UserRecord => {
  const token = { issued_at: caller.issued_at ?? 0, hash: tokenHash(bearer) };
  const isShown = (membership: Membership) =>
    membership.role === 'CUSTOMER' || (!caller.guest_only && hasAccepted(membership, token));
  return toUserRecord({ user, memberships: memberships.filter(isShown) });
};

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
  return ctx.commit([write], shownTo(ctx, { ...found, user }));
};
