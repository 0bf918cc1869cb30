import { instantText } from '../../platform/time/clock.ts';
import type { Dependencies } from '../../platform/context.ts';
import type { IdentityUser } from '../../platform/identity/index.ts';
import { normalEmail } from '../../platform/text/normal-email.ts';
import {
  all,
  change,
  create,
  equals,
  lacks,
  remove,
  retryOnConflict,
  type Write,
} from '../../platform/table/index.ts';
import type { AccountClaims } from './account-look.rules.ts';
import { claimEmail } from './claim-email.ts';
import {
  EmailOwnerEntity,
  nextUpdate,
  readUser,
  readUserByEmail,
  type User,
  UserEntity,
  type UserWithTeams,
} from './user.store.ts';

type Deps = Pick<Dependencies, 'table' | 'clock' | 'identity'>;

/**
 * Asks the identity provider for the account of a user, and stores its address and whether it is verified where they differ
 * (D12, D108). An answer is not stored over a change of the record since the question: then it is asked again.
 */
export const followAccount = (
  deps: Deps,
  found: UserWithTeams,
  { iat }: AccountClaims = {},
): Promise<UserWithTeams> => {
  let known: UserWithTeams | undefined = found;
  return retryOnConflict(async () => {
    const isAgain = known === undefined;
    const before = known ?? (await readUser(deps.table, found.user.user_id)) ?? found;
    known = undefined;
    const { auth0_id, status } = before.user;
    if (auth0_id === null || status === 'DELETED') return before;
    if (isAgain && isFollowed(before.user, iat)) return before;
    const account = await deps.identity().readUser(auth0_id);
    if (account?.email_verified) await followHolder(deps, normalEmail(account.email), auth0_id);
    return storeAccount(deps, before, account, iat);
  });
};

/** Whether the account was compared for this token, or a newer one. */
const isFollowed = ({ account_seen_iat }: User, iat: number | undefined): boolean =>
  iat !== undefined && account_seen_iat !== undefined && account_seen_iat >= iat;

/**
 * Has the record that holds an address follow its account, before the account of another subject takes the address (D108): one
 * whose account has another address, or is gone, loses it.
 */
export const followHolder = async (deps: Deps, email: string, subject: string): Promise<void> =>
  retryOnConflict(async () => {
    const holder = await readUserByEmail(deps.table, email);
    if (!holder) return;
    const { auth0_id, status } = holder.user;
    if (auth0_id === null || auth0_id === subject || status === 'DELETED') return;
    const account = await deps.identity().readUser(auth0_id);
    await storeAccount(deps, holder, account ?? { subject: auth0_id, email: '', email_verified: false });
  });

/** Stores what the provider has now; without an account, or a token, only what differs. */
const storeAccount = async (
  { table, clock }: Deps,
  found: UserWithTeams,
  account: IdentityUser | undefined,
  iat?: number,
): Promise<UserWithTeams> => {
  const { user } = found;
  const email = account ? normalEmail(account.email) : user.email;
  const isVerified = account?.email_verified ?? user.email_verified;
  const differs = email !== user.email || isVerified !== user.email_verified;
  if (!differs && iat === undefined) return found;
  const set = {
    ...(iat !== undefined && { account_seen_at: instantText(clock.now()), account_seen_iat: iat }),
    ...(differs && { email, email_verified: isVerified, updated_at: nextUpdate(clock, user) }),
  };
  await table.transact([
    change(UserEntity, user, { set }, { when: asRead(user) }),
    ...(isVerified ? await claimEmail(table, user, email) : await firstWithEmail(table, user, email)),
    ...(await releaseEmail(table, user, email)),
  ]);
  return { ...found, user: { ...user, ...set } };
};

/** A look that changed nothing is noticed too: what was asked before it is out of date. */
const asRead = ({ updated_at, status, account_seen_iat: iat }: User) =>
  all(
    equals('updated_at', updated_at),
    equals('status', status),
    iat === undefined ? lacks('account_seen_iat') : equals('account_seen_iat', iat),
  );

/** An address that is not verified is found by the first account that has it. */
const firstWithEmail = async (table: Deps['table'], { user_id }: User, email: string): Promise<Write[]> => {
  if (email === '' || (await table.get(EmailOwnerEntity, { email }))) return [];
  return [create(EmailOwnerEntity, { email, user_id })];
};

const releaseEmail = async (table: Deps['table'], user: User, email: string): Promise<Write[]> => {
  if (user.email === email) return [];
  const before = await table.get(EmailOwnerEntity, { email: user.email });
  if (before?.user_id !== user.user_id) return [];
  return [remove(EmailOwnerEntity, { email: user.email }, { when: equals('user_id', user.user_id) })];
};
