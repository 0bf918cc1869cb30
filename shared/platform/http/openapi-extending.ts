interface ObjectSchema {
  type?: string;
  properties?: Record<string, unknown>;
  required?: string[];
  additionalProperties?: unknown;
}

/** A component with fewer fields is not worth a reference. */
const fewestFields = 13;

const isOpen = ({ properties, additionalProperties }: ObjectSchema): boolean =>
  Object.keys(properties ?? {}).length >= fewestFields && additionalProperties === undefined;

/** Whether every field of the base is a field of the other schema, with the same meaning. */
const isBase = (base: ObjectSchema, other: ObjectSchema): boolean =>
  (base.required ?? []).every((name) => other.required?.includes(name)) &&
  Object.entries(base.properties ?? {}).every(
    ([name, field]) =>
      name in (other.properties ?? {}) && JSON.stringify(other.properties?.[name]) === JSON.stringify(field),
  );

/**
 * Returns the components, with each that has all fields of another one written as that one and the rest: half the size, and
 * generators make a type that extends the other.
 */
export const extending = (
  components: ReadonlyMap<string, Record<string, unknown>>,
): Map<string, Record<string, unknown>> => {
  const open = [...components].filter(([, schema]) => isOpen(schema));
  const sizeOf = (schema: ObjectSchema): number => Object.keys(schema.properties ?? {}).length;
  return new Map(
    [...components].map(([name, schema]) => {
      const bases = isOpen(schema)
        ? open.filter(([, base]) => sizeOf(base) < sizeOf(schema) && isBase(base, schema))
        : [];
      const [base] = bases.toSorted(([, one], [, other]) => sizeOf(other) - sizeOf(one));
      return [name, base ? extended(schema, base) : schema];
    }),
  );
};

const extended = (
  schema: ObjectSchema & Record<string, unknown>,
  [baseName, base]: [string, ObjectSchema],
): Record<string, unknown> => {
  const { properties, required = [], ...rest } = schema;
  const own = Object.entries(properties ?? {}).filter(([name]) => !(name in (base.properties ?? {})));
  const ownRequired = required.filter((name) => !base.required?.includes(name));
  // Some generators read a lone reference in `allOf` as the base itself, so what is added is an element of its own.
  const { type, ...about } = rest;
  const added = {
    type,
    properties: Object.fromEntries(own),
    ...(ownRequired.length > 0 ? { required: ownRequired } : {}),
  };
  return { ...about, allOf: [{ $ref: `#/$defs/${baseName}` }, added] };
};
