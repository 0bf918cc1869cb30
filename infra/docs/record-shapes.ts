import * as z from 'zod';
import { entities } from '../../shared/entities.ts';
import type { Kind } from '../../shared/platform/table/index.ts';
import { versionOf } from '../../shared/platform/table/stored-item.ts';

/** The types of a record by path: `items[].listing_id` is in each element, `live{}` each value of a map, `note?` optional. */
type RecordShape = Record<string, string>;
/** The shapes of an entity by version. */
type Versions = Record<string, RecordShape>;
/** The shapes of all entities by name: the file docs/reference/records.json. */
export type RecordShapes = Record<string, Versions>;

type Node = z.core.JSONSchema.JSONSchema;

/** Returns the shape of a record. Limits and formats are left out. */
export const shapeOf = (schema: z.ZodType): RecordShape => {
  const shape: RecordShape = {};
  const root = z.toJSONSchema(schema, { unrepresentable: 'any' });
  const resolve = (node: Node): Node =>
    node.$ref === undefined ? node : (root.$defs?.[node.$ref.replace('#/$defs/', '')] ?? {});
  const typesOf = (given: Node, path: string): string[] => {
    const node = resolve(given);
    const { anyOf, enum: values, const: value, type, format } = node;
    if (anyOf) return anyOf.flatMap((one) => typesOf(one, path));
    if (value !== undefined) return [quoted(value)];
    if (values) return values.map(quoted);
    if (type === 'array') {
      note(`${path}[]`, node.items as Node);
      return ['array'];
    }
    if (type === 'object') {
      const { properties, required = [], additionalProperties } = node;
      for (const [name, property] of Object.entries(properties ?? {}))
        note(`${path === '' ? '' : `${path}.`}${name}`, property as Node, !required.includes(name));
      if (properties) return ['object'];
      note(`${path}{}`, additionalProperties as Node);
      return ['map'];
    }
    return [type ?? format ?? 'any'].flat().map((one) => (one === 'integer' ? 'int' : one));
  };
  const note = (path: string, node: Node, isOptional = false): void => {
    const place = isOptional ? `${path}?` : path;
    shape[place] = '';
    shape[place] = typesOf(node, path).join(' | ');
  };
  typesOf(root, '');
  return shape;
};

const quoted = (value: unknown): string => (typeof value === 'string' ? `'${value}'` : String(value));

const typesAt = (shape: RecordShape, path: string): string[] | undefined =>
  (shape[path] ?? shape[`${path}?`])?.split(' | ');

const holds = (types: readonly string[], type: string): boolean =>
  types.includes(type) || types.includes('any') || (type === 'int' && types.includes('number'));

/** Returns the reasons for which items of a shape may not fit another one. */
export const incompatibilities = (before: RecordShape, after: RecordShape): string[] => [
  ...Object.entries(before).flatMap(([place, types]) => {
    const path = place.replace(/\?$/, '');
    const now = typesAt(after, path);
    const parent = parentOf(path);
    if (!now) return typesAt(after, parent) || parent === '' ? [`${path} has gone`] : [];
    const lost = types.split(' | ').filter((type) => !holds(now, type));
    return [
      ...(lost.length > 0 ? [`${path} may no longer be ${lost.join(' or ')}`] : []),
      ...(place.endsWith('?') && path in after ? [`${path} is no longer optional`] : []),
    ];
  }),
  ...Object.keys(after)
    .filter((path) => !path.endsWith('?') && !typesAt(before, path))
    .filter((path) => parentOf(path) === '' || typesAt(before, parentOf(path))?.includes('object'))
    .map((path) => `${path} is new and not optional`),
];

const parentOf = (path: string): string => path.replace(/(\[\]|\{\}|(^|\.)[^.[\]{}]+)$/, '');

/** Returns the shapes of all records, with those of earlier versions; one that changed incompatibly stays as it was. */
export const recordShapes = (known: RecordShapes, all: readonly Kind<object>[] = entities): RecordShapes =>
  Object.fromEntries(
    all.map((entity): [string, Versions] => {
      const { name } = entity;
      const version = String(versionOf(entity));
      const shape = shapeOf(entity.record());
      const before = known[name]?.[version];
      const isKept = before !== undefined && incompatibilities(before, shape).length > 0;
      return [name, { ...known[name], [version]: isKept ? before : shape }];
    }),
  );

/** Returns what is wrong with the versions of an entity, with what to do about it. */
export const versionIssues = (known: RecordShapes, entity: Kind<object>): string[] => {
  const { name } = entity;
  const version = versionOf(entity);
  const missing = Array.from({ length: version - 1 }, (_, before) => String(before + 1)).filter(
    (before) => !known[name]?.[before],
  );
  const before = known[name]?.[String(version)];
  return [
    ...missing.map((one) => `docs/reference/records.json has no version ${one} of ${name}`),
    ...(before ? incompatibilities(before, shapeOf(entity.record())) : []).map(
      (reason) =>
        `${name}: ${reason}. Stored items of version ${version} do not fit: make the field optional and say what absence means, or add a reader to \`upgrades\` of the entity, which makes version ${version + 1}, and an item of version ${version} to test/table/old-records.test.ts. Then \`npm run generate\`.`,
    ),
  ];
};
