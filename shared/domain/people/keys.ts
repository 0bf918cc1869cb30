import { keyScopes } from '../../platform/auth.ts';
import { type Clock, instantText } from '../../platform/time/clock.ts';
import type { Context, Dependencies } from '../../platform/context.ts';
import { invalid, ServiceError } from '../../platform/errors.ts';
import { newId } from '../../platform/ids.ts';
import {
  all,
  change,
  equals,
  lacks,
  present,
  retryOnConflict,
  type Write,
} from '../../platform/table/index.ts';
import { hourMs } from '../../platform/time/time.ts';
import type { KeyRecord, KeySettings } from './key.schema.ts';
import {
  type ApiKey,
  ApiKeyEntity,
  createKeyItems,
  keyHash,
  isExpired,
  isKeyText,
  kindOf,
  newKeyText,
  readKeyByHash,
  readKeys,
  requireKey,
  toKeyRecord,
} from './key.store.ts';
import { recordEvent } from '../../record-event.ts';
import { operator } from './operator.ts';
import { memberEventsOf, requireTeam } from './team.store.ts';

/** A new key with its text, which is shown once (D16). */
interface IssuedKey {
  key_id: number;
  api_key: string;
}

/** Issues a key for teams (D16, D17). */
export const createKey = async (
  { table, clock }: Pick<Dependencies, 'table' | 'clock'>,
  stage: string,
  settings: KeySettings,
): Promise<IssuedKey> => {
  for (const teamId of settings.team_ids) await requireTeam(table, teamId);
  requireFuture(clock, settings.expires_at);
  return retryOnConflict(async () => {
    const { key, api_key } = newKey(clock, stage, settings);
    const ctx = { clock, caller: operator };
    const told = settings.team_ids.map((teamId) => keyCreated(ctx, teamId, key));
    await table.transact([...createKeyItems(key), ...told]);
    return { key_id: key.key_id, api_key };
  });
};

type Acting = Pick<Context, 'clock' | 'caller'>;

/** Returns the event of a key for a team. */
export const keyCreated = (ctx: Acting, teamId: number, key: ApiKey): Write =>
  recordEvent(ctx, {
    subject: memberEventsOf(teamId),
    event_type: 'team.key_created',
    team_id: teamId,
    data: { id: key.key_id, team_id: teamId, kind: kindOf(key).kind },
  });

/** Returns the event of a key in the place of another. */
export const keyRotated = (ctx: Acting, teamId: number, { key_id, old_key_id }: RotatedKey): Write =>
  recordEvent(ctx, {
    subject: memberEventsOf(teamId),
    event_type: 'team.key_rotated',
    team_id: teamId,
    data: { id: key_id, team_id: teamId, old_key_id },
  });

interface NewKey extends KeySettings, Pick<ApiKey, 'created_by'> {
  /** Of a publishable key alone. */
  allowed_origins?: string[] | undefined;
}

/** Returns a new key with its text, which is stored of a publishable one alone. */
export const newKey = (
  clock: Clock,
  stage: string,
  { expires_at, allowed_origins, ...settings }: NewKey,
): { key: ApiKey; api_key: string } => {
  const apiKey = newKeyText(stage, allowed_origins ? 'pk' : 'nl');
  const keyId = newId(clock);
  const key: ApiKey = {
    ...settings,
    key_id: keyId,
    partner_key_id: keyId,
    hash: keyHash(apiKey),
    ...(allowed_origins ? { publishable: { text: apiKey, allowed_origins } } : {}),
    hint: hintOf(apiKey),
    state: 'ACTIVE',
    valid_until: expires_at === null ? null : instantText(Date.parse(expires_at)),
    created_at: instantText(clock.now()),
    revoked_at: null,
    last_used: null,
  };
  return { key, api_key: apiKey };
};

/** Throws VALIDATION_ERROR for an end that has passed. */
export const requireFuture = (clock: Clock, expiresAt: string | null): void => {
  if (expiresAt !== null && Date.parse(expiresAt) <= clock.now())
    throw invalid({ path: 'expires_at', message: 'must be in the future' });
};

const shownDigits = 4;

const hintOf = (text: string): string => text.slice(0, text.indexOf('_', 3) + 1 + shownDigits);

/** Returns every key, or those of a team, oldest first, without their texts (D17). */
export const listKeys = async (
  { table }: Pick<Dependencies, 'table'>,
  { team_id }: { team_id?: number | undefined } = {},
): Promise<KeyRecord[]> => {
  const keys = await readKeys(table);
  const wanted = team_id === undefined ? keys : keys.filter(({ team_ids }) => team_ids.includes(team_id));
  return wanted.map(toKeyRecord);
};

/** Returns the key of a text, and writes nothing: a search is no use of the key. The text is not in any error. */
export const findKey = async (
  { table }: Pick<Dependencies, 'table'>,
  stage: string,
  text: string,
): Promise<KeyRecord> => {
  if (!isKeyText(text, stage, ['nl', 'pk']))
    throw new ServiceError(
      'VALIDATION_ERROR',
      `This is not a key of the stage ${stage}, or it is not whole.`,
    );
  const key = await readKeyByHash(table, keyHash(text));
  if (!key) throw new ServiceError('NOT_FOUND', 'This key was never issued here.');
  return toKeyRecord(key);
};

