import type { Dependencies } from '../../platform/context.ts';
import { ServiceError } from '../../platform/errors.ts';
import { change, equals } from '../../platform/table/index.ts';
import { nextUpdate, readUserByEmail, type User, UserEntity } from './user.store.ts';
import { refreshVerification } from './verify-email.ts';

/** Gives a person with a verified e-mail address a platform role (D13). */
export const promoteUser = async (
  deps: Pick<Dependencies, 'table' | 'clock' | 'identity'>,
  { email, role }: { email: string; role: User['system_role'] },
): Promise<User> => {
  const holder = await readUserByEmail(deps.table, email);
  const { user } = holder ? await refreshVerification(deps, holder) : {};
  if (!user?.email_verified)
    throw new ServiceError('NOT_FOUND', 'There is no user who has verified this e-mail address.');
  const set = { system_role: role, updated_at: nextUpdate(deps.clock, user) };
  await deps.table.transact([change(UserEntity, user, { set }, { when: equals('email', user.email) })]);
  return { ...user, ...set };
};
