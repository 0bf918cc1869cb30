import { defineEntity, sortable } from '../../platform/table/index.ts';
import type { TeamRecord } from './team.schema.ts';

export const allTeams = 'TEAMS';

export const TeamEntity = defineEntity<TeamRecord, Pick<TeamRecord, 'team_id'>>({
  name: 'Team',
  meaning: 'An owner of listings; its members and keys point to it.',
  patterns: ['a team by id', 'all teams, for the operator'],
  key: ({ team_id }) => ({ pk: `TEAM#${team_id}`, sk: 'TEAM' }),
  indexes: ({ team_id }) => ({ by_audience: { pk: allTeams, sk: sortable(team_id) } }),
  example: { team_id: 1 },
});
