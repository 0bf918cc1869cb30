import type { PartnerCaller } from '../../platform/auth.ts';
import { instantText } from '../../platform/time/clock.ts';
import type { Context } from '../../platform/context.ts';
import { ServiceError } from '../../platform/errors.ts';
import type { IdentityUser } from '../../platform/identity/index.ts';
import { absent, change, equals, put, retryOnConflict, type Write } from '../../platform/table/index.ts';
import type { RegisterCustomer, RegisteredCustomer } from './customer.schema.ts';
import { customerShapes, mailedText } from './customers.ts';
import { planAdoption } from './find-or-create-user.ts';
import { noteFirstPassword } from './first-password.store.ts';
import { logInCounted } from './log-in-counted.ts';
import {
  type Membership,
  MembershipEntity,
  nextUpdate,
  readUserBySubject,
  type User,
  UserEntity,
  type UserWithTeams,
} from './user.store.ts';

interface TeamJoin {
  found: UserWithTeams;
  writes: Write[];
}

/**
 * Makes a person a customer of every team of the key: added where absent, reactivated where INACTIVE. A host keeps the
 * host role. A known record must change with it, so that its other writers notice (D107).
 */
export const joinKeyTeams = (
  { caller, clock }: Pick<Context<PartnerCaller>, 'caller' | 'clock'>,
  { user, memberships }: UserWithTeams,
): TeamJoin => {
  const { user_id } = user;
  const before = new Map(memberships.map((membership) => [membership.team_id, membership]));
  const writes: Write[] = [];
  for (const teamId of new Set(caller.team_ids)) {
    const old = before.get(teamId);
    if (old?.state === 'ACTIVE') continue;
    const joined: Membership = old
      ? { ...old, state: 'ACTIVE' }
      : { user_id, team_id: teamId, role: 'CUSTOMER', state: 'ACTIVE', created_at: instantText(clock.now()) };
    const unchanged = old ? equals('role', old.role) : absent();
    writes.push(put(MembershipEntity, joined, { when: unchanged }));
    before.set(teamId, joined);
  }
  return { found: { user, memberships: [...before.values()] }, writes };
};

/**
 * Creates the account at the identity provider, which mails the verification link, and in one transaction the record, its
 * memberships and the event. After a crash in between, the same call or the first login completes it (D56).
 */
export const registerCustomer = async (
  ctx: Context<PartnerCaller>,
  input: RegisterCustomer,
): Promise<RegisteredCustomer> => {
  await noteFirstPassword(ctx.table, input.email, ctx.caller);
  const account = await signUp(ctx, input);
  return retryOnConflict(async () => {
    const known = await readUserBySubject(ctx.table, account.subject);
    const adoption = known
      ? { found: known, writes: [] }
      : await planAdoption(ctx, account, { caller: ctx.caller, isLogin: false });
    const { found, writes } = joinKeyTeams(ctx, adoption.found);
    const joined = known && writes.length > 0 ? [touch(ctx, known.user)] : [];
    return ctx.commit([...adoption.writes, ...joined, ...writes], {
      ...customerShapes(ctx.caller, found),
      message: mailedText(ctx.caller, found.user.email),
      requires_email_verification: !found.user.email_verified,
    });
  });
};

const touch = ({ clock }: Pick<Context, 'clock'>, user: User): Write =>
  change(
    UserEntity,
    user,
    { set: { updated_at: nextUpdate(clock, user) } },
    { when: equals('updated_at', user.updated_at) },
  );

const signUp = async (
  ctx: Context<PartnerCaller>,
  { phone, client_ip, ...person }: RegisterCustomer,
): Promise<IdentityUser> => {
  const from = client_ip === undefined ? {} : { clientIp: client_ip };
  try {
    return await ctx.identity().signUp({ ...person, ...(phone === undefined ? {} : { phone }), ...from });
  } catch (error) {
    if (!(error instanceof ServiceError) || error.code !== 'CUSTOMER_ALREADY_EXISTS') throw error;
    const stranded = await incompleteAccount(ctx, { ...person, client_ip });
    if (stranded) return stranded;
    throw error;
  }
};

/** Returns the account of an earlier, incomplete registration, if the caller has its password. */
const incompleteAccount = async (
  ctx: Context<PartnerCaller>,
  { email, password, client_ip }: Pick<RegisterCustomer, 'email' | 'password' | 'client_ip'>,
): Promise<IdentityUser | undefined> => {
  const account = await ctx.identity().findUserByEmail(email);
  if (!account || (await readUserBySubject(ctx.table, account.subject))) return undefined;
  try {
    await logInCounted(ctx, { email, password, client_ip });
    return account;
  } catch (error) {
    if (!(error instanceof ServiceError)) throw error;
    if (error.code === 'EMAIL_NOT_VERIFIED') return account;
    if (error.code === 'INVALID_CREDENTIALS' || error.code === 'FORBIDDEN') return undefined;
    throw error;
  }
};
