import type { PartnerCaller } from '../../platform/auth.ts';
import type { Context } from '../../platform/context.ts';
import { ServiceError } from '../../platform/errors.ts';
import { readUser, type UserWithTeams } from './user.store.ts';

export const customerNotAccessible = (): ServiceError => new ServiceError('EXTERNAL_CUSTOMER_NOT_ACCESSIBLE');

/** A customer of the key's teams. Hosts are none, and whoever does not exist is refused in the same words. */
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
