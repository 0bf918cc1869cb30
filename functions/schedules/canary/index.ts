import { randomInt, randomUUID } from 'node:crypto';
import * as z from 'zod';
import { type Clock, systemClock } from '../../../shared/platform/time/clock.ts';
import { readEnv } from '../../../shared/platform/environment/env.ts';
import { log } from '../../../shared/platform/metrics/log.ts';
import { recordCanary, recordFailedCanary } from '../../../shared/platform/metrics/index.ts';
import { once } from '../../../shared/platform/once.ts';
import { keptSecret, type Secret, secretReader } from '../../../shared/platform/secrets/index.ts';
import { bookAndCancel, type CanaryResult, type CanaryRun } from './book-and-cancel.ts';
import { CanaryEnv } from './env.ts';
import { CanaryFailure, partnerApi } from './partner-api.ts';

const CanarySecret = z.object({ api_key: z.string().min(1) });

export interface CanaryDependencies extends Pick<CanaryRun, 'listingId' | 'pick'> {
  url: string;
  secret: Secret<z.infer<typeof CanarySecret>>;
  clock: Clock;
  fetch: typeof fetch;
}

/** Less than the function has, so that a run without an answer is recorded too. */
const mostMs = 24_000;

/** Books and cancels as a partner does, over HTTPS; records how it went, and throws if it failed. */
export const canary = (deps: () => CanaryDependencies) => async (): Promise<CanaryResult> => {
  const { clock, ...given } = deps();
  const now = clock.now();
  const signal = AbortSignal.timeout(mostMs);
  try {
    const { api_key: key } = await given.secret.read();
    const run = { listingId: given.listingId, pick: given.pick, now, runId: randomUUID() };
    const result = await bookAndCancel(partnerApi({ url: given.url, key, signal, fetch: given.fetch }), run);
    recordCanary(clock.now() - now);
    return result;
  } catch (error) {
    recordFailedCanary(error instanceof CanaryFailure ? error.step : 'secret');
    throw error;
  }
};

const fromEnvironment = (): CanaryDependencies => {
  const { API_URL, CANARY_LISTING_ID, CANARY_SECRET_ARN } = readEnv(CanaryEnv);
  const clock = systemClock;
  return {
    url: API_URL,
    listingId: Number(CANARY_LISTING_ID),
    secret: keptSecret(secretReader(CANARY_SECRET_ARN, CanarySecret), { clock, log }),
    clock,
    pick: randomInt,
    fetch: globalThis.fetch,
  };
};

/** The Lambda handler of the canary. */
export const handler = canary(once(fromEnvironment));
