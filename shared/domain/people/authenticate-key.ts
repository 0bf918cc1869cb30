import { keyScopes, type PartnerCaller } from '../../platform/auth.ts';
import { instantText } from '../../platform/time/clock.ts';
import type { Dependencies } from '../../platform/context.ts';
import { ServiceError } from '../../platform/errors.ts';
import { change, equals } from '../../platform/table/index.ts';
import { sameText } from '../../platform/text/same-text.ts';
import { minuteMs } from '../../platform/time/time.ts';
import { isInRanges } from './address-range.rules.ts';
import {
  type ApiKey,
  ApiKeyEntity,
  keyHash,
  isExpired,
  isKeyText,
  listForTeams,
  readKeyByHash,
} from './key.store.ts';

const usedEveryMs = 10 * minuteMs;

interface KeyAttempt {
  /** The `X-API-Key` header. */
  text: string;
  /** Returns the client's address; asked for keys that have a list of addresses alone. */
  address: () => Promise<string>;
  stage: string;
}

/**
 * Returns the partner of an API key (D16). Throws UNAUTHORIZED if the key is unknown, revoked or expired, FORBIDDEN if
 * the address is not on its list. A text that is not a key of this stage is refused without a read.
 */
export const authenticateKey = async (
  deps: Pick<Dependencies, 'table' | 'clock' | 'log'>,
  { text, address, stage }: KeyAttempt,
): Promise<PartnerCaller> => {
  if (!isKeyText(text, stage, ['nl'])) throw new ServiceError('UNAUTHORIZED');
  const hash = keyHash(text);
  const key = await readKeyByHash(deps.table, hash);
  if (!key || !sameText(key.hash, hash)) throw new ServiceError('UNAUTHORIZED');
  if (key.state !== 'ACTIVE' || isExpired(key, deps.clock.now())) throw new ServiceError('UNAUTHORIZED');
  if (key.allow_ip.length > 0) requireAllowedAddress(await address(), key);
  await recordUse(deps, key);
  const { partner_key_id, team_ids, scopes, collects_payment, guest_links, rate_limit, valid_until } = key;
  return {
    kind: 'partner',
    key_id: partner_key_id,
    team_ids,
    scopes: scopes ?? [...keyScopes],
    collects_payment,
    ...(guest_links === false ? { guest_links } : {}),
    rate_limit,
    ...(valid_until === null ? {} : { valid_until: Date.parse(valid_until) }),
  };
};

const requireAllowedAddress = (address: string, { allow_ip }: ApiKey): void => {
  if (!isInRanges(address, allow_ip))
    throw new ServiceError(
      'FORBIDDEN',
      `The key in X-API-Key may not be used from ${address}: the address is not on its list of allowed addresses.`,
    );
};

/**
 * Records the use of a key, at most once in ten minutes. The first use of a key from before scopes also writes what it
 * lacks: its scopes and its places in the lists of its teams. Never throws.
 */
export const recordUse = async (
  { table, clock, log }: Pick<Dependencies, 'table' | 'clock' | 'log'>,
  key: ApiKey,
): Promise<void> => {
  const { hash, key_id, last_used: before, scopes } = key;
  const now = clock.now();
  if (before !== null && Date.parse(before) > now - usedEveryMs) return;
  const isOld = scopes === undefined;
  const set = { last_used: instantText(now), ...(isOld ? { scopes: [...keyScopes] } : {}) };
  const unchanged = { when: equals('last_used', before) };
  try {
    await table.transact([
      change(ApiKeyEntity, { hash }, { set }, unchanged),
      ...(isOld ? listForTeams(key) : []),
    ]);
  } catch (cause) {
    log.debug('use of a key not noted', { key_id, cause: String(cause) });
  }
};
