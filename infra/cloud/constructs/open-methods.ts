import type { MethodDeploymentOptions } from 'aws-cdk-lib/aws-apigateway';
import { anyPath } from '../../../shared/platform/http/gateway-document.ts';
import type { RouteGroup } from '../../../shared/platform/http/route.ts';
import type { Stage } from '../stage.ts';

/** Reports of payments are public too, and must arrive: the gateways sign them. */
const unlimited = ['payments'];

/** What such a method may take of the stage's requests; all of them together stay below a half. */
const shares = { GET: 0.05, other: 0.005 };
/** A page and its files are a dozen requests. */
const least = { rate: 5, burst: 20 };

/**
 * Returns the throttles of the methods that need no credentials: health, docs, catalogs, calendars and unknown paths. However often
 * they are called, the requests of customers, hosts and partners have the other half of the stage.
 */
export const openMethods = (
  groups: readonly RouteGroup[],
  { requests }: Stage,
): Record<string, MethodDeploymentOptions> => {
  const limit = (share: number): MethodDeploymentOptions => ({
    throttlingRateLimit: Math.max(least.rate, Math.floor(requests.per_second * share)),
    throttlingBurstLimit: Math.max(least.burst, Math.floor(requests.burst * share)),
  });
  const open = groups
    .filter(({ group }) => !unlimited.includes(group))
    .flatMap(({ routes }) => Object.values(routes))
    .filter(({ access }) => access === 'public');
  return Object.fromEntries([
    ...open.flatMap(({ method, path }) => [
      [`${path}/${method}`, limit(shares.GET)],
      ...(method === 'GET' ? [[`${path}/HEAD`, limit(shares.other)]] : []),
    ]),
    [`${anyPath}/ANY`, limit(shares.GET)],
  ]) as Record<string, MethodDeploymentOptions>;
};
