import * as z from 'zod';
import { isDocument, type RouteGroup } from './route.ts';

type Json = Record<string, unknown>;
type Side = 'input' | 'output';

/** The zod schemas of the routes as JSON Schema; those with an id become shared components. */
export class SchemaComponents {
  readonly #named: Record<Side, Map<string, Json>> = { input: new Map(), output: new Map() };
  readonly #differing: ReadonlySet<string>;

  constructor(groups: readonly RouteGroup[]) {
    for (const route of groups.flatMap(({ routes }) => Object.values(routes))) {
      if (route.body) this.#collect(route.body, 'input');
      if (!isDocument(route.reply)) this.#collect(route.reply, 'output');
    }
    this.#differing = this.#differingNames();
  }

  /** Returns the schema of a request. */
  input(schema: z.ZodType): Json {
    return this.#linked(withoutDefinitions(jsonSchema(schema, 'input')), 'input');
  }

  /** Returns the schema of a response or parameter. */
  output(schema: z.ZodType): Json {
    return this.#linked(withoutDefinitions(jsonSchema(schema, 'output')), 'output');
  }

  /** Returns the shared components: `X`, and `XInput` if a request may omit fields that a response always has. */
  components(): Record<string, Json> {
    const sides: Side[] = ['output', 'input'];
    return Object.fromEntries(
      sides.flatMap((side) =>
        [...this.#named[side]].map(([id, schema]) => [this.#name(id, side), this.#linked(schema, side)]),
      ),
    );
  }

  #collect(schema: z.ZodType, side: Side): void {
    const { $defs } = jsonSchema(schema, side) as { $defs?: Record<string, Json> };
    for (const [id, definition] of Object.entries($defs ?? {})) this.#named[side].set(id, definition);
  }

  #name(id: string, side: Side): string {
    return side === 'input' && this.#differing.has(id) ? `${id}Input` : id;
  }

  #linked(schema: Json, side: Side): Json {
    const link = (_: string, text: string) => `"#/components/schemas/${this.#name(text, side)}"`;
    return JSON.parse(JSON.stringify(schema).replace(/"#\/\$defs\/([^"]+)"/g, link)) as Json;
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

/** Responses are open to new fields; requests are closed (D5). */
const jsonSchema = (schema: z.ZodType, io: Side): Json => {
  const json = z.toJSONSchema(schema, {
    io,
    unrepresentable: 'any',
    override: (context) => {
      if (io === 'output' && context.jsonSchema.additionalProperties === false)
        delete context.jsonSchema.additionalProperties;
    },
  }) as Json;
  const open = { ...json };
  delete open['$schema'];
  delete open['~standard'];
  return open;
};

const withoutDefinitions = (schema: Json): Json => {
  const bare = { ...schema };
  delete bare['$defs'];
  return bare;
};
