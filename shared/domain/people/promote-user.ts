import type { Dependencies } from '../../platform/context.ts';
import { ServiceError } from '../../platform/errors.ts';
import { normalEmail } from '../../platform/text/normal-email.ts';
import { change, retryOnConflict } from '../../platform/table/index.ts';
import { planInvitation } from './invite.ts';
import { type OpenInvitation, presentOpen } from './members.ts';
import { operator } from './operator.ts';
import { nextUpdate, readUserByEmail, type User, UserEntity } from './user.store.ts';

interface Promotion {
  email: string;
  role: User['system_role'];
  /** The address of the API, where the page of the mailed link is. */
  api_url: string;
}

/** Invites a person to the platform's staff (D13, D105), or makes one of them a user again. */
export const promoteUser = (
  { table, clock }: Pick<Dependencies, 'table' | 'clock'>,
  { role, api_url, ...given }: Promotion,
): Promise<Pick<User, 'user_id' | 'system_role'> | OpenInvitation> => {
  const email = normalEmail(given.email);
  return retryOnConflict(async () => {
    const { user } = (await readUserByEmail(table, email)) ?? {};
    if (user?.system_role === role && role === 'ADMIN') return { user_id: user.user_id, system_role: role };
    if (role === 'ADMIN') {
      const ctx = { table, clock, caller: operator };
      const planned = await planInvitation(ctx, { team_id: null, email, role, api_url });
      await table.transact(planned.writes);
      return presentOpen(planned.invitation);
    }
    if (!user) throw new ServiceError('NOT_FOUND', 'There is no user with this e-mail address.');
    const set = { system_role: role, updated_at: nextUpdate(clock, user) };
    await table.transact([change(UserEntity, user, { set })]);
    return { user_id: user.user_id, system_role: role };
  });
};
