import type { PublishableCaller } from '../../platform/auth.ts';
import type { Context } from '../../platform/context.ts';
import type { StayTeam } from './stay-team.schema.ts';
import { requireTeam } from './team.store.ts';

/** Returns what a page shows of its team, and how its guests sign in (D144). */
export const getStayTeam = async (
  { table, caller }: Context<PublishableCaller>,
  signIn: StayTeam['sign_in'],
): Promise<StayTeam> => {
  const team = await requireTeam(table, caller.team_id);
  return {
    ...{ team_id: team.team_id, name: team.name, language: team.language ?? null },
    ...{ contact_phone: team.contact_phone ?? null, contact_email: team.contact_email ?? null },
    ...{ logo_url: team.logo_url ?? null, sign_in: signIn },
  };
};
