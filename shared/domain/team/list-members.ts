import type { Dependencies } from '../../platform/context.ts';
import { type Member, readMembers } from '../customer/index.ts';

/** The hosts of a team with e-mail, name and language: whom the notifications of the team are for (D66). */
export const listMembers = ({ table }: Pick<Dependencies, 'table'>, team_id: number): Promise<Member[]> =>
  readMembers(table, team_id);
