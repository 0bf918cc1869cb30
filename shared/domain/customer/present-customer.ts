import type { PartnerCaller } from '../../platform/auth.ts';
import type { UserRecord } from './user.schema.ts';
import { toUserRecord, type UserWithTeams } from './user.store.ts';

/** A user record as a partner sees it: of the teams only those of the key. */
export const presentCustomer = (
  { team_ids }: PartnerCaller,
  { user, memberships }: UserWithTeams,
): UserRecord =>
  toUserRecord({ user, memberships: memberships.filter(({ team_id }) => team_ids.includes(team_id)) });

/** What both published answers of registration and login have in common (D54). */
export const customerShapes = (caller: PartnerCaller, found: UserWithTeams) => {
  const user = presentCustomer(caller, found);
  const teams = user.teams.filter(({ state }) => state === 'ACTIVE').map(({ team_id }) => team_id);
  const { id: user_id, email, full_name } = user;
  return { user, customer_teams: teams, user_id, email, full_name, teams };
};
