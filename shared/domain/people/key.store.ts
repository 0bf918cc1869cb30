import * as z from 'zod';
import { createHash, randomInt } from 'node:crypto';
import { keyScopes } from '../../platform/auth.ts';
import { crc32 } from '../../platform/compression.ts';
import type { Dependencies } from '../../platform/context.ts';
import { ServiceError } from '../../platform/errors.ts';
import {
  create,
  defineEntity,
  put,
  readOf,
  type Table,
  type Write,
  defineRecord,
  type RecordOf,
} from '../../platform/table/index.ts';
import { sameText } from '../../platform/text/same-text.ts';
import { KeyRecord } from './key.schema.ts';

/**
 * An API key as stored. `valid_until` instead of `expires_at`, which is the table's TTL attribute: an expired key stays
 * on record.
 */
const ApiKeyRecord = defineRecord(() => ({
  key_id: z.int(),
  /** The first key of its rotations: the partner's id in bookings, limits and history. */
  partner_key_id: z.int(),
  /** SHA-256 of the key, whose text is not stored. */
  hash: z.string(),
  /** The first characters, to distinguish keys. */
  hint: z.string(),
  team_ids: z.array(z.int()),
  name: z.string().nullable(),
  state: z.enum(['ACTIVE', 'REVOKED']),
  /** UTC; null: no end. */
  valid_until: z.string().nullable(),
  allow_ip: z.array(z.string()),
  /** Requests a minute; null: the default (D10). */
  rate_limit: z.int().nullable(),
  collects_payment: z.boolean(),
  /** Whether guests of its bookings get a link (D122); absent: yes. */
  guest_links: z.boolean().exactOptional(),
  /** Of a publishable key, which is no secret: its text and the origins of its pages (D144). */
  publishable: z.object({ text: z.string(), allowed_origins: z.array(z.string()) }).exactOptional(),
  /** Absent on keys from before scopes: all (D93). A publishable key has none. */
  scopes: z.array(z.enum(keyScopes)).exactOptional(),
  /** UTC. */
  created_at: z.string(),
  /** The owner who made it; absent: the operator. */
  created_by: z.int().exactOptional(),
  /** The key that a rotation issued in its place. */
  successor_id: z.int().exactOptional(),
  revoked_at: z.string().nullable(),
  /** The owner who revoked it; absent: the operator. */
  revoked_by: z.int().exactOptional(),
  /** Accurate to ten minutes. */
  last_used: z.string().nullable(),
}));
export type ApiKey = RecordOf<typeof ApiKeyRecord>;

const allKeys = 'KEYS';

const partnerKeys = (partnerKeyId: number): string =>
  PartnerKeyEntity.partition({ partner_key_id: partnerKeyId });

export const ApiKeyEntity = defineEntity<ApiKey, Pick<ApiKey, 'hash'>>({
  name: 'ApiKey',
  meaning: "A partner's API key.",
  patterns: ['the key of a request', 'all keys, for the operator', 'the keys of a partner'],
  record: ApiKeyRecord,
  key: { pk: 'KEY#{hash}', sk: 'KEY' },
  indexes: [
    { index: 'by_audience', pk: allKeys, sk: '{key_id:sortable}' },
    { index: 'by_team', pk: 'PARTNER#{partner_key_id}#KEYS', sk: '{key_id:sortable}' },
  ],
  example: { hash: '9f86d081884c7d65' },
});

/** Looks up a key by the id that operators use, and keeps the id unique (D2). */
const ApiKeyIdRecord = defineRecord(() => ({ key_id: z.int(), hash: z.string() }));
type ApiKeyId = RecordOf<typeof ApiKeyIdRecord>;

export const ApiKeyIdEntity = defineEntity<ApiKeyId, Pick<ApiKeyId, 'key_id'>>({
  name: 'ApiKeyId',
  meaning: 'The id of an API key.',
  patterns: ['a key by id, for the operator'],
  record: ApiKeyIdRecord,
  key: { pk: 'KEY_ID#{key_id}', sk: 'KEY_ID' },
  example: { key_id: 1 },
});

