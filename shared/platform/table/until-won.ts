import { randomInt } from 'node:crypto';
import { setTimeout as pause } from 'node:timers/promises';
import { ServiceError } from '../errors.ts';
import { LostRace } from './write.ts';

const attempts = 16;
const longestPauseMs = 80;

/**
 * Runs a read-decide-write verb until no other write came in between: a lost race is tried again, from its reads on, with
 * jitter; in the worst case about a second, then SERVICE_UNAVAILABLE.
 */
export const untilWon = async <Result>(verb: () => Promise<Result>): Promise<Result> => {
  for (let attempt = 1; ; attempt++) {
    try {
      return await verb();
    } catch (error) {
      if (!(error instanceof LostRace)) throw error;
      if (attempt === attempts)
        throw new ServiceError('SERVICE_UNAVAILABLE', undefined, {}, { retryAfterSeconds: 1, cause: error });
      await pause(randomInt(1, Math.min(longestPauseMs, 4 * 2 ** attempt)));
    }
  }
};
