import * as z from 'zod';
import type { Schema, Schemas } from './openapi-document.ts';
import { extending } from './openapi-extending.ts';
import { isDocument, type RouteGroup } from './route.ts';

type Side = 'input' | 'output';

/** The zod schemas of the routes as JSON Schema; those with an id become shared components. */
export class SchemaComponents {
  readonly #named: Record<Side, Map<string, Schema>> = { input: new Map(), output: new Map() };
  readonly #made: Record<Side, Map<z.ZodType, Schema>> = { input: new Map(), output: new Map() };
  readonly #differing: ReadonlySet<string>;
  readonly #parts: ReadonlySet<string>;

  /** Collects the named schemas of the routes, of what the service sends by itself, and the parts that objects share. */
  constructor(
    groups: readonly RouteGroup[],
    outgoing: readonly z.ZodType[] = [],
    parts: readonly z.ZodType[] = [],
  ) {
    this.#parts = new Set(parts.map((part) => part.meta()?.id ?? ''));
    for (const schema of [...parts, ...outgoing]) this.#collect(schema, 'output');
    for (const route of groups.flatMap(({ routes }) => Object.values(routes))) {
      if (route.body) this.#collect(route.body, 'input');
      if (!isDocument(route.reply)) this.#collect(route.reply, 'output');
      for (const part of [route.params, route.query])
        for (const field of Object.values<z.ZodType>(part?.shape ?? {})) this.#collect(field, 'output');
    }
    this.#differing = this.#differingNames();
  }

  /** Returns the schema of a request. */
  input(schema: z.ZodType): Schema {
    return this.#linked(withoutDefinitions(this.#json(schema, 'input')), 'input');
  }

  /** Returns the schema of a response or parameter. */
  output(schema: z.ZodType): Schema {
    return this.#linked(withoutDefinitions(this.#json(schema, 'output')), 'output');
  }

  /** Returns the shared components: `X`, and `XInput` if a request may omit fields that a response always has. */
  components(): Schemas {
    const sides: Side[] = ['output', 'input'];
    return Object.fromEntries(
      sides.flatMap((side) => {
        const all = extending(this.#named[side], this.#parts);
        return [...all].map(([id, schema]) => [
          this.#name(id, side),
          this.#linked(this.#discriminated(schema, side), side),
        ]);
      }),
    );
  }

  /** Names the field that decides between alternatives, for generators. */
  #discriminated(schema: Schema, side: Side): Schema {
    const { oneOf } = schema as { oneOf?: { $ref?: string }[] };
    const names =
      oneOf?.flatMap(({ $ref }) => ($ref === undefined ? [] : [$ref.slice('#/$defs/'.length)])) ?? [];
    const options = names.map((name) => ({ name, fields: constantsOf(this.#named[side].get(name)) }));
    const [first, ...others] = options;
    const field = Object.keys(first?.fields ?? {}).find((one) => others.every(({ fields }) => one in fields));
    if (field === undefined || names.length !== oneOf?.length) return schema;
    const mapping = Object.fromEntries(
      options.map(({ name, fields }): [string, string] => [
        fields[field] ?? '',
        `#/components/schemas/${this.#name(name, side)}`,
      ]),
    );
    return { ...schema, discriminator: { propertyName: field, mapping } };
  }

  #collect(schema: z.ZodType, side: Side): void {
    const { $defs } = this.#json(schema, side) as { $defs?: Record<string, Schema> };
    for (const [id, definition] of Object.entries($defs ?? {})) this.#named[side].set(id, definition);
  }

  #json(schema: z.ZodType, side: Side): Schema {
    const made = this.#made[side].get(schema) ?? jsonSchema(schema, side);
    this.#made[side].set(schema, made);
    return made;
  }

  #name(id: string, side: Side): string {
    return side === 'input' && this.#differing.has(id) ? `${id}Input` : id;
  }

  #linked(schema: Schema, side: Side): Schema {
    const link = (_: string, text: string) => `"#/components/schemas/${this.#name(text, side)}"`;
    return JSON.parse(JSON.stringify(schema).replace(/"#\/\$defs\/([^"]+)"/g, link)) as Schema;
  }

  /** Returns the names whose input and output differ, themselves or through a reference. */
  #differingNames(): Set<string> {
    const { input, output } = this.#named;
    const differing = new Set<string>();
    for (let before = -1; before !== differing.size;) {
      before = differing.size;
      for (const [id, definition] of input) {
        const text = JSON.stringify(definition);
        const other = output.get(id);
        const changed = other !== undefined && JSON.stringify(other) !== text;
        if (changed || [...differing].some((name) => text.includes(`"#/$defs/${name}"`))) differing.add(id);
      }
    }
    return differing;
  }
}

/** Returns the fields of an object that have one possible value, with that value. */
const constantsOf = (schema: Schema | undefined): Record<string, string> => {
  const { properties = {} } = (schema ?? {}) as { properties?: Record<string, { const?: unknown }> };
  return Object.fromEntries(
    Object.entries(properties).flatMap(([name, { const: value }]) =>
      typeof value === 'string' ? [[name, value] as const] : [],
    ),
  );
};

/** Responses are open to new fields; requests are closed (D5). Any integer of JSON is one, so its limits go without saying. An object
 * that is the default of one form of several is said in its description: generators of clients drop an operation that has such a field. */
const jsonSchema = (schema: z.ZodType, io: Side): Schema => {
  const json = z.toJSONSchema(schema, {
    io,
    unrepresentable: 'any',
    override: ({ jsonSchema: made }) => {
      if (io === 'output' && made.additionalProperties === false) delete made.additionalProperties;
      if (made.anyOf && typeof made.default === 'object' && made.default !== null) delete made.default;
      if (made.minimum === Number.MIN_SAFE_INTEGER) delete made.minimum;
      if (made.maximum === Number.MAX_SAFE_INTEGER) delete made.maximum;
    },
  }) as Schema;
  const open = { ...json };
  delete open['$schema'];
  delete open['~standard'];
  return open;
};

const withoutDefinitions = (schema: Schema): Schema => {
  const bare = { ...schema };
  delete bare['$defs'];
  return bare;
};
