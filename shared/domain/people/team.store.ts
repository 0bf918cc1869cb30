import { ServiceError } from '../../platform/errors.ts';
import type { WrittenLanguage } from '../../platform/language.ts';
import { defineEntity, readOf, sortable, type Table } from '../../platform/table/index.ts';
import type { TeamRecord } from './team.schema.ts';

const allTeams = 'TEAMS';

export const TeamEntity = defineEntity<TeamRecord, Pick<TeamRecord, 'team_id'>>({
  name: 'Team',
  meaning: 'An owner of listings; its members and keys point to it.',
  patterns: ['a team by id', 'all teams, for the operator and the audit'],
  key: { pk: 'TEAM#{team_id}', sk: 'TEAM' },
  indexes: [{ index: 'by_audience', pk: allTeams, sk: '{team_id:sortable}' }],
  example: { team_id: 1 },
});

export const noTeam = (teamId: number): ServiceError =>
  new ServiceError('NOT_FOUND', `There is no team ${teamId}.`);

export const requireTeam = async (table: Table, teamId: number): Promise<TeamRecord> => {
  const team = await table.get(TeamEntity, { team_id: teamId });
  if (!team) throw noTeam(teamId);
  return team;
};

export const readTeams = (table: Table): Promise<TeamRecord[]> =>
  table.queryAll(TeamEntity, { index: 'by_audience', pk: allTeams });

/** Returns the next teams after an id, oldest first; the index may lag. */
export const readTeamsAfter = async (table: Table, teamId: number, limit: number): Promise<TeamRecord[]> => {
  const from = sortable(teamId + 1);
  return (await table.query(TeamEntity, { index: 'by_audience', pk: allTeams, from, limit })).items;
};

/** Returns the BatchGet request for a team. */
export const teamRead = (teamId: number) => readOf(TeamEntity, { team_id: teamId });

/** Returns the language for a guest without a choice (D102). */
export const guestLanguage = (team: TeamRecord | undefined): WrittenLanguage => team?.language ?? 'vi';
