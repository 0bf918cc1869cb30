import { instantText } from '../../platform/clock.ts';
import type { Dependencies } from '../../platform/context.ts';
import { change, present } from '../../platform/table/index.ts';
import { ApiKeyEntity } from './key.entity.ts';
import type { KeyRecord } from './key.schema.ts';
import { requireKey, toKeyRecord } from './key.store.ts';

/** Ends a key for good; it is refused everywhere within 60 seconds (D16). The other key of a rotation lives on. */
export const revokeKey = async (
  { table, clock }: Pick<Dependencies, 'table' | 'clock'>,
  { key_id }: { key_id: number },
): Promise<KeyRecord> => {
  const key = await requireKey(table, key_id);
  if (key.state === 'REVOKED') return toKeyRecord(key);
  const set = { state: 'REVOKED', revoked_at: instantText(clock.now()) } as const;
  await table.transact([change(ApiKeyEntity, key, { set }, { when: present() })]);
  return toKeyRecord({ ...key, ...set });
};
