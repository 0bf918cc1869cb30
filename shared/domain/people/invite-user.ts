import type { Dependencies } from '../../platform/context.ts';
import { normalEmail } from '../../platform/normal-email.ts';
import { create, retryOnConflict } from '../../platform/table/index.ts';
import { isInvited, reassignEmail } from './claim-email.ts';
import { adoptAccount, createUser, newUser } from './find-or-create-user.ts';
import { EmailOwnerEntity, readUserByEmail, type UserWithTeams } from './user.store.ts';
import { refreshVerification } from './verify-email.ts';

type Deps = Pick<Dependencies, 'table' | 'clock' | 'identity'>;

/**
 * Returns the user to whom rights may be given by e-mail: the one who has verified the address, here or at the identity
 * provider, else an invited record. An account whose address is not verified never gets them.
 */
export const findOrInviteUser = (deps: Deps, address: string): Promise<UserWithTeams> =>
  retryOnConflict(async () => {
    const email = normalEmail(address);
    const holder = await readUserByEmail(deps.table, email);
    if (holder) {
      const fresh = await refreshVerification(deps, holder);
      if (isInvited(fresh.user) || (fresh.user.email_verified && fresh.user.email === email)) return fresh;
    } else {
      const account = await deps.identity().findUserByEmail(email);
      if (account?.email_verified && normalEmail(account.email) === email) return adoptAccount(deps, account);
    }
    return invite(deps, email, holder);
  });

const invite = async (
  { table, clock }: Deps,
  email: string,
  holder: UserWithTeams | undefined,
): Promise<UserWithTeams> => {
  const user = newUser(clock, { email, auth0_id: null, email_verified: false });
  const { user_id } = user;
  const own = holder
    ? reassignEmail(email, user_id, holder.user.user_id)
    : create(EmailOwnerEntity, { email, user_id });
  await table.transact([...createUser(clock, user), own]);
  return { user, memberships: [] };
};
