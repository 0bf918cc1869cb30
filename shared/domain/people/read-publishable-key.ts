import type { PublishableCaller } from '../../platform/auth.ts';
import type { Dependencies } from '../../platform/context.ts';
import { ServiceError } from '../../platform/errors.ts';
import { minuteMs } from '../../platform/time/time.ts';
import { recordUse } from './authenticate-key.ts';
import { type ApiKey, isExpired, isKeyText, keyHash, readKeyByHash } from './key.store.ts';

/** As long as the gateway keeps what it knows of other keys: a revocation is in force everywhere within it. */
const keptMs = minuteMs;
const mostKept = 1000;

interface Kept {
  /** Epoch milliseconds. */
  readAt: number;
  key: ApiKey;
}

/** Who may use what is for the pages of a team, and from which origins (D144). */
interface PublishableKey {
  caller: PublishableCaller;
  origins: readonly string[];
}

/** Reads publishable keys, each once a minute in an instance of a function. */
export class PublishableKeys {
  readonly #kept = new Map<string, Kept>();

  /** Returns what a key is for. Throws UNAUTHORIZED if it is none of this stage, unknown, revoked or expired. */
  async find(
    deps: Pick<Dependencies, 'table' | 'clock' | 'log'>,
    stage: string,
    text: string,
  ): Promise<PublishableKey> {
    if (!isKeyText(text, stage, ['pk'])) throw new ServiceError('UNAUTHORIZED');
    const key = await this.#read(deps, text);
    if (!key?.publishable || key.state !== 'ACTIVE' || isExpired(key, deps.clock.now()))
      throw new ServiceError('UNAUTHORIZED');
    const { key_id, team_ids, rate_limit, publishable } = key;
    const [teamId = 0] = team_ids;
    return {
      caller: { kind: 'publishable', key_id, team_id: teamId, rate_limit },
      origins: publishable.allowed_origins,
    };
  }

  async #read(
    deps: Pick<Dependencies, 'table' | 'clock' | 'log'>,
    text: string,
  ): Promise<ApiKey | undefined> {
    const now = deps.clock.now();
    const kept = this.#kept.get(text);
    if (kept && Math.abs(now - kept.readAt) < keptMs) return kept.key;
    const key = await readKeyByHash(deps.table, keyHash(text));
    if (!key) return undefined;
    if (this.#kept.size >= mostKept) this.#kept.clear();
    this.#kept.set(text, { readAt: now, key });
    if (key.state === 'ACTIVE') await recordUse(deps, key);
    return key;
  }
}
