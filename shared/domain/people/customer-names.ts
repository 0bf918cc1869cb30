import type { Table } from '../../platform/table/index.ts';
import { type CustomerNames, namesOf } from './customer-name.rules.ts';
import { readUser } from './user.store.ts';

/** Returns the names of a person by team; undefined if no team has another one than the own (D107). */
export const customerNamesOf = async (
  table: Table,
  { user_id, is_renamed }: { user_id: number | null; is_renamed?: boolean },
): Promise<CustomerNames | undefined> => {
  if (!is_renamed || user_id === null) return undefined;
  const found = await readUser(table, user_id);
  return found && namesOf(found);
};
