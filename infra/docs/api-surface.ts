import { apiDocument } from '../../functions/system/api-document.ts';
import {
  type Answer,
  fieldsOf,
  isReference,
  nameIn,
  namesIn,
  type OpenApiDocument,
  type Operation,
  ownAnswers,
  resolved,
  type Schema,
  withReferred,
} from '../../shared/platform/http/openapi-document.ts';

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

const isOneOf = ({ enum: values, oneOf }: Schema): boolean => values !== undefined || oneOf !== undefined;

/** Reads the surface from an OpenAPI document. */
class SurfaceReader {
  readonly #document: OpenApiDocument;

  constructor(document: OpenApiDocument) {
    this.#document = document;
  }

  read(): Surface {
    const { paths, webhooks = {}, components } = this.#document;
    const operations = Object.entries(paths).flatMap(([path, methods]) =>
      Object.entries(methods).map(([method, operation]) =>
        this.#operation(`${method.toUpperCase()} ${path}`, operation),
      ),
    );
    const sent = new Set(withReferred(components.schemas, namesIn(this.#bodies())));
    const got = new Set(withReferred(components.schemas, namesIn(this.#answers())));
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
    const { components } = this.#document;
    const takes = parameters
      .map((given) => resolved(components.parameters, given))
      .map((one): [string, string] => [
        `${one.in} ${one.name}${one.required ? '!' : ''}`,
        this.#types(one.schema),
      ]);
    const bad = Object.values(responses).filter(isReference);
    const body = requestBody && `${this.#contentType(requestBody)}${requestBody.required ? '!' : ''}`;
    const entry: SurfaceOperation = {
      call,
      takes: sorted(takes),
      ...(body === undefined ? {} : { body }),
      answers: Object.fromEntries(
        ownAnswers(operation).map(([status, answer]) => [status, this.#contentType(answer)]),
      ),
      errors: bad.flatMap((given) => this.#codes(resolved<Answer>(components.responses, given))).toSorted(),
    };
    return [operationId, entry];
  }

  #codes({ content = {} }: Answer): string[] {
    const schemas = Object.values(content).map(({ schema }) => this.#resolved(schema));
    return schemas.flatMap(({ properties }) => properties?.['code']?.enum ?? []).map(String);
  }

  #contentType(holder: { content?: Record<string, { schema: Schema }> } | undefined): string {
    const [media] = Object.values(holder?.content ?? {});
    return media ? this.#types(media.schema) : '';
  }

  #schema(schema: Schema, isSent: boolean, isGot: boolean): SurfaceSchema {
    if (isOneOf(schema)) return { oneOf: this.#types(schema).split(' | ') };
    const fields = sorted(
      fieldsOf(this.#document.components.schemas, schema).map(
        ({ name, schema: field, isRequired }) =>
          [`${name}${isRequired ? '!' : ''}`, this.#types(field)] as const,
      ),
    );
    return { ...(isSent ? { takes: fields } : {}), ...(isGot ? { has: fields } : {}) };
  }

  #resolved(schema: Schema): Schema {
    return resolved(this.#document.components.schemas, schema);
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
      return isNamed === undefined ? this.#typesOf(target) : [nameIn($ref)];
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
      ...this.#operations().flatMap((operation) => ownAnswers(operation).map(([, answer]) => answer)),
      ...hooks.map(({ requestBody }) => requestBody),
    ].flatMap((holder) => Object.values(holder?.content ?? {}).map(({ schema }) => schema));
  }

  #operations(): Operation[] {
    return Object.values(this.#document.paths).flatMap((methods) => Object.values(methods));
  }
}

const sorted = <T>(entries: readonly (readonly [string, T])[]): Record<string, T> =>
  Object.fromEntries(entries.toSorted(([one], [other]) => (one < other ? -1 : 1)));

/** Returns the surface of a document; that of the service by default. */
export const surfaceOf = (document?: OpenApiDocument): Surface =>
  new SurfaceReader(document ?? apiDocument({ serverUrl: 'http://127.0.0.1:4000', version: '0' })).read();

/** Returns a surface as text: a line for each operation, webhook and schema. */
export const surfaceText = (surface: Surface): string => {
  const groups = Object.entries(surface).map(([name, entries]) => {
    const lines = Object.entries(entries as object).map(
      ([key, entry]) => `    ${JSON.stringify(key)}: ${JSON.stringify(entry)}`,
    );
    return `  ${JSON.stringify(name)}: {\n${lines.join(',\n')}\n  }`;
  });
  return `{\n${groups.join(',\n')}\n}\n`;
};
