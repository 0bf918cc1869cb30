import { instantText } from '../../platform/time/clock.ts';
import type { Dependencies } from '../../platform/context.ts';
import { newId } from '../../platform/ids.ts';
import { change, create, present, retryOnConflict } from '../../platform/table/index.ts';
import type { TeamRecord } from './team.schema.ts';
import { noTeam, readTeams, requireTeam, type Team, TeamEntity } from './team.store.ts';

/** Returns a team without what guards its limits. */
const presentTeam = ({ team_id, name, language, created_at }: Team): TeamRecord => ({
  team_id,
  name,
  ...(language === undefined ? {} : { language }),
  created_at,
});

/** Creates a team (D17). */
export const createTeam = (
  { table, clock }: Pick<Dependencies, 'table' | 'clock'>,
  { name, language }: Pick<TeamRecord, 'name' | 'language'>,
): Promise<TeamRecord> =>
  retryOnConflict(async () => {
    const team = {
      team_id: newId(clock),
      name,
      ...(language === undefined ? {} : { language }),
      created_at: instantText(clock.now()),
    };
    await table.transact([create(TeamEntity, team)]);
    return team;
  });

/** Returns every team, oldest first (D17). */
export const listTeams = async ({ table }: Pick<Dependencies, 'table'>): Promise<TeamRecord[]> =>
  (await readTeams(table)).map(presentTeam);

/** Changes a team's name or the language of its guests' mails (D17, D102); absent fields stay. */
export const updateTeam = async (
  { table }: Pick<Dependencies, 'table'>,
  teamId: number,
  { name, language }: { name?: TeamRecord['name'] | undefined; language?: TeamRecord['language'] },
): Promise<TeamRecord> => {
  const team = await requireTeam(table, teamId);
  const set = { ...(name === undefined ? {} : { name }), ...(language === undefined ? {} : { language }) };
  if (Object.keys(set).length === 0) return presentTeam(team);
  const onConflict = () => noTeam(teamId);
  await table.transact([change(TeamEntity, { team_id: teamId }, { set }, { when: present(), onConflict })]);
  return presentTeam({ ...team, ...set });
};