/** Lists the keys of a partner with strongly consistent reads; an index may lag. Keys from before it have none. */
const PartnerKeyRecord = defineRecord(() => ({
  partner_key_id: z.int(),
  key_id: z.int(),
  hash: z.string(),
}));
type PartnerKey = RecordOf<typeof PartnerKeyRecord>;

const partnerKeyPrefix = 'KEY#';

export const PartnerKeyEntity = defineEntity<PartnerKey, Pick<PartnerKey, 'partner_key_id' | 'key_id'>>({
  name: 'PartnerKey',
  meaning: 'That an API key is one of a partner.',
  patterns: ['the keys of a partner, as they stand'],
  record: PartnerKeyRecord,
  key: { pk: 'PARTNER#{partner_key_id}#KEYS', sk: `${partnerKeyPrefix}{key_id:sortable}` },
  example: { partner_key_id: 1, key_id: 1 },
});

/** Lists the keys of a team for its owners. Keys from before it have none until they are used. */
const TeamKeyRecord = defineRecord(() => ({
  team_id: z.int(),
  key_id: z.int(),
  hash: z.string(),
}));
type TeamKey = RecordOf<typeof TeamKeyRecord>;

export const TeamKeyEntity = defineEntity<TeamKey, Pick<TeamKey, 'team_id' | 'key_id'>>({
  name: 'TeamKey',
  meaning: 'That an API key is for a team.',
  patterns: ["a team's keys, newest first", 'a key of a team by its id'],
  record: TeamKeyRecord,
  key: { pk: 'TEAM#{team_id}#KEYS', sk: 'KEY#{key_id:sortable}' },
  example: { team_id: 1, key_id: 1 },
});

/** The source of a team's keys for queries and pages. */
export const teamKeys = (teamId: number) => ({
  pk: TeamKeyEntity.partition({ team_id: teamId }),
  prefix: partnerKeyPrefix,
});

/** Returns the writes that list a key for the owners of its teams. */
export const listForTeams = ({ team_ids, key_id, hash }: ApiKey): Write[] =>
  team_ids.map((teamId) => put(TeamKeyEntity, { team_id: teamId, key_id, hash }));

const digits = '0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz';
const randomDigits = 40;
const checksumDigits = 6;
const pattern = /^(nl|pk)_([a-z0-9-]{1,32})_([0-9A-Za-z]{32,64})_([0-9A-Za-z]{6})$/;

const base62 = (value: number): string =>
  value < digits.length
    ? digits.charAt(value)
    : base62(Math.floor(value / digits.length)) + digits.charAt(value % digits.length);

const checksumOf = (body: string): string => base62(crc32(body)).padStart(checksumDigits, '0');

/** How the text of a key begins: a secret one, or a publishable one (D144). */
type KeyPrefix = 'nl' | 'pk';

/**
 * Returns a new key, `nl_<stage>_<random>_<checksum>`: scanners recognise a leaked key by prefix and checksum, and a
 * mistyped one is refused without a read. A publishable one begins with `pk_`.
 */
export const newKeyText = (stage: string, prefix: KeyPrefix = 'nl'): string => {
  const random = Array.from({ length: randomDigits }, () => digits.charAt(randomInt(digits.length))).join('');
  const body = `${prefix}_${stage}_${random}`;
  return `${body}_${checksumOf(body)}`;
};

/** Whether the text has the form of a key of this stage, that begins with one of the prefixes. */
export const isKeyText = (text: string, stage: string, prefixes: readonly KeyPrefix[]): boolean => {
  const [, prefix, textStage, random, checksum] = pattern.exec(text) ?? [];
  if (textStage !== stage || random === undefined || checksum === undefined) return false;
  if (!prefixes.some((one) => one === prefix)) return false;
  return sameText(checksum, checksumOf(`${prefix}_${stage}_${random}`));
};

