import { apiDocument } from '../../functions/system/api-document.ts';

/** Fields by name, `!` behind a required one, with the types that they may have. */
type Fields = Record<string, string>;

interface SurfaceOperation {
  call: string;
  takes: Fields;
  body?: string;
  answers: Record<string, string>;
  errors: string[];
}

/** A component: the fields that requests may send, those that answers have, or the values or types that it may be. */
interface SurfaceSchema {
  takes?: Fields;
  has?: Fields;
  oneOf?: string[];
}

/** What clients may rely on: the file docs/reference/api-surface.json. */
export interface Surface {
  operations: Record<string, SurfaceOperation>;
  webhooks: Record<string, string>;
  schemas: Record<string, SurfaceSchema>;
}

interface Schema {
  $ref?: string;
  type?: string | string[];
  const?: unknown;
  enum?: unknown[];
  properties?: Record<string, Schema>;
  required?: string[];
  items?: Schema;
  additionalProperties?: Schema | boolean;
  anyOf?: Schema[];
  oneOf?: Schema[];
  allOf?: Schema[];
}
interface Parameter {
  $ref?: string;
  name: string;
  in: string;
  required?: boolean;
  schema: Schema;
}
interface Operation {
  operationId: string;
  parameters: Parameter[];
  requestBody?: { required?: boolean; content: Record<string, { schema: Schema }> };
  responses: Record<string, { $ref?: string; content?: Record<string, { schema: Schema }> }>;
}
interface ApiDocument {
  paths: Record<string, Record<string, Operation>>;
  webhooks?: Record<string, Record<string, Operation>>;
  components: {
    schemas: Record<string, Schema>;
    parameters: Record<string, Parameter>;
    responses: Record<string, { content: Record<string, { schema: Schema }> }>;
  };
}

const lastStep = (reference: string): string => reference.split('/').at(-1) ?? '';
const isOneOf = ({ enum: values, oneOf }: Schema): boolean => values !== undefined || oneOf !== undefined;

/** Reads the surface from an OpenAPI document. */
class SurfaceReader {
  readonly #document: ApiDocument;

  constructor(document: ApiDocument) {
    this.#document = document;
  }

