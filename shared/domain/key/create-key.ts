import { type Clock, instantText } from '../../platform/clock.ts';
import type { Dependencies } from '../../platform/context.ts';
import { invalid } from '../../platform/errors.ts';
import { newId } from '../../platform/ids.ts';
import { retryOnConflict } from '../../platform/table/index.ts';
import { requireTeam } from '../team/index.ts';
import type { ApiKey } from './key.entity.ts';
import type { KeySettings } from './key.schema.ts';
import { createKeyItems } from './key.store.ts';
import { hashOf, newKeyText } from './key-text.ts';

/** What is shown once (D16). */
export interface IssuedKey {
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
  if (settings.expires_at !== null && Date.parse(settings.expires_at) <= clock.now())
    throw invalid({ path: 'expires_at', message: 'expires_at lies in the past.' });
  return retryOnConflict(async () => {
    const { key, api_key } = newKey(clock, stage, settings);
    await table.transact(createKeyItems(key));
    return { key_id: key.key_id, api_key };
  });
};

/** A new key with its text, which is kept nowhere. */
export const newKey = (
  clock: Clock,
  stage: string,
  { expires_at, ...settings }: KeySettings,
): { key: ApiKey; api_key: string } => {
  const api_key = newKeyText(stage);
  const key_id = newId(clock);
  const key: ApiKey = {
    ...settings,
    key_id,
    partner_key_id: key_id,
    hash: hashOf(api_key),
    hint: hintOf(api_key),
    state: 'ACTIVE',
    valid_until: expires_at === null ? null : instantText(Date.parse(expires_at)),
    created_at: instantText(clock.now()),
    revoked_at: null,
    last_used: null,
  };
  return { key, api_key };
};

const shownDigits = 4;

const hintOf = (text: string): string => text.slice(0, text.indexOf('_', 3) + 1 + shownDigits);
