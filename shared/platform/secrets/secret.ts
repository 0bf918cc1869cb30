import type { Clock } from '../time/clock.ts';
import type { Log } from '../metrics/log.ts';

/** A secret, which may be rotated at any time. */
export interface Secret<Value> {
  /** Returns the value; throws if it could never be read. */
  read(): Promise<Value>;
  /** Returns the value after the given one was refused: read again, unless that has just been done. */
  renew(refused: Value): Promise<Value>;
}

/** Returns a secret that does not change. */
export const fixedSecret = <Value>(value: Value): Secret<Value> => ({
  read: () => Promise.resolve(value),
  renew: () => Promise.resolve(value),
});

const keptMs = 5 * 60_000;
/** How soon a read is repeated that failed, or that a refused value asks for. */
const againMs = 10_000;

interface Kept<Value> {
  value: Value;
  readAt: number;
  until: number;
}

/**
 * Returns a secret that is kept for 5 minutes, so that a rotation is noticed without a deployment; concurrent callers share one
 * read. While it cannot be read again, the last value stays in use.
 */
export const keptSecret = <Value>(
  load: () => Promise<Value>,
  { clock, log }: { clock: Clock; log: Pick<Log, 'warn'> },
): Secret<Value> => {
  let kept: Kept<Value> | undefined;
  let loading: Promise<Value> | undefined;
  const refresh = async (): Promise<Value> => {
    try {
      const value = await load();
      const now = clock.now();
      kept = { value, readAt: now, until: now + keptMs };
      return value;
    } catch (error) {
      if (!kept) throw error;
      log.warn('A secret could not be read again: its last value stays in use', {
        cause: String((error as Error).stack ?? error),
      });
      const now = clock.now();
      kept = { ...kept, readAt: now, until: now + againMs };
      return kept.value;
    } finally {
      loading = undefined;
    }
  };
  const isFresh = ({ readAt, until }: Kept<Value>): boolean => readAt <= clock.now() && clock.now() < until;
  return {
    read: async () => (kept && isFresh(kept) ? kept.value : (loading ??= refresh())),
    renew: async (refused) => {
      const isTried = kept && (kept.value !== refused || clock.now() - kept.readAt < againMs);
      return kept && isTried ? kept.value : (loading ??= refresh());
    },
  };
};