/** Returns the stored hash of a key. 40 random digits need no slow hash. */
export const keyHash = (text: string): string => createHash('sha256').update(text).digest('hex');

export const readKeyByHash = (table: Table, hash: string): Promise<ApiKey | undefined> =>
  table.get(ApiKeyEntity, { hash });

export const readKeys = (table: Table): Promise<ApiKey[]> =>
  table.queryAll(ApiKeyEntity, { index: 'by_audience', pk: allKeys });

export const requireKey = async (table: Table, keyId: number): Promise<ApiKey> => {
  const found = await table.get(ApiKeyIdEntity, { key_id: keyId });
  const key = found && (await readKeyByHash(table, found.hash));
  if (!key) throw new ServiceError('NOT_FOUND', `There is no key ${keyId}.`);
  return key;
};

/** Returns the writes of a new key: the item for authentication and the lookups by id, partner and team. */
export const createKeyItems = (key: ApiKey): Write[] => {
  const { partner_key_id, key_id, hash } = key;
  return [
    create(ApiKeyEntity, key),
    create(ApiKeyIdEntity, { key_id, hash }),
    create(PartnerKeyEntity, { partner_key_id, key_id, hash }),
    ...listForTeams(key),
  ];
};

/** Returns the key as an operator sees it. */
export const toKeyRecord = (key: ApiKey): KeyRecord =>
  KeyRecord.parse({ ...key, ...kindOf(key), expires_at: key.valid_until });

/** What a key is, as its owner and the operator see it. */
export const kindOf = ({ publishable }: ApiKey) =>
  ({
    kind: publishable ? 'PUBLISHABLE' : 'SECRET',
    allowed_origins: publishable?.allowed_origins ?? [],
  }) as const;

export const isExpired = ({ valid_until }: Pick<ApiKey, 'valid_until'>, now: number): boolean =>
  valid_until !== null && Date.parse(valid_until) <= now;

type Reading = Pick<Dependencies, 'table' | 'clock'>;

/**
 * Returns the teams of a partner from an eventually consistent index: those of its keys, rotated ones included, that are
 * neither revoked nor expired (D16). For decisions that cannot be undone use {@link partnerTeamsNow}.
 */
export const partnerTeams = async ({ table, clock }: Reading, partnerKeyId: number): Promise<number[]> => {
  const keys = await table.queryAll(ApiKeyEntity, { index: 'by_team', pk: partnerKeys(partnerKeyId) });
  return teamsOf(keys, clock.now());
};

/**
 * Returns the same from strongly consistent reads. Empty: the partner has no valid key. A successor that a key got after the
 * keys were listed is listed again.
 */
export const partnerTeamsNow = async ({ table, clock }: Reading, partnerKeyId: number): Promise<number[]> => {
  const pk = partnerKeys(partnerKeyId);
  for (let before = 0; ;) {
    const [listed, indexed] = await Promise.all([
      table.queryAll(PartnerKeyEntity, { pk, prefix: partnerKeyPrefix }),
      table.queryAll(ApiKeyEntity, { index: 'by_team', pk }),
    ]);
    const hashes = new Set([...listed, ...indexed].map(({ hash }) => hash));
    const found = await table.getAll([...hashes].map((hash) => readOf(ApiKeyEntity, { hash })));
    const keys = found.filter((key) => key !== undefined);
    const ids = new Set(keys.map(({ key_id }) => key_id));
    const isWhole = keys.every(({ successor_id: id }) => id === undefined || ids.has(id));
    // A successor from before the list may be in no index yet.
    if (isWhole || hashes.size === before) return teamsOf(keys, clock.now());
    before = hashes.size;
  }
};

const teamsOf = (keys: readonly ApiKey[], now: number): number[] => {
  const live = keys.filter((key) => key.state === 'ACTIVE' && !isExpired(key, now));
  return [...new Set(live.flatMap(({ team_ids }) => team_ids))];
};