  read(): Surface {
    const { paths, webhooks = {}, components } = this.#document;
    const operations = Object.entries(paths).flatMap(([path, methods]) =>
      Object.entries(methods).map(([method, operation]) => this.#operation(`${method.toUpperCase()} ${path}`, operation)),
    );
    const sent = this.#reachable(this.#bodies());
    const got = this.#reachable(this.#answers());
    return {
      operations: sorted(operations),
      webhooks: sorted(
        Object.entries(webhooks).map(([type, { post }]) => [type, this.#contentType(post?.requestBody)]),
      ),
      schemas: sorted(
        Object.entries(components.schemas)
          .filter(([name]) => sent.has(name) || got.has(name))
          .map(([name, schema]) => [name, this.#schema(schema, sent.has(name), got.has(name))]),
      ),
    };
  }

  #operation(call: string, operation: Operation): [string, SurfaceOperation] {
    const { operationId, parameters, requestBody, responses } = operation;
    const given = parameters.map((one) =>
      one.$ref === undefined ? one : this.#document.components.parameters[lastStep(one.$ref)],
    );
    const takes = given.flatMap((one): [string, string][] =>
      one ? [[`${one.in} ${one.name}${one.required ? '!' : ''}`, this.#types(one.schema)]] : [],
    );
    const good = Object.entries(responses).filter(([, { $ref }]) => $ref === undefined);
    const bad = Object.values(responses).flatMap(({ $ref }) => ($ref === undefined ? [] : [lastStep($ref)]));
    const body = requestBody && `${this.#contentType(requestBody)}${requestBody.required ? '!' : ''}`;
    const entry: SurfaceOperation = {
      call,
      takes: sorted(takes),
      ...(body === undefined ? {} : { body }),
      answers: Object.fromEntries(good.map(([status, response]) => [status, this.#contentType(response)])),
      errors: bad.flatMap((name) => this.#codes(name)).toSorted(),
    };
    return [operationId, entry];
  }

  #codes(name: string): string[] {
    const contents = Object.values(this.#document.components.responses[name]?.content ?? {});
    return contents.flatMap(({ schema }) => this.#resolved(schema).properties?.['code']?.enum ?? []).map(String);
  }

  #contentType(holder: { content?: Record<string, { schema: Schema }> } | undefined): string {
    const [media] = Object.values(holder?.content ?? {});
    return media ? this.#types(media.schema) : '';
  }

  #schema(schema: Schema, isSent: boolean, isGot: boolean): SurfaceSchema {
    if (isOneOf(schema)) return { oneOf: this.#types(schema).split(' | ') };
    const { properties, required } = this.#merged(schema);
    const fields = sorted(
      Object.entries(properties).map(([name, field]): [string, string] => [
        `${name}${required.includes(name) ? '!' : ''}`,
        this.#types(field),
      ]),
    );
    return { ...(isSent ? { takes: fields } : {}), ...(isGot ? { has: fields } : {}) };
  }

  /** An object with the fields of those that it extends. */
  #merged({ properties = {}, required = [], allOf = [] }: Schema): {
    properties: Record<string, Schema>;
    required: string[];
  } {
    const bases = allOf.map((base) => this.#merged(this.#resolved(base)));
    return {
      properties: Object.assign({}, ...bases.map((base) => base.properties), properties) as Record<string, Schema>,
      required: [...bases.flatMap((base) => base.required), ...required],
    };
  }

  #resolved(schema: Schema): Schema {
    return schema.$ref === undefined ? schema : (this.#document.components.schemas[lastStep(schema.$ref)] ?? {});
  }

  /** The types of a value, sorted; objects and sets of values by their names. */
  #types(schema: Schema): string {
    const all = this.#typesOf(schema);
    return [...new Set(all)].toSorted().join(' | ');
  }

  #typesOf(schema: Schema): string[] {
    const { $ref, anyOf, oneOf, enum: values, const: only, items, type } = schema;
    if ($ref !== undefined) {
      const target = this.#resolved(schema);
      const isNamed = target.properties ?? target.allOf ?? (isOneOf(target) ? true : undefined);
      return isNamed === undefined ? this.#typesOf(target) : [lastStep($ref)];
    }
    if (anyOf ?? oneOf) return (anyOf ?? oneOf ?? []).flatMap((one) => this.#typesOf(one));
    if (values) return values.map((value) => JSON.stringify(value));
    if (only !== undefined) return [JSON.stringify(only)];
    if (items) return [`${this.#types(items)}[]`];
    return [type ?? 'any'].flat();
  }

  #bodies(): Schema[] {
    return this.#operations().flatMap(({ requestBody }) =>
      Object.values(requestBody?.content ?? {}).map(({ schema }) => schema),
    );
  }

  /** What clients read: answers, and what is sent to webhooks. */
  #answers(): Schema[] {
    const hooks = Object.values(this.#document.webhooks ?? {}).flatMap((methods) => Object.values(methods));
    return [
      ...this.#operations().flatMap(({ responses }) => Object.values(responses)),
      ...hooks.map(({ requestBody }) => requestBody),
    ].flatMap((holder) => Object.values(holder?.content ?? {}).map(({ schema }) => schema));
  }

  #operations(): Operation[] {
    return Object.values(this.#document.paths).flatMap((methods) => Object.values(methods));
  }

  #reachable(roots: readonly Schema[]): Set<string> {
    const found = new Set<string>();
    const visit = (value: unknown): void => {
      for (const [, name = ''] of JSON.stringify(value).matchAll(/"#\/components\/schemas\/(\w+)"/g)) {
        if (found.has(name)) continue;
        found.add(name);
        visit(this.#document.components.schemas[name] ?? {});
      }
    };
    visit(roots);
    return found;
  }
}

const sorted = <T>(entries: readonly (readonly [string, T])[]): Record<string, T> =>
  Object.fromEntries(entries.toSorted(([one], [other]) => (one < other ? -1 : 1)));

/** Returns the surface of a document; that of the service by default. */
export const surfaceOf = (document?: ApiDocument): Surface =>
  new SurfaceReader(
    document ?? (apiDocument({ serverUrl: 'http://127.0.0.1:4000', version: '0' }) as unknown as ApiDocument),
  ).read();

/** Returns a surface as text: a line for each operation, webhook and schema. */
export const surfaceText = (surface: Surface): string => {
  const groups = Object.entries(surface).map(([name, entries]) => {
    const lines = Object.entries(entries as object).map(([key, entry]) => `    ${JSON.stringify(key)}: ${JSON.stringify(entry)}`);
    return `  ${JSON.stringify(name)}: {\n${lines.join(',\n')}\n  }`;
  });
  return `{\n${groups.join(',\n')}\n}\n`;
};
