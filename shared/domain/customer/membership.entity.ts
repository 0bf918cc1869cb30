import { defineEntity, sortable } from '../../platform/table/index.ts';
import type { TeamOfUser } from './membership.schema.ts';
import { userPartition } from './user.entity.ts';

/** That a user belongs to a team, and as what (D13). */
export interface Membership extends TeamOfUser {
  user_id: number;
  /** UTC. */
  created_at: string;
}

/** The two sides of a team: its hosts are few, its customers may be very many, and nobody reads them together. */
export const hostSide = 'HOST#';
export const customerSide = 'CUSTOMER#';

export const teamMembersPartition = (teamId: number): string => `TEAM#${teamId}#MEMBERS`;

export const MembershipEntity = defineEntity<Membership, Pick<Membership, 'user_id' | 'team_id'>>({
  name: 'Membership',
  meaning: 'That a user belongs to a team, with role and state.',
  patterns: ["a user's teams, read with the user (one Query)", "a team's hosts", "a team's customers"],
  key: ({ user_id, team_id }) => ({ pk: userPartition(user_id), sk: `MEMBER#${sortable(team_id)}` }),
  indexes: ({ team_id, user_id, role }) => ({
    by_team: {
      pk: teamMembersPartition(team_id),
      sk: `${role === 'CUSTOMER' ? customerSide : hostSide}${sortable(user_id)}`,
    },
  }),
  example: { user_id: 1, team_id: 1 },
});
