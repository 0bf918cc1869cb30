import type { Dependencies } from '../../platform/context.ts';
import { listMembers } from './list-members.ts';
import { TeamEntity } from './team.entity.ts';

/** Whom a guest turns to: the team's name and the phone of its first owner that has one. */
export const hostContact = async (
  deps: Pick<Dependencies, 'table'>,
  team_id: number,
): Promise<{ name: string; phone: string }> => {
  const [team, members] = await Promise.all([
    deps.table.get(TeamEntity, { team_id }),
    listMembers(deps, team_id),
  ]);
  const owners = members.filter(({ role, phone }) => role === 'OWNER' && phone);
  return { name: team?.name ?? '', phone: owners[0]?.phone ?? '' };
};
