import { PublishableKeys } from '../../shared/domain/people/index.ts';
import { callerAddress, edgeSecret } from '../../shared/platform/http/caller-address.ts';
import { networkOf } from '../../shared/platform/http/caller-network.ts';
import { publishableKeyOf } from '../../shared/platform/http/request.ts';
import type { ReadPublishable } from '../../shared/platform/http/serve.ts';
import { log } from '../../shared/platform/metrics/log.ts';
import { once } from '../../shared/platform/once.ts';
import { rateLimits } from '../../shared/platform/settings.ts';
import { systemClock } from '../../shared/platform/time/clock.ts';
import { stayEnv } from './env.ts';

/**
 * Returns what reads the publishable key of a request. The request is counted for the network that it comes from before the
 * key is read, so that texts that are no keys are few too.
 */
export const readPage = (): ReadPublishable => {
  const keys = new PublishableKeys();
  const settings = once(() => {
    const { STAGE, EDGE_SECRET_ARN } = stayEnv();
    return { stage: STAGE, edge: edgeSecret(EDGE_SECRET_ARN, { clock: systemClock, log }) };
  });
  return async (deps, event, count) => {
    const { stage, edge } = settings();
    const { address: limit } = rateLimits();
    if (limit !== null) count({ name: `from:${networkOf(await callerAddress(event, edge))}`, limit });
    return keys.find(deps, stage, publishableKeyOf(event));
  };
};
