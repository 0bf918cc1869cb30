import { instantText } from '../../platform/clock.ts';
import type { Dependencies } from '../../platform/context.ts';
import { newId } from '../../platform/ids.ts';
import { create, retryOnConflict } from '../../platform/table/index.ts';
import { TeamEntity } from './team.entity.ts';
import type { TeamRecord } from './team.schema.ts';

/** Makes a team (D17). */
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
