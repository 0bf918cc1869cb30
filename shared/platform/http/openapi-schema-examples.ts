import { isDeepStrictEqual } from 'node:util';
import { type Media, resolved, type Schema, type Schemas } from './openapi-document.ts';
import { sampleOfFields } from './openapi-sample.ts';

type Fields = Record<string, unknown>;

/**
 * Writes into each object schema what the examples show of it most often, if that does not follow from its fields already: at
 * the object or at the fields, as is shorter. So an example that is made of many objects need not stand in the document.
 */
export const writeSchemaExamples = (
  shown: readonly Pick<Media, 'schema' | 'example'>[],
  schemas: Schemas,
): void => {
  const seen = new SeenObjects(schemas);
  for (const { schema, example } of shown) seen.add(schema, example);
  for (const [schema, value] of seen.inOrder()) writeExample(schema, value, schemas);
};

const writeExample = (schema: Schema, value: Fields, schemas: Schemas): void => {
  const derived = sampleOfFields(schema, schemas);
  if (isDeepStrictEqual(derived, value)) return;
  const fields = Object.entries(schema.properties ?? {});
  const different = fields.filter(([name]) => !isDeepStrictEqual(derived[name], value[name]));
  const sizeOfFields = different
    .map(([name]) => sizeOf([value[name]]) + '"examples":'.length)
    .reduce((sum, size) => sum + size, 0);
  const isWhole = fields.some(([name]) => !(name in value)) || sizeOf([value]) < sizeOfFields;
  if (isWhole) schema.examples = [value];
  else for (const [name, field] of different) field.examples = [value[name]];
};

const sizeOf = (value: unknown): number => JSON.stringify(value).length;

/** The values that examples have for each object schema, of its own fields alone. */
class SeenObjects {
  readonly #schemas: Schemas;
  readonly #values = new Map<Schema, Map<string, number>>();

  constructor(schemas: Schemas) {
    this.#schemas = schemas;
  }

  add(given: Schema, value: unknown): void {
    const schema = resolved(this.#schemas, given);
    for (const part of schema.allOf ?? []) this.add(part, value);
    const chosen = (schema.anyOf ?? schema.oneOf ?? []).find((option) => this.#fits(option, value));
    if (chosen) this.add(chosen, value);
    if (Array.isArray(value)) for (const item of value) this.add(schema.items ?? {}, item);
    else if (typeof value === 'object' && value !== null) this.#addFields(schema, value as Fields);
  }

  /** Returns each schema with its most frequent value, the innermost first: what an object is made of is known before it. */
  inOrder(): [Schema, Fields][] {
    return [...this.#values]
      .map(([schema, counts]): [Schema, Fields] => {
        const [[text] = ['{}']] = [...counts].toSorted(([, one], [, other]) => other - one);
        return [schema, JSON.parse(text) as Fields];
      })
      .toSorted(([, one], [, other]) => depthOf(one) - depthOf(other));
  }

  #addFields(schema: Schema, value: Fields): void {
    const { properties, additionalProperties } = schema;
    if (typeof additionalProperties === 'object')
      for (const each of Object.values(value)) this.add(additionalProperties, each);
    if (!properties) return;
    const own = Object.keys(properties).filter((name) => name in value);
    const counts = this.#values.get(schema) ?? new Map<string, number>();
    const text = JSON.stringify(Object.fromEntries(own.map((name) => [name, value[name]])));
    this.#values.set(schema, counts.set(text, (counts.get(text) ?? 0) + 1));
    for (const name of own) this.add(properties[name] ?? {}, value[name]);
  }

  /** Whether a value is of one of several alternatives: it has what that requires, and its constants. */
  #fits(option: Schema, value: unknown): boolean {
    const { allOf = [], properties, required = [] } = resolved(this.#schemas, option);
    if (properties === undefined && allOf.length === 0)
      return typeof value !== 'object' || Array.isArray(value);
    if (typeof value !== 'object' || value === null) return false;
    return (
      allOf.every((part) => this.#fits(part, value)) &&
      required.every((name) => name in value) &&
      Object.entries(properties ?? {}).every(
        ([name, { const: only }]) => only === undefined || (value as Fields)[name] === only,
      )
    );
  }
}

const depthOf = (value: unknown): number =>
  typeof value === 'object' && value !== null
    ? 1 + Math.max(0, ...Object.values(value).map((part) => depthOf(part)))
    : 0;
