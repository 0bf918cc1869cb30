import { hasScope, type PartnerCaller } from '../../platform/auth.ts';
import type { Context } from '../../platform/context.ts';
import { ServiceError } from '../../platform/errors.ts';
import type { PageOf, PagingQuery } from '../../platform/schema/schema.ts';
import { equals, paginate, remove } from '../../platform/table/index.ts';
import type {
  Customer,
  EmailVerification,
  LoginStatus,
  RemovedCustomer,
  ResentVerification,
} from './customer.schema.ts';
import { nameForTeams } from './customer-name.rules.ts';
import { followAccount } from './follow-account.ts';
import { sendCounted, VerificationMailsEntity } from './mail-allowance.store.ts';
import {
  customerSide,
  MembershipEntity,
  readUser,
  shownStatus,
  teamMembersPartition,
  toUserRecord,
  type UserWithTeams,
} from './user.store.ts';
import { refreshVerification, withFreshVerification } from './verify-email.ts';

const customerNotAccessible = (): ServiceError => new ServiceError('EXTERNAL_CUSTOMER_NOT_ACCESSIBLE');

/** Reads a customer of the key's teams. Hosts and unknown users get the same error. */
export const accessibleCustomer = async (
  { table, caller }: Pick<Context<PartnerCaller>, 'table' | 'caller'>,
  userId: number,
): Promise<UserWithTeams> => {
  const found = await readUser(table, userId);
  const isCustomer = found?.memberships.some(
    ({ team_id, role }) => role === 'CUSTOMER' && caller.team_ids.includes(team_id),
  );
  if (!found || !isCustomer) throw customerNotAccessible();
  return found;
};

const hidden = {
  email: null,
  phone: null,
  full_name: null,
  avatar_url: null,
  date_of_birth: null,
  gender: null,
  // At some connections the id is an e-mail address.
  auth0_id: null,
};

/** Returns an address for a key that may see it, else null (D93). */
export const emailFor = (caller: PartnerCaller, email: string): string | null =>
  hasScope(caller, 'personal') ? email : null;

/** Returns the sentence about a sent verification link. */
export const mailedText = (caller: PartnerCaller, email: string): string =>
  hasScope(caller, 'personal')
    ? `A verification link was mailed to ${email}.`
    : 'A verification link was mailed.';

/**
 * Returns a user record as a partner sees it: only teams of the key, with their name of the customer (D107), personal data
 * only with its scope (D93).
 */
export const presentCustomer = (caller: PartnerCaller, { user, memberships }: UserWithTeams): Customer => {
  const ofKey = memberships.filter(({ team_id }) => caller.team_ids.includes(team_id));
  const named = { ...user, ...nameForTeams({ user, memberships }, caller.team_ids) };
  const shown = toUserRecord({ user: named, memberships: ofKey });
  return hasScope(caller, 'personal') ? shown : { ...shown, ...hidden };
};

/** Returns what both published responses of registration and login have in common (D54). */
export const customerShapes = (caller: PartnerCaller, found: UserWithTeams) => {
  const user = presentCustomer(caller, found);
  const teams = user.teams.filter(({ state }) => state === 'ACTIVE').map(({ team_id }) => team_id);
  const { id: userId, email, full_name } = user;
  return { user, customer_teams: teams, user_id: userId, email, full_name, teams };
};

/** Returns a customer of the key's teams. */
export const getCustomer = async (ctx: Context<PartnerCaller>, userId: number): Promise<Customer> =>
  presentCustomer(ctx.caller, await withFreshVerification(ctx, await accessibleCustomer(ctx, userId)));

/** Returns whether a customer can log in (D55). */
export const readLoginStatus = async (ctx: Context<PartnerCaller>, userId: number): Promise<LoginStatus> => {
  const { user } = await withFreshVerification(ctx, await accessibleCustomer(ctx, userId));
  const { user_id, email, status, email_verified, auth0_id, last_login_at } = user;
  const canLogin = status === 'ACTIVE' && auth0_id !== null && email_verified;
  return {
    ...{ user_id, email: emailFor(ctx.caller, email), status: shownStatus(user), email_verified },
    ...{ can_login: canLogin, last_login_at },
  };
};

/** Reads the e-mail verification live from the identity provider; a positive result is stored. */
export const readEmailVerification = async (
  ctx: Context<PartnerCaller>,
  userId: number,
): Promise<EmailVerification> => {
  const found = await accessibleCustomer(ctx, userId);
  const { auth0_id, user_id, email } = found.user;
  const account = auth0_id === null ? undefined : await ctx.identity().readUser(auth0_id);
  if (account && (account.email !== email || account.email_verified !== found.user.email_verified))
    await followAccount(ctx, found);
  return {
    user_id,
    email: emailFor(ctx.caller, account?.email ?? email),
    email_verified: account?.email_verified ?? false,
    has_auth0_account: account !== undefined,
  };
};

/** Returns the customers of the key's teams, newest first, each once (D55). */
export const listCustomers = async (
  ctx: Context<PartnerCaller>,
  { team_ids }: { team_ids: readonly number[] },
  paging: PagingQuery,
): Promise<PageOf<Customer>> => {
  const sources = team_ids.map((teamId) => ({
    index: 'by_team' as const,
    pk: teamMembersPartition(teamId),
    prefix: customerSide,
    descending: true,
  }));
  const page = await paginate(ctx.table, MembershipEntity, sources, paging, { distinct: true });
  const found = await Promise.all(page.items.map(({ user_id }) => readUser(ctx.table, user_id)));
  return { ...page, items: found.flatMap((one) => (one ? [presentCustomer(ctx.caller, one)] : [])) };
};

/** Removes a customer from a team of the key; hosts are not customers and stay. */
export const removeCustomer = async (
  ctx: Context<PartnerCaller>,
  ids: { user_id: number; team_id: number },
): Promise<RemovedCustomer> => {
  if (!ctx.caller.team_ids.includes(ids.team_id)) throw customerNotAccessible();
  const isCustomer = { when: equals('role', 'CUSTOMER'), onConflict: customerNotAccessible };
  return ctx.commit([remove(MembershipEntity, ids, isCustomer)], {
    message: 'The customer was removed from the team.',
    ...ids,
  });
};

/**
 * Has the identity provider mail the verification link again, at most three times an hour (D55); a verified customer gets
 * no mail.
 */
export const resendVerification = async (
  ctx: Context<PartnerCaller>,
  userId: number,
): Promise<ResentVerification> => {
  const { user } = await refreshVerification(ctx, await accessibleCustomer(ctx, userId));
  const { user_id, email, auth0_id, email_verified } = user;
  const shown = { user_id, email: emailFor(ctx.caller, email), email_verified };
  if (email_verified) return { message: 'The e-mail address is already verified.', ...shown };
  if (auth0_id === null) throw new ServiceError('NOT_FOUND', 'This customer has no account yet.');
  await sendCounted(ctx, VerificationMailsEntity, { user_id }, () =>
    ctx.identity().sendVerificationEmail(auth0_id),
  );
  return { message: mailedText(ctx.caller, email), ...shown };
};
