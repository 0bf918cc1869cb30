import { create, equals, put, type Table, type Write } from '../../platform/table/index.ts';
import { EmailOwnerEntity, readUserByEmail, type User } from './user.store.ts';

/**
 * Returns the writes after a user has verified an address: the address now belongs to this user, unless another user has
 * verified it before.
 */
export const claimEmail = async (
  table: Table,
  { user_id }: Pick<User, 'user_id'>,
  email: string,
): Promise<Write[]> => {
  const holder = await readUserByEmail(table, email);
  if (!holder) return [create(EmailOwnerEntity, { email, user_id })];
  const { user } = holder;
  if (user.user_id === user_id || user.email_verified) return [];
  return [put(EmailOwnerEntity, { email, user_id }, { when: equals('user_id', user.user_id) })];
};
