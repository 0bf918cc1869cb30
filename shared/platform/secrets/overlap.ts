import { dayMs } from '../time/time.ts';

/** How long a secret is valid beside the one that replaces it. */
export const overlapMs = dayMs;
/** The most of them, where one is replaced repeatedly within that time. */
const mostOld = 4;

interface Overlapping {
  /** Epoch milliseconds until which it is valid; null: the current one. */
  signs_until: number | null;
}

/** Returns the secrets that are valid at an instant. */
export const validSecrets = <Secret extends Overlapping>(secrets: readonly Secret[], now: number): Secret[] =>
  secrets.filter(({ signs_until }) => signs_until === null || signs_until > now);

/**
 * Returns the secrets that are valid beside another one that takes their place, newest first: for another 24 hours, none for longer
 * than it was before. Of more than four the oldest stays: where answers were lost, the other side has that one.
 */
export const stillSigning = <Secret extends Overlapping>(
  secrets: readonly Secret[],
  now: number,
): (Secret & { signs_until: number })[] => {
  const old = validSecrets(secrets, now).map((secret) => ({
    ...secret,
    signs_until: secret.signs_until ?? now + overlapMs,
  }));
  return [...old.slice(0, mostOld - 1), ...old.slice(mostOld - 1).slice(-1)];
};
