import { type Clock, instantText } from '../../platform/clock.ts';
import type { Dependencies } from '../../platform/context.ts';
import { ServiceError } from '../../platform/errors.ts';
import { change, equals, retryOnConflict } from '../../platform/table/index.ts';
import { type IssuedKey, newKey } from './create-key.ts';
import { type ApiKey, ApiKeyEntity } from './key.entity.ts';
import { createKeyItems, isExpired, requireKey } from './key.store.ts';

const hourMs = 3_600_000;

export interface Rotation {
  key_id: number;
  /** How long the old key works on; null: until it is revoked. */
  overlapHours: number | null;
}

export interface RotatedKey extends IssuedKey {
  old_key_id: number;
  /** Until when the old key works as well; null: until it is revoked. */
  old_expires_at: string | null;
}

/**
 * Issues a key with the settings of another, which works on for `overlapHours` (null: until it is revoked). Both are the
 * same partner: bookings, limits and repeated requests do not notice the change.
 */
export const rotateKey = (
  deps: Pick<Dependencies, 'table' | 'clock'>,
  stage: string,
  rotation: Rotation,
): Promise<RotatedKey> => retryOnConflict(() => rotate(deps, stage, rotation));

const rotate = async (
  { table, clock }: Pick<Dependencies, 'table' | 'clock'>,
  stage: string,
  { key_id, overlapHours }: Rotation,
): Promise<RotatedKey> => {
  const old = await requireKey(table, key_id);
  if (old.state !== 'ACTIVE' || isExpired(old, clock.now()))
    throw new ServiceError('INVALID_STATE_TRANSITION', 'A key that is revoked or expired cannot be rotated.');
  const { key, api_key } = newKey(clock, stage, settingsOf(old));
  const valid_until = endOf(old, clock, overlapHours);
  const isActive = { when: equals('state', 'ACTIVE'), onConflict: () => revokedMeanwhile() };
  await table.transact([
    ...createKeyItems({ ...key, partner_key_id: old.partner_key_id }),
    change(ApiKeyEntity, old, { set: { valid_until } }, isActive),
  ]);
  return { key_id: key.key_id, api_key, old_key_id: old.key_id, old_expires_at: valid_until };
};

const settingsOf = ({ team_ids, name, valid_until, allow_ip, rate_limit, collects_payment }: ApiKey) => ({
  team_ids,
  name,
  expires_at: valid_until,
  allow_ip,
  rate_limit,
  collects_payment,
});

/** Never later than it would have ended anyway. */
const endOf = ({ valid_until }: ApiKey, clock: Clock, overlapHours: number | null): string | null => {
  if (overlapHours === null) return valid_until;
  const end = instantText(clock.now() + overlapHours * hourMs);
  return valid_until !== null && valid_until < end ? valid_until : end;
};

const revokedMeanwhile = () =>
  new ServiceError('INVALID_STATE_TRANSITION', 'The key was revoked a moment ago.');
