import { defineEntity, sortable } from '../../platform/table/index.ts';
import type { KeyRecord } from './key.schema.ts';

/** An API key as stored. `expires_at` is the table's word for sweeping, and a key that expired stays on record. */
export type ApiKey = Omit<KeyRecord, 'expires_at'> & {
  /** SHA-256 of the key; the key itself is nowhere. */
  hash: string;
  /** UTC; null: for ever. */
  valid_until: string | null;
};

export const allKeys = 'KEYS';

export const partnerKeys = (partnerKeyId: number): string => `PARTNER#${partnerKeyId}#KEYS`;

export const ApiKeyEntity = defineEntity<ApiKey, Pick<ApiKey, 'hash'>>({
  name: 'ApiKey',
  meaning: "A partner's API key.",
  patterns: ['the key of a request', 'all keys, for the operator', 'the keys of a partner'],
  key: ({ hash }) => ({ pk: `KEY#${hash}`, sk: 'KEY' }),
  indexes: ({ key_id, partner_key_id }) => ({
    by_audience: { pk: allKeys, sk: sortable(key_id) },
    by_team: { pk: partnerKeys(partner_key_id), sk: sortable(key_id) },
  }),
  example: { hash: '9f86d081884c7d65' },
});

/** Leads from the id that operators use to the key, and keeps it unique (D2). */
export type ApiKeyId = Pick<ApiKey, 'key_id' | 'hash'>;

export const ApiKeyIdEntity = defineEntity<ApiKeyId, Pick<ApiKeyId, 'key_id'>>({
  name: 'ApiKeyId',
  meaning: 'The id of an API key.',
  patterns: ['a key by id, for the operator'],
  key: ({ key_id }) => ({ pk: `KEY_ID#${key_id}`, sk: 'KEY_ID' }),
  example: { key_id: 1 },
});

/** That a key is one of a partner, where it can be read as it stands: an index may lag. Keys of before have none. */
export type PartnerKey = Pick<ApiKey, 'partner_key_id' | 'key_id' | 'hash'>;

export const partnerKeyPrefix = 'KEY#';

export const PartnerKeyEntity = defineEntity<PartnerKey, Pick<PartnerKey, 'partner_key_id' | 'key_id'>>({
  name: 'PartnerKey',
  meaning: 'That an API key is one of a partner.',
  patterns: ['the keys of a partner, as they stand'],
  key: ({ partner_key_id, key_id }) => ({
    pk: partnerKeys(partner_key_id),
    sk: `${partnerKeyPrefix}${sortable(key_id)}`,
  }),
  example: { partner_key_id: 1, key_id: 1 },
});
