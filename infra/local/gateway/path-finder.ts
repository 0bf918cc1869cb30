import type { Method, Route, RouteGroup } from '../../../shared/platform/http/route.ts';

/** A row with the group of its function. */
export interface Target {
  group: string;
  operationId: string;
  route: Pick<Route, 'path' | 'access'>;
}

/** The target of a path, by method. */
interface Match {
  methods: ReadonlyMap<Method, Target>;
  pathParameters: Record<string, string>;
}

/** Returns a function that finds the rows of an encoded path; a fixed segment takes precedence over a parameter. */
export const pathFinder = (groups: readonly RouteGroup[]): ((path: string) => Match | undefined) => {
  const rows = new Map<string, Map<Method, Target>>();
  for (const { group, routes } of groups)
    for (const [operationId, route] of Object.entries(routes)) {
      const methods = rows.get(route.path) ?? new Map<Method, Target>();
      rows.set(route.path, methods.set(route.method, { group, operationId, route }));
    }
  requireSameNames([...rows.keys()]);
  // A brace sorts behind every other sign of a path.
  const paths = [...rows]
    .sort(([one], [other]) => (one < other ? -1 : 1))
    .map(([path, methods]) => ({ pattern: patternOf(path), methods }));
  return (path) => {
    for (const { pattern, methods } of paths) {
      const found = pattern.exec(path);
      if (!found) continue;
      const values = Object.entries(found.groups ?? {}).map(([name, value]) => [name, decoded(value)]);
      return { methods, pathParameters: Object.fromEntries(values) as Record<string, string> };
    }
    return undefined;
  };
};

const patternOf = (path: string): RegExp =>
  new RegExp(`^${path.replaceAll('.', '\\.').replaceAll(/\{(\w+)\}/g, '(?<$1>[^/]+)')}$`);

/** A REST API takes one name only for the parameter at a place. */
const requireSameNames = (paths: readonly string[]): void => {
  const names = new Map<string, string>();
  for (const path of paths)
    for (const { 1: name = '', index } of path.matchAll(/\{(\w+)\}/g)) {
      const place = path.slice(0, index).replaceAll(/\{\w+\}/g, '{}');
      const known = names.get(place) ?? name;
      if (known !== name) throw new Error(`${path}: this position is called {${known}} elsewhere`);
      names.set(place, name);
    }
};

/** Invalid encoding stays unchanged; the row's schema will reject it. */
const decoded = (step: string): string => {
  try {
    return decodeURIComponent(step);
  } catch {
    return step;
  }
};
