import * as z from 'zod';
import { ServiceError } from '../../platform/errors.ts';
import type { WrittenLanguage } from '../../platform/text/language.ts';
import {
  change,
  defineEntity,
  defineRecord,
  equals,
  lacks,
  readOf,
  type RecordOf,
  sortable,
  type Table,
  type Write,
} from '../../platform/table/index.ts';

/** A team as stored. */
const StoredTeamRecord = defineRecord(() => ({
  team_id: z.int(),
  name: z.string(),
  /** The language of mails to guests without a choice of their own (D102); absent: Vietnamese. */
  language: z.enum(['vi', 'en']).optional(),
  /** Whom guests reach (D124); absent: not said. */
  contact_name: z.string().exactOptional(),
  contact_phone: z.string().exactOptional(),
  contact_email: z.string().exactOptional(),
  logo_url: z.string().exactOptional(),
  /** Of new listings, by the name of the field behind the prefix; absent: what all listings have. */
  default_standard_check_in_time: z.string().exactOptional(),
  default_standard_check_out_time: z.string().exactOptional(),
  default_timezone: z.string().exactOptional(),
  default_currency: z.string().exactOptional(),
  default_payment_methods: z.array(z.enum(['CASH', 'BANK_TRANSFER', 'ONLINE_GATEWAY'])).exactOptional(),
  default_refund_rule: z.string().exactOptional(),
  default_cancellation_terms: z
    .array(z.object({ until_hours_before: z.int(), refund_percent: z.number(), keep_nights: z.int() }))
    .exactOptional(),
  /** For which mails, `<name>#<language>`, the team has words of its own; absent: none. */
  own_mails: z.array(z.string()).exactOptional(),
  /** The person who has signed it up; absent: the operator made it. */
  made_by: z.int().exactOptional(),
  /** How many keys its owners have made; with it two that are made at once conflict, and do not pass the limit (D93). */
  keys_made: z.int().optional(),
  /** Likewise, how many members were added. */
  members_added: z.int().optional(),
  /** Those who were added in the last minutes, with the epoch milliseconds: the index of members may not have them yet. */
  new_members: z.array(z.object({ user_id: z.int(), at: z.int() })).optional(),
  /** UTC. */
  created_at: z.string(),
}));
export type Team = RecordOf<typeof StoredTeamRecord>;

export const teamPartition = (teamId: number): string => TeamEntity.partition({ team_id: teamId });

const allTeams = 'TEAMS';

export const TeamEntity = defineEntity<Team, Pick<Team, 'team_id'>>({
  name: 'Team',
  meaning: 'An owner of listings; its members and keys point to it.',
  patterns: ['a team by id', 'all teams, for the operator and the audit'],
  record: StoredTeamRecord,
  key: { pk: 'TEAM#{team_id}', sk: 'TEAM' },
  indexes: [{ index: 'by_audience', pk: allTeams, sk: '{team_id:sortable}' }],
  example: { team_id: 1 },
});

/** The partition of the events about the members of a team; null: about the platform's staff. */
export const memberEventsOf = (teamId: number | null): string => `TEAM#${teamId ?? ''}`;

export const noTeam = (teamId: number): ServiceError =>
  new ServiceError('NOT_FOUND', `There is no team ${teamId}.`);

export const requireTeam = async (table: Table, teamId: number): Promise<Team> => {
  const team = await table.get(TeamEntity, { team_id: teamId });
  if (!team) throw noTeam(teamId);
  return team;
};

/** Counts what is added to a team: two additions at once conflict, so they do not pass a limit together. */
export const countAddition = (
  team: Team,
  counter: 'keys_made' | 'members_added',
  beside: Pick<Team, 'new_members'> = {},
): Write => {
  const count = team[counter];
  const isSame = count === undefined ? lacks(counter) : equals(counter, count);
  return change(
    TeamEntity,
    { team_id: team.team_id },
    { set: { ...beside, [counter]: (count ?? 0) + 1 } },
    { when: isSame },
  );
};

export const readTeams = (table: Table): Promise<Team[]> =>
  table.queryAll(TeamEntity, { index: 'by_audience', pk: allTeams });

/** Returns the next teams after an id, oldest first; the index may lag. */
export const readTeamsAfter = async (table: Table, teamId: number, limit: number): Promise<Team[]> => {
  const from = sortable(teamId + 1);
  return (await table.query(TeamEntity, { index: 'by_audience', pk: allTeams, from, limit })).items;
};

/** Returns the BatchGet request for a team. */
export const teamRead = (teamId: number) => readOf(TeamEntity, { team_id: teamId });

/** Returns the language for a guest without a choice (D102). */
export const guestLanguage = (team: Team | undefined): WrittenLanguage => team?.language ?? 'vi';
