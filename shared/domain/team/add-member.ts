import type { Dependencies } from '../../platform/context.ts';
import { present, conditionCheck, retryOnConflict } from '../../platform/table/index.ts';
import { findOrInviteUser, grantMembership } from '../customer/index.ts';
import { TeamEntity } from './team.entity.ts';
import type { HostRole } from './team.schema.ts';
import { noTeam, requireTeam } from './team.store.ts';

/** Gives a person a host role in a team (D13, D17); who has no account yet gets it with the first verified login. */
export const addMember = async (
  deps: Pick<Dependencies, 'table' | 'clock' | 'identity'>,
  { team_id, email, role }: { team_id: number; email: string; role: HostRole },
): Promise<{ user_id: number }> => {
  await requireTeam(deps.table, team_id);
  return retryOnConflict(async () => {
    const { user } = await findOrInviteUser(deps, email);
    await deps.table.transact([
      conditionCheck(TeamEntity, { team_id }, { when: present(), onConflict: () => noTeam(team_id) }),
      ...grantMembership(deps.clock, user, { team_id, role }),
    ]);
    return { user_id: user.user_id };
  });
};
