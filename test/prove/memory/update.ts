import { type Item, nameOf, type Names, valueAt, valueOf, type Values } from './expression.ts';

/** An update path that does not exist: DynamoDB rejects the request. */
export class BadPath extends Error {}

/** Applies `SET a = :v, b = b + :w REMOVE c`, as the Table renders it, to a copy of the item. */
export const updated = (item: Item, expression: string, names: Names, values: Values): Item => {
  const result = structuredClone(item);
  const [, sets, removes] = /^(?:SET (.*?))?(?: ?REMOVE (.*))?$/.exec(expression) ?? [];
  for (const assignment of sets?.split(', ') ?? []) {
    const [path = '', formula = ''] = assignment.split(' = ');
    place(result, path, names, computed(item, formula, names, values));
  }
  for (const path of removes?.split(', ') ?? []) Reflect.deleteProperty(...targetOf(result, path, names));
  return result;
};

const computed = (item: Item, formula: string, names: Names, values: Values): unknown => {
  const [first = '', second] = formula.split(' + ');
  if (second === undefined) return valueOf(first, values);
  return Number(valueAt(item, first, names)) + Number(valueOf(second, values));
};

const place = (item: Item, path: string, names: Names, value: unknown): void => {
  const [map, name] = targetOf(item, path, names);
  map[name] = value;
};

const targetOf = (item: Item, path: string, names: Names): [Item, string] => {
  const steps = path.split('.');
  const last = steps.pop() ?? '';
  const map = steps.length === 0 ? item : valueAt(item, steps.join('.'), names);
  if (typeof map !== 'object' || map === null) throw new BadPath(path);
  return [map as Item, nameOf(last, names)];
};
