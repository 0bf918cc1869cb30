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

interface Node {
  fixed: Map<string, Node>;
  parameter: { name: string; node: Node } | undefined;
  methods: Map<Method, Target>;
}

const newNode = (): Node => ({ fixed: new Map(), parameter: undefined, methods: new Map() });

/** Returns a function that finds the row of an encoded path; a fixed segment takes precedence over a parameter. */
export const routeTree = (groups: readonly RouteGroup[]): ((path: string) => Match | undefined) => {
  const root = newNode();
  for (const { group, routes } of groups)
    for (const [operationId, route] of Object.entries(routes))
      nodeOf(root, route.path).methods.set(route.method, { group, operationId, route });
  return (path) => find(root, path.slice(1).split('/'));
};

const nodeOf = (root: Node, path: string): Node =>
  path
    .slice(1)
    .split('/')
    .reduce((node, step) => {
      const name = /^\{(.+)\}$/.exec(step)?.[1];
      const next = name === undefined ? node.fixed.get(step) : node.parameter?.node;
      if (name !== undefined && node.parameter && node.parameter.name !== name)
        throw new Error(`${path}: this position is called {${node.parameter.name}} elsewhere`);
      if (next) return next;
      const fresh = newNode();
      if (name === undefined) node.fixed.set(step, fresh);
      else node.parameter = { name, node: fresh };
      return fresh;
    }, root);

const find = (node: Node, steps: readonly string[]): Match | undefined => {
  const [step, ...rest] = steps;
  if (step === undefined)
    return node.methods.size > 0 ? { methods: node.methods, pathParameters: {} } : undefined;
  const fixed = node.fixed.get(step);
  const found = fixed && find(fixed, rest);
  if (found || !node.parameter || step === '') return found;
  const below = find(node.parameter.node, rest);
  return (
    below && { ...below, pathParameters: { [node.parameter.name]: decoded(step), ...below.pathParameters } }
  );
};

/** Invalid encoding stays unchanged; the row's schema will reject it. */
const decoded = (step: string): string => {
  try {
    return decodeURIComponent(step);
  } catch {
    return step;
  }
};
