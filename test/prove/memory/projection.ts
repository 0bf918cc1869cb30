import { checkDefined } from './condition.ts';
import { Tokens } from './expression-tokens.ts';
import { type Path, pathText, Placeholders, readPath, type Scope, stepOf, valueAt } from './paths.ts';
import { copied, type Item } from './values.ts';

/** A ProjectionExpression, parsed as DynamoDB does. */
export interface ParsedProjection {
  paths: readonly Path[];
  used: Placeholders;
  check: (scope: Scope) => void;
}

export const parseProjection = (expression: string): ParsedProjection => {
  const tokens = new Tokens('ProjectionExpression', expression);
  const used = new Placeholders();
  const paths = [readPath(tokens, used)];
  while (tokens.skip(',')) paths.push(readPath(tokens, used));
  tokens.expectEnd();
  return {
    paths,
    used,
    check: (scope) => {
      checkDefined(tokens, used, scope);
      const texts = paths.map((path) => pathText(path, scope.names));
      const again = texts.find((text, at) => texts.indexOf(text) < at);
      if (again !== undefined)
        throw tokens.invalid(
          `Two document paths overlap with each other; must remove or rewrite one of these paths; path one: ${again}, path two: ${again}`,
        );
    },
  };
};

/** Returns the attributes at the paths, inside their maps; elements of lists move together. */
export const projected = (item: Item, paths: readonly Path[], { names }: Pick<Scope, 'names'>): Item => {
  const result: Item = {};
  for (const path of paths) {
    const value = valueAt(item, path, names);
    if (value === undefined) continue;
    let parent: Item | unknown[] = result;
    path.forEach((step, at) => {
      const name = stepOf(step, names);
      const isLast = at === path.length - 1;
      const inside: unknown = isLast ? copied(value) : typeof path[at + 1] === 'number' ? [] : {};
      if (Array.isArray(parent)) {
        parent.push(inside);
        parent = inside as Item;
        return;
      }
      if (isLast || parent[name] === undefined) parent[name] = inside;
      parent = parent[name] as Item;
    });
  }
  return result;
};