interface Rotation {
  key_id: number;
  /** How long the old key stays valid; null: until it is revoked. */
  overlapHours: number | null;
}

interface RotatedKey extends IssuedKey {
  old_key_id: number;
  /** When the old key expires; null: when it is revoked. */
  old_expires_at: string | null;
}

/**
 * Issues a key with the settings of another, which stays valid for `overlapHours` (null: until it is revoked). Both have
 * the same partner id, so bookings, limits and repeated requests continue.
 */
export const rotateKey = (
  deps: Pick<Dependencies, 'table' | 'clock'>,
  stage: string,
  rotation: Rotation,
): Promise<RotatedKey> => retryOnConflict(() => rotate(deps, stage, rotation));

const rotate = async (
  deps: Pick<Dependencies, 'table' | 'clock'>,
  stage: string,
  { key_id, overlapHours }: Rotation,
): Promise<RotatedKey> => {
  const old = await requireKey(deps.table, key_id);
  const { writes, rotated } = planRotation(deps.clock, stage, { old, overlapHours });
  const ctx = { clock: deps.clock, caller: operator };
  const told = old.team_ids.map((teamId) => keyRotated(ctx, teamId, rotated));
  await deps.table.transact([...writes, ...told]);
  return rotated;
};

interface PlannedRotation {
  old: ApiKey;
  overlapHours: number | null;
  /** The owner who rotates it; absent: the operator. */
  by?: number;
}

/**
 * Returns the writes of a rotation. A key is rotated once: the shortened life of the old one must not pass to a second
 * successor. They conflict if the key has lost a team or got another limit meanwhile: its successor has what is in force.
 */
export const planRotation = (
  clock: Clock,
  stage: string,
  { old, overlapHours, by }: PlannedRotation,
): { writes: Write[]; key: ApiKey; rotated: RotatedKey } => {
  if (old.publishable)
    throw new ServiceError(
      'INVALID_STATE_TRANSITION',
      'A publishable key is no secret: make another one, and revoke this one once no page has it any more.',
    );
  if (old.state !== 'ACTIVE' || isExpired(old, clock.now()))
    throw new ServiceError('INVALID_STATE_TRANSITION', 'A key that is revoked or expired cannot be rotated.');
  if (old.successor_id !== undefined)
    throw new ServiceError(
      'INVALID_STATE_TRANSITION',
      `The key was rotated already; rotate key ${old.successor_id}, which has taken its place.`,
      { key_id: old.successor_id },
    );
  const made = newKey(clock, stage, {
    ...settingsOf(old),
    ...(by === undefined ? {} : { created_by: by }),
  });
  const key = { ...made.key, partner_key_id: old.partner_key_id };
  const validUntil = endOf(old, clock, overlapHours);
  const isSame = all(
    equals('state', 'ACTIVE'),
    equals('team_ids', old.team_ids),
    equals('rate_limit', old.rate_limit),
    lacks('successor_id'),
  );
  return {
    key,
    rotated: {
      key_id: key.key_id,
      api_key: made.api_key,
      old_key_id: old.key_id,
      old_expires_at: validUntil,
    },
    writes: [
      ...createKeyItems(key),
      change(
        ApiKeyEntity,
        old,
        { set: { valid_until: validUntil, successor_id: key.key_id } },
        { when: isSame },
      ),
    ],
  };
};

const settingsOf = ({
  team_ids,
  name,
  valid_until,
  allow_ip,
  rate_limit,
  collects_payment,
  scopes,
}: ApiKey) => ({
  team_ids,
  name,
  expires_at: valid_until,
  allow_ip,
  rate_limit,
  collects_payment,
  scopes: scopes ?? [...keyScopes],
});

/** Never extends the life of the old key. */
const endOf = ({ valid_until }: ApiKey, clock: Clock, overlapHours: number | null): string | null => {
  if (overlapHours === null) return valid_until;
  const end = instantText(clock.now() + overlapHours * hourMs);
  return valid_until !== null && valid_until < end ? valid_until : end;
};

/** Sets how many requests a minute a key may make; null: the default. In force everywhere within 60 seconds. */
export const limitKey = async (
  { table }: Pick<Dependencies, 'table'>,
  { key_id, rate_limit }: Pick<ApiKey, 'key_id' | 'rate_limit'>,
): Promise<KeyRecord> => {
  const key = await requireKey(table, key_id);
  const revoked = () => new ServiceError('INVALID_STATE_TRANSITION', `Key ${key_id} is revoked.`);
  await table.transact([
    change(
      ApiKeyEntity,
      key,
      { set: { rate_limit } },
      { when: equals('state', 'ACTIVE'), onConflict: revoked },
    ),
  ]);
  return toKeyRecord({ ...key, rate_limit });
};

/** Revokes a key; it is refused everywhere within 60 seconds (D16). Other keys of a rotation stay valid. */
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
