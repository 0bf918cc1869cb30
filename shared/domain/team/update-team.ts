import type { Dependencies } from '../../platform/context.ts';
import { change, present } from '../../platform/table/index.ts';
import { TeamEntity } from './team.entity.ts';
import type { TeamRecord } from './team.schema.ts';
import { noTeam, requireTeam } from './team.store.ts';

/** Changes a team's name or the language of its guests' mails (D17, D102); what is absent stays. */
export const updateTeam = async (
  { table }: Pick<Dependencies, 'table'>,
  team_id: number,
  { name, language }: { name?: TeamRecord['name'] | undefined; language?: TeamRecord['language'] },
): Promise<TeamRecord> => {
  const team = await requireTeam(table, team_id);
  const set = { ...(name === undefined ? {} : { name }), ...(language === undefined ? {} : { language }) };
  if (Object.keys(set).length === 0) return team;
  const onConflict = () => noTeam(team_id);
  await table.transact([change(TeamEntity, { team_id }, { set }, { when: present(), onConflict })]);
  return { ...team, ...set };
};
