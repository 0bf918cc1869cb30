/** A reference to a component. */
export interface Reference {
  $ref: string;
}

/** A JSON schema, as far as the service writes or reads it. */
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
  prefixItems?: Schema[];
  allOf?: Schema[];
  anyOf?: Schema[];
  oneOf?: Schema[];
  minimum?: number;
  maximum?: number;
  minLength?: number;
  maxLength?: number;
  minItems?: number;
  maxItems?: number;
  example?: unknown;
  examples?: unknown[];
  [keyword: string]: unknown;
}

export type Schemas = Record<string, Schema>;

export interface Parameter {
  name: string;
  in: string;
  required?: boolean;
  description?: string;
  schema: Schema;
  example?: unknown;
}

export interface Media {
  schema: Schema;
  example?: unknown;
  examples?: Record<string, Reference>;
}

export interface Answer {
  description: string;
  headers?: Record<string, Reference>;
  content?: Record<string, Media>;
}

export interface Operation {
  operationId: string;
  tags: [string];
  summary: string;
  description: string;
  security: Record<string, string[]>[];
  parameters: (Parameter | Reference)[];
  requestBody?: { required: boolean; content: Record<string, Media> };
  responses: Record<string, Answer | Reference>;
}

/** The OpenAPI document of the service. */
export interface OpenApiDocument {
  openapi: string;
  info: { title: string; version: string; description?: string; contact: object; license: object };
  servers: { url: string; description: string }[];
  tags: { name: string; description?: string }[];
  paths: Record<string, Record<string, Operation>>;
  webhooks?: Record<string, Record<string, Operation>>;
  components: {
    schemas: Schemas;
    responses: Record<string, Answer>;
    headers: Record<string, object>;
    parameters: Record<string, Parameter>;
    examples: Record<string, { value: unknown }>;
    securitySchemes: Record<string, { type: string; description: string }>;
  };
}

/** Returns the name of the component of a reference. */
export const nameIn = (reference: string): string => reference.slice(reference.lastIndexOf('/') + 1);

/** Returns the component that a reference names, or the value itself. */
export const resolved = <T extends object>(
  components: Readonly<Record<string, T>>,
  given: T | Reference,
): T => {
  if (!isReference(given)) return given;
  const found = components[nameIn(given.$ref)];
  if (!found) throw new Error(`the document has no ${given.$ref}`);
  return found;
};

export const isReference = (given: object): given is Reference => '$ref' in given;

/** Returns the answers of an operation that are its own, by status: all but the errors. */
export const ownAnswers = ({ responses }: Operation): [status: string, answer: Answer][] =>
  Object.entries(responses).flatMap(([status, answer]) => (isReference(answer) ? [] : [[status, answer]]));

/** A field of an object. */
export interface Field {
  name: string;
  schema: Schema;
  isRequired: boolean;
}

/** Returns the fields of an object with those of the objects that it extends. */
export const fieldsOf = (schemas: Schemas, schema: Schema): Field[] => {
  const { properties, required } = merged(schemas, schema);
  return Object.entries(properties).map(([name, field]) => ({
    name,
    schema: field,
    isRequired: required.includes(name),
  }));
};

/** A part may require a field that another one has. */
const merged = (schemas: Schemas, given: Schema): { properties: Schemas; required: string[] } => {
  const { allOf = [], properties, required = [] } = resolved(schemas, given);
  const bases = allOf.map((base) => merged(schemas, base));
  return {
    properties: Object.assign({}, ...bases.map((base) => base.properties), properties) as Schemas,
    required: [...bases.flatMap((base) => base.required), ...required],
  };
};

/** Returns the names of all components that a part of a document refers to. */
export const namesIn = (part: unknown): string[] =>
  [...JSON.stringify(part).matchAll(/"\$ref":"([^"]+)"/g)].map(([, reference = '']) => nameIn(reference));

/** Returns the names of schemas with those that they refer to, sorted. */
export const withReferred = (schemas: Schemas, names: readonly string[]): string[] => {
  const found = new Set<string>();
  const visit = (name: string): void => {
    if (found.has(name)) return;
    const schema = schemas[name];
    if (!schema) throw new Error(`the document has no schema ${name}`);
    found.add(name);
    namesIn(schema).forEach(visit);
  };
  names.forEach(visit);
  return [...found].sort();
};
