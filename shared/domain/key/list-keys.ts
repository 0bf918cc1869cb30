import type { Dependencies } from '../../platform/context.ts';
import type { KeyRecord } from './key.schema.ts';
import { readKeys, toKeyRecord } from './key.store.ts';

/** Every key, or those of a team, oldest first; never the keys themselves (D17). */
export const listKeys = async (
  { table }: Pick<Dependencies, 'table'>,
  { team_id }: { team_id?: number | undefined } = {},
): Promise<KeyRecord[]> => {
  const keys = await readKeys(table);
  const wanted = team_id === undefined ? keys : keys.filter(({ team_ids }) => team_ids.includes(team_id));
  return wanted.map(toKeyRecord);
};
