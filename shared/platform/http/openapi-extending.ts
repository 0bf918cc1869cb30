import type { Schema } from './openapi-document.ts';

type Named = readonly [name: string, schema: Schema];

/** A component with fewer fields is not worth a reference, unless it was made to be one. */
const fewestFields = 9;

const fieldsOf = ({ properties = {} }: Schema): string[] => Object.keys(properties);

const isOpen = ({ properties, additionalProperties }: Schema): boolean =>
  properties !== undefined && additionalProperties === undefined;

/** Whether every field of the base is a field of the other schema, with the same meaning. */
const isBase = (base: Schema, other: Schema): boolean =>
  (base.required ?? []).every((name) => other.required?.includes(name)) &&
  Object.entries(base.properties ?? {}).every(
    ([name, field]) =>
      name in (other.properties ?? {}) && JSON.stringify(other.properties?.[name]) === JSON.stringify(field),
  );

/**
 * Returns the components, with each that has all fields of other ones written as these and the rest: half the size, and
 * generators make a type that extends the others. Components that are only parts of others are named.
 */
export const extending = (
  components: ReadonlyMap<string, Schema>,
  parts: ReadonlySet<string> = new Set(),
): Map<string, Schema> => {
  const bases: Named[] = [...components].filter(
    ([name, schema]) => isOpen(schema) && (parts.has(name) || fieldsOf(schema).length >= fewestFields),
  );
  const position = new Map([...components.keys()].map((name, at) => [name, at]));
  // Of components that are the same, the later ones are written as the first.
  const rank = ([name, schema]: Named) =>
    fieldsOf(schema).length * components.size + (position.get(name) ?? 0);
  return new Map(
    [...components].map(([name, schema]) => {
      const own = rank([name, schema]);
      const found = isOpen(schema) ? bases.filter((base) => rank(base) < own && isBase(base[1], schema)) : [];
      const [largest, ...others] = found.toSorted(
        (one, other) => fieldsOf(other[1]).length - fieldsOf(one[1]).length,
      );
      // Two smaller ones may have more together than the largest with what fits beside it.
      const first = withoutOverlap(largest ? [largest, ...others] : []);
      const second = withoutOverlap(others);
      const used = coverage(second) > coverage(first) ? second : first;
      return [name, used.length > 0 ? extended(schema, used) : schema];
    }),
  );
};

const coverage = (bases: readonly Named[]): number =>
  bases.reduce((fields, [, base]) => fields + fieldsOf(base).length, 0);

/** Returns the bases that have no field of one before them. */
const withoutOverlap = (bases: readonly Named[]): Named[] => {
  const taken = new Set<string>();
  return bases.filter(([, base]) => {
    const fields = fieldsOf(base);
    if (fields.some((field) => taken.has(field))) return false;
    fields.forEach((field) => taken.add(field));
    return true;
  });
};

const extended = (schema: Schema, bases: readonly Named[]): Schema => {
  const { properties, required = [], type = 'object', ...about } = schema;
  const inherited = new Set(bases.flatMap(([, base]) => fieldsOf(base)));
  const demanded = new Set(bases.flatMap(([, base]) => base.required ?? []));
  const own = Object.entries(properties ?? {}).filter(([name]) => !inherited.has(name));
  const ownRequired = required.filter((name) => !demanded.has(name));
  // Some generators read a lone reference in `allOf` as the base itself, so what is added is an element of its own.
  const added = {
    type,
    properties: Object.fromEntries(own),
    ...(ownRequired.length > 0 ? { required: ownRequired } : {}),
  };
  const isMore = own.length > 0 || ownRequired.length > 0;
  return {
    ...about,
    allOf: [...bases.map(([name]) => ({ $ref: `#/$defs/${name}` })), ...(isMore ? [added] : [])],
  };
};
