import { ServiceError } from '../../platform/errors.ts';
import { create, type Table, type Write } from '../../platform/table/index.ts';
import { allKeys, type ApiKey, ApiKeyEntity, ApiKeyIdEntity, PartnerKeyEntity } from './key.entity.ts';
import { KeyRecord } from './key.schema.ts';

export const readKeyByHash = (table: Table, hash: string): Promise<ApiKey | undefined> =>
  table.get(ApiKeyEntity, { hash });

export const readKeys = async (table: Table): Promise<ApiKey[]> => {
  const { items } = await table.queryAll({ index: 'by_audience', pk: allKeys });
  return items as unknown as ApiKey[];
};

export const requireKey = async (table: Table, key_id: number): Promise<ApiKey> => {
  const found = await table.get(ApiKeyIdEntity, { key_id });
  const key = found && (await readKeyByHash(table, found.hash));
  if (!key) throw new ServiceError('NOT_FOUND', `There is no key ${key_id}.`);
  return key;
};

/** The writes of a new key: what authenticates it, and the ways to it by its id and by its partner. */
export const createKeyItems = (key: ApiKey): Write[] => {
  const { partner_key_id, key_id, hash } = key;
  return [
    create(ApiKeyEntity, key),
    create(ApiKeyIdEntity, { key_id, hash }),
    create(PartnerKeyEntity, { partner_key_id, key_id, hash }),
  ];
};

/** The key as an operator sees it. */
export const toKeyRecord = (key: ApiKey): KeyRecord =>
  KeyRecord.parse({ ...key, expires_at: key.valid_until });

export const isExpired = ({ valid_until }: Pick<ApiKey, 'valid_until'>, now: number): boolean =>
  valid_until !== null && Date.parse(valid_until) <= now;
