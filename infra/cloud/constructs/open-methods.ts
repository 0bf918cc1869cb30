import type { MethodDeploymentOptions } from 'aws-cdk-lib/aws-apigateway';
import { anyPath } from '../../../shared/platform/http/gateway-document.ts';
import type { Route, RouteGroup } from '../../../shared/platform/http/route.ts';
import type { Stage } from '../stage.ts';

/** Reports of payments are public too, and must arrive: the gateways sign them. */
const unlimited = ['payments'];

/** What such a method may take of the stage's requests; all of them together stay below a half. */
const shares = { GET: 0.05, other: 0.005 };
const mostTogether = 0.49;
/** A page and its files are a dozen requests: so many each, where all of them together stay below a half. */
const least = { rate: 5, burst: 20 };

/** Returns the limit of each method: its share or the least, all reduced alike where they are together too many. */
const limitsOf = (methodShares: readonly number[], whole: number, leastOfEach: number): number[] => {
  const wanted = methodShares.map((share) => Math.max(leastOfEach, whole * share));
  const together = wanted.reduce((sum, limit) => sum + limit, 0);
  return wanted.map((limit) => limit * Math.min(1, (whole * mostTogether) / together));
};

const openRoutes = (groups: readonly RouteGroup[]): Route[] =>
  groups
    .filter(({ group }) => !unlimited.includes(group))
    .flatMap(({ routes }) => Object.values(routes))
    .filter(({ access }) => access === 'public');

/** Returns the paths whose methods need no credentials, and have throttles of their own. */
export const throttledPaths = (groups: readonly RouteGroup[]): string[] => [
  ...new Set([...openRoutes(groups).map(({ path }) => path), anyPath]),
];

/**
 * Returns the throttles of the methods that need no credentials: health, docs, catalogs, calendars and unknown paths. However often
 * they are called, the requests of customers, hosts and partners have the other half of the stage.
 */
export const openMethods = (
  groups: readonly RouteGroup[],
  { requests }: Stage,
): Record<string, MethodDeploymentOptions> => {
  const shareOf = new Map([
    ...openRoutes(groups).flatMap(({ method, path }): [string, number][] => [
      [`${path}/${method}`, method === 'GET' ? shares.GET : shares.other],
      ...(method === 'GET' ? [[`${path}/HEAD`, shares.other] as [string, number]] : []),
    ]),
    [`${anyPath}/ANY`, shares.GET],
  ]);
  const methodShares = [...shareOf.values()];
  const rates = limitsOf(methodShares, requests.per_second, least.rate);
  const bursts = limitsOf(methodShares, requests.burst, least.burst);
  return Object.fromEntries(
    [...shareOf.keys()].map((method, at) => [
      method,
      {
        throttlingRateLimit: Math.floor((rates[at] ?? 0) * 100) / 100,
        // A burst is a whole number, and 0 would refuse every request.
        throttlingBurstLimit: Math.max(1, Math.floor(bursts[at] ?? 0)),
      },
    ]),
  );
};
