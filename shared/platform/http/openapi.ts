import type * as z from 'zod';
import { authorizerOf } from './gateway-document.ts';
import { ErrorResponses, errorExamples, errorSchemas, headerLinks } from './openapi-errors.ts';
import { SchemaComponents } from './openapi-schemas.ts';
import { isDocument, type Route, type RouteGroup, takesTeam } from './route.ts';

interface OpenApiOptions {
  groups: readonly RouteGroup[];
  title: string;
  version: string;
  description?: string;
}

/** Returns the route table as an OpenAPI 3.1 document, from which partners generate clients (D70). */
export const openApiDocument = (options: OpenApiOptions): Record<string, unknown> => {
  const books = { schemas: new SchemaComponents(options.groups), errors: new ErrorResponses() };
  const rows = options.groups.flatMap(({ routes }) => Object.entries(routes));
  const paths: Record<string, Record<string, unknown>> = {};
  for (const [id, route] of rows)
    (paths[route.path] ??= {})[route.method.toLowerCase()] = operation(id, route, books);
  const { title, version, description } = options;
  return {
    openapi: '3.1.1',
    info: {
      title,
      version,
      ...(description === undefined ? {} : { description }),
      license: { name: 'Apache-2.0', identifier: 'Apache-2.0' },
    },
    servers: [{ url: './', description: 'Where this document came from' }],
    tags: [...new Set(rows.map(([, { tag }]) => tag))].map((name) => ({ name })),
    paths,
    components: {
      schemas: { ...errorSchemas, ...books.schemas.components() },
      responses: books.errors.components(),
      headers,
      parameters,
      examples: errorExamples(),
      securitySchemes: {
        ApiKey: {
          type: 'apiKey',
          in: 'header',
          name: 'X-API-Key',
          description:
            "A partner's key, as the operator or an owner of the team issued it. Its scopes say what it may do: `read`; `book`, which includes `read`; `customers`; `webhooks`. Names, phone numbers and e-mail addresses are null for a key without the scope `personal`, except on bookings that it made. It ends at its `expires_at` to the second; once revoked it is refused within 60 seconds.",
        },
        Bearer: {
          type: 'http',
          scheme: 'bearer',
          bearerFormat: 'JWT',
          description:
            'An access token of the identity provider. It ends at its `exp` to the second; after a logout it is refused within 60 seconds.',
        },
      },
    },
  };
};

const integer = { type: 'integer' };
const headers = {
  'X-Request-Id': {
    description: 'Names this request in our logs.',
    required: true,
    schema: { type: 'string' },
  },
  'X-RateLimit-Limit': { description: 'Requests a minute for this caller.', schema: integer },
  'X-RateLimit-Remaining': { description: 'Requests left until the reset.', schema: integer },
  'X-RateLimit-Reset': { description: 'Unix time of the reset.', schema: integer },
  'Retry-After': { description: 'Seconds to wait before the next try.', schema: integer },
  'Idempotent-Replayed': {
    description: '`true` when this is the kept answer to the same request before.',
    schema: { type: 'string', enum: ['true'] },
  },
  'X-Total-Count': { description: 'How many there are, exact up to 1,000.', schema: integer },
  'X-Next-Cursor': {
    description: 'What to send as `cursor` to go on; absent on the last page.',
    schema: { type: 'string' },
  },
};

const parameters = {
  'Idempotency-Key': {
    name: 'Idempotency-Key',
    in: 'header',
    description:
      'Makes repeating safe: for 24 hours the same key and body get the first answer again, byte for byte. Decisions are kept (2xx, 402, 409, 410); after any other refusal the corrected request may use the same key.',
    schema: { type: 'string', minLength: 1, maxLength: 255, pattern: '^[\\x21-\\x7e]+$' },
    example: 'order-2027-000123',
  },
  'X-Team-ID': {
    name: 'X-Team-ID',
    in: 'header',
    description: 'The team to act for; may be left out by a host of one team.',
    schema: { type: 'integer', minimum: 1 },
    example: 1,
  },
};

const headersOf = (route: Route) =>
  route.access === 'public'
    ? headerLinks(['X-Request-Id'])
    : headerLinks(['X-Request-Id', 'X-RateLimit-Limit', 'X-RateLimit-Remaining', 'X-RateLimit-Reset']);

interface Components {
  schemas: SchemaComponents;
  errors: ErrorResponses;
}

const operation = (operationId: string, route: Route, { schemas, errors }: Components) => {
  const scheme = authorizerOf[route.access];
  const { body, examples } = route;
  return {
    operationId,
    tags: [route.tag],
    summary: route.summary,
    ...descriptionOf(route),
    security: scheme ? [{ [scheme]: route.scope === undefined ? [] : [route.scope] }] : [],
    parameters: parametersOf(route, schemas),
    ...(body
      ? {
          requestBody: {
            required: !route.bodyOptional,
            content: { 'application/json': { schema: schemas.input(body), example: examples.body } },
          },
        }
      : {}),
    responses: { ...successes(route, schemas), ...errors.of(route) },
  };
};

/** The required scope of a key (D93) is the last sentence. */
const descriptionOf = ({ description, scope }: Route): { description?: string } => {
  const sentences = [description, scope === undefined ? undefined : `Requires the scope \`${scope}\`.`];
  const text = sentences.filter((sentence) => sentence !== undefined).join(' ');
  return text === '' ? {} : { description: text };
};

const successes = (route: Route, book: SchemaComponents): Record<number, object> => {
  const response = {
    description: isDocument(route.reply) ? route.reply.meaning : route.summary,
    headers: {
      ...headersOf(route),
      ...(route.idempotent ? headerLinks(['Idempotent-Replayed']) : {}),
      ...headerLinks(route.headers ?? []),
    },
    content: contentOf(route, book),
  };
  const { repeated } = route;
  return {
    [route.status]: response,
    ...(repeated === undefined ? {} : { 200: { ...response, description: repeated } }),
  };
};

/** A document is text, unless the function has serialised it as JSON itself. */
const contentOf = ({ reply, examples: { reply: example } }: Route, book: SchemaComponents) => {
  if (!isDocument(reply)) return { 'application/json': { schema: book.output(reply), example } };
  const [contentType = ''] = reply.contentType.split(';');
  return contentType === 'application/json'
    ? { [contentType]: { schema: { type: 'object' }, example: JSON.parse(String(example)) as unknown } }
    : { [contentType]: { schema: { type: 'string' }, example } };
};

const parametersOf = (route: Route, book: SchemaComponents) => [
  ...fields(route.params, 'path', book),
  ...fields(route.query, 'query', book),
  ...(takesTeam(route) ? [{ $ref: '#/components/parameters/X-Team-ID' }] : []),
  ...(route.idempotent ? [{ $ref: '#/components/parameters/Idempotency-Key' }] : []),
];

const fields = (object: z.ZodObject | undefined, place: 'path' | 'query', book: SchemaComponents) =>
  Object.entries((object?.shape ?? {}) as Record<string, z.ZodType>).map(([name, field]) => {
    const { description, ...schema } = book.output(field);
    return {
      name,
      in: place,
      required: place === 'path' || !field.safeParse(undefined).success,
      ...(description === undefined ? {} : { description }),
      schema,
    };
  });
