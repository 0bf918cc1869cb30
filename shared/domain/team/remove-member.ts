import type { Dependencies } from '../../platform/context.ts';
import { ServiceError } from '../../platform/errors.ts';
import { endMembership, readUserByEmail } from '../customer/index.ts';
import { requireTeam } from './team.store.ts';

/** Ends a person's membership of a team (D17); it is refused from the next authorizer call on, 60 seconds at the latest. */
export const removeMember = async (
  { table }: Pick<Dependencies, 'table'>,
  { team_id, email }: { team_id: number; email: string },
): Promise<{ user_id: number }> => {
  await requireTeam(table, team_id);
  const found = await readUserByEmail(table, email);
  const isMember = found?.memberships.some((membership) => membership.team_id === team_id);
  if (!found || !isMember) throw noMember(team_id);
  const { user_id } = found.user;
  await table.transact([endMembership({ user_id, team_id }, () => noMember(team_id))]);
  return { user_id };
};

const noMember = (teamId: number) =>
  new ServiceError('NOT_FOUND', `Team ${teamId} has no member with this e-mail.`);
