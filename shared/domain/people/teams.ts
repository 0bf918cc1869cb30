import { type Clock, instantText } from '../../platform/time/clock.ts';
import type { Dependencies } from '../../platform/context.ts';
import { newId } from '../../platform/ids.ts';
import { change, create, present, retryOnConflict } from '../../platform/table/index.ts';
import type { TeamRecord } from './team-settings.schema.ts';
import { noTeam, readTeams, requireTeam, type Team, TeamEntity } from './team.store.ts';

/** What a team has without settings. */
const unset = {
  language: null,
  contact_name: null,
  contact_phone: null,
  contact_email: null,
  logo_url: null,
  default_standard_check_in_time: null,
  default_standard_check_out_time: null,
  default_timezone: null,
  default_currency: null,
  default_payment_methods: null,
  default_refund_rule: null,
  default_cancellation_terms: null,
};

/** Returns a team without what guards its limits. */
export const presentTeam = ({
  keys_made,
  members_added,
  new_members,
  language,
  ...team
}: Team): TeamRecord => ({
  ...unset,
  ...team,
  language: language ?? null,
});

/** Returns a new team. */
export const newTeam = (clock: Clock, settings: Omit<Team, 'team_id' | 'created_at'>): Team => ({
  ...settings,
  team_id: newId(clock),
  created_at: instantText(clock.now()),
});

/** Creates a team (D17). */
export const createTeam = (
  { table, clock }: Pick<Dependencies, 'table' | 'clock'>,
  { name, language }: Pick<Team, 'name' | 'language'>,
): Promise<Team> =>
  retryOnConflict(async () => {
    const team = newTeam(clock, { name, ...(language === undefined ? {} : { language }) });
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
  { name, language }: { name?: string | undefined; language?: Team['language'] },
): Promise<TeamRecord> => {
  const team = await requireTeam(table, teamId);
  const set = { ...(name === undefined ? {} : { name }), ...(language === undefined ? {} : { language }) };
  if (Object.keys(set).length === 0) return presentTeam(team);
  const onConflict = () => noTeam(teamId);
  await table.transact([change(TeamEntity, { team_id: teamId }, { set }, { when: present(), onConflict })]);
  return presentTeam({ ...team, ...set });
};
