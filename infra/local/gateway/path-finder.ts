/** What is served at a path with `{parameters}`. */
interface Row<Served> {
  method: string;
  path: string;
  served: Served;
}

/** What is served at a path, by method. */
interface Match<Served> {
  methods: ReadonlyMap<string, Served>;
  pathParameters: Record<string, string>;
}

/** Returns a function that finds the rows of an encoded path; a fixed segment takes precedence over a parameter. */
export const pathFinder = <Served>(
  rows: readonly Row<Served>[],
): ((path: string) => Match<Served> | undefined) => {
  const byPath = Map.groupBy(rows, ({ path }) => path);
  requireSameNames([...byPath.keys()]);
  // A brace sorts behind every other sign of a path.
  const paths = [...byPath]
    .sort(([one], [other]) => (one < other ? -1 : 1))
    .map(([path, own]) => ({
      pattern: patternOf(path),
      methods: new Map(own.map(({ method, served }) => [method, served])),
    }));
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
