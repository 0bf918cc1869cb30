import type { MethodDeploymentOptions } from 'aws-cdk-lib/aws-apigateway';
import { anyPath } from '../../../shared/platform/http/gateway-document.ts';
import type { Route, RouteGroup } from '../../../shared/platform/http/route.ts';
import type { Stage } from '../stage.ts';

/**
 * What methods without credentials may take of the stage's requests: each its share at most, and all of a kind together less than
 * `together`. Reports of payments have a part of their own, so a flood of other open methods leaves it to them.
 */
const kinds = {
  open: { each: 0.05, head: 0.005, together: 0.39 },
  report: { each: 0.045, head: 0.005, together: 0.1 },
};
/** A page and its files are a dozen requests: so many each, where all of them together stay below their part. */
const least = { rate: 5, burst: 20 };

const isReport = ({ group }: RouteGroup): boolean => group === 'payments';

/** Returns the limit of each method: its share or the least, all reduced alike where they are together too many. */
const limitsOf = (
  methodShares: readonly number[],
  whole: number,
  { leastOfEach, together }: { leastOfEach: number; together: number },
): number[] => {
  const wanted = methodShares.map((share) => Math.max(leastOfEach, whole * share));
  const sum = wanted.reduce((all, limit) => all + limit, 0);
  return wanted.map((limit) => limit * Math.min(1, (whole * together) / sum));
};

const openRoutes = (groups: readonly RouteGroup[]): Route[] =>
  groups.flatMap(({ routes }) => Object.values(routes)).filter(({ access }) => access === 'public');

/** Returns the paths whose methods need no credentials, and have throttles of their own. */
export const throttledPaths = (groups: readonly RouteGroup[]): string[] => [
  ...new Set([...openRoutes(groups).map(({ path }) => path), anyPath]),
];

type Limits = Record<string, MethodDeploymentOptions>;

/**
 * Returns the throttles of the methods that need no credentials: health, docs, catalogs, calendars, unknown paths and reports of
 * payments. However often they are called, the requests of customers, hosts and partners have the other half of the stage.
 */
export const openMethods = (groups: readonly RouteGroup[], stage: Stage): Limits => ({
  ...limited(
    sharesOf(openRoutes(groups.filter((group) => !isReport(group))), kinds.open).set(
      `${anyPath}/ANY`,
      kinds.open.each,
    ),
    stage,
    kinds.open.together,
  ),
  ...limited(sharesOf(openRoutes(groups.filter(isReport)), kinds.report), stage, kinds.report.together),
});

/** Returns the share of each method. A GET has a HEAD. */
const sharesOf = (
  routes: readonly Route[],
  { each, head }: Record<'each' | 'head', number>,
): Map<string, number> =>
  new Map(
    routes.flatMap(({ method, path }): [string, number][] => [
      [`${path}/${method}`, each],
      ...(method === 'GET' ? [[`${path}/HEAD`, head] as [string, number]] : []),
    ]),
  );

const limited = (shares: ReadonlyMap<string, number>, { requests }: Stage, together: number): Limits => {
  const methodShares = [...shares.values()];
  const rates = limitsOf(methodShares, requests.per_second, { leastOfEach: least.rate, together });
  const bursts = limitsOf(methodShares, requests.burst, { leastOfEach: least.burst, together });
  return Object.fromEntries(
    [...shares.keys()].map((method, at) => [
      method,
      {
        throttlingRateLimit: Math.floor((rates[at] ?? 0) * 100) / 100,
        // A burst is a whole number, and 0 would refuse every request.
        throttlingBurstLimit: Math.max(1, Math.floor(bursts[at] ?? 0)),
      },
    ]),
  );
};
