/** A schema of the OpenAPI document, as far as pages show it. */
export interface Schema {
  $ref?: string;
  type?: string | string[];
  format?: string;
  description?: string;
  enum?: unknown[];
  const?: unknown;
  default?: unknown;
  properties?: Record<string, Schema>;
  required?: string[];
  additionalProperties?: boolean | Schema;
  items?: Schema;
  allOf?: Schema[];
  anyOf?: Schema[];
  oneOf?: Schema[];
  minimum?: number;
  maximum?: number;
  minLength?: number;
  maxLength?: number;
  minItems?: number;
  maxItems?: number;
}

export interface Parameter {
  $ref?: string;
  name: string;
  in: 'path' | 'query' | 'header';
  required?: boolean;
  description?: string;
  schema?: Schema;
  example?: unknown;
}

interface Media {
  schema: Schema;
  example?: unknown;
  examples?: Record<string, { $ref?: string; value?: unknown }>;
}

interface Response {
  $ref?: string;
  description: string;
  headers?: Record<string, unknown>;
  content?: Record<string, Media>;
}

export interface Operation {
  operationId: string;
  tags: [string];
  summary: string;
  description: string;
  security: Record<string, unknown>[];
  parameters: Parameter[];
  requestBody?: { required: boolean; content: Record<string, Media> };
  responses: Record<string, Response>;
}

export interface ApiDocument {
  info: { description: string; version: string };
  servers: { url: string }[];
  tags: { name: string; description?: string }[];
  paths: Record<string, Record<string, Operation>>;
  webhooks: Record<string, Record<string, Operation>>;
  components: Record<string, Record<string, object>> & {
    securitySchemes: Record<string, { description: string }>;
  };
}

/** An operation with its place. */
export interface PlacedOperation {
  operation: Operation;
  method: string;
  path: string;
}

/** Returns what a reference names, or the value itself. */
export const resolved = <T extends { $ref?: string }>({ components }: ApiDocument, given: T): T => {
  if (given.$ref === undefined) return given;
  const [kind = '', name = ''] = given.$ref.slice('#/components/'.length).split('/');
  return components[kind]?.[name] as T;
};

/** Returns the first example of a body. */
export const exampleOf = (document: ApiDocument, { example, examples = {} }: Media): unknown => {
  const [first] = Object.values(examples);
  return example ?? (first ? resolved(document, first).value : undefined);
};

/** Returns the operations of a tag, in the order of the document. */
export const operationsOf = ({ paths }: ApiDocument, tag: string): PlacedOperation[] =>
  Object.entries(paths).flatMap(([path, methods]) =>
    Object.entries(methods)
      .filter(([, operation]) => operation.tags[0] === tag)
      .map(([method, operation]) => ({ operation, method: method.toUpperCase(), path })),
  );
