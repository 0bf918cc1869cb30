import type { Dependencies } from '../../platform/context.ts';
import type { TeamRecord } from './team.schema.ts';
import { readTeams } from './team.store.ts';

/** Every team, oldest first (D17). */
export const listTeams = ({ table }: Pick<Dependencies, 'table'>): Promise<TeamRecord[]> => readTeams(table);
