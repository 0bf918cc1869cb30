import type * as z from 'zod';
import type { Answer, Media, Operation, Parameter } from './openapi-document.ts';
import { examplePath } from './example-records.ts';
import { authorizerOf } from './gateway-document.ts';
import { type ErrorComponents, headerLinks } from './openapi-errors.ts';
import { type ParameterComponents, sharedParameters } from './openapi-parameters.ts';
import type { SchemaComponents } from './openapi-schemas.ts';
import { type Access, isDocument, type Route, takesTeam } from './route.ts';

/** The components that operations refer to; they are collected while the operations are made. */
interface Components {
  schemas: SchemaComponents;
  errors: ErrorComponents;
  parameters: ParameterComponents;
}

/** The credentials that the gateway does not know. */
const schemeOf: Partial<Record<Access, string>> = { guest: 'GuestLink', publishable: 'PublishableKey' };

/** Returns a row as an operation of the OpenAPI document. */
export const operation = (operationId: string, route: Route, components: Components): Operation => {
  const { schemas, errors } = components;
  const scheme = schemeOf[route.access] ?? authorizerOf[route.access];
  const { body, examples } = route;
  return {
    operationId,
    tags: [route.tag],
    summary: route.summary,
    description: descriptionOf(route),
    security: scheme ? [{ [scheme]: [] }] : [],
    parameters: parametersOf(route, components.schemas).map((one) => components.parameters.link(one)),
    ...(body
      ? {
          requestBody: {
            required: !route.bodyOptional,
            content: { 'application/json': { schema: schemas.input(body), example: examples.body } },
          },
        }
      : {}),
    responses: { ...successes(route, schemas), ...errors.of(operationId, route) },
  };
};

/** The required scope of a key (D93) is the last sentence. */
const descriptionOf = ({ summary, description = `${summary}.`, scope }: Route): string =>
  scope === undefined ? description : `${description} Requires the scope \`${scope}\`.`;

const successes = (route: Route, book: SchemaComponents): Record<string, Answer> => {
  const headers = [...(route.idempotent ? ['Idempotent-Replayed' as const] : []), ...(route.headers ?? [])];
  const response = {
    description: isDocument(route.reply) ? route.reply.meaning : 'OK',
    ...(headers.length > 0 ? { headers: headerLinks(headers) } : {}),
    content: contentOf(route, book),
  };
  const { repeated } = route;
  return {
    [route.status]: response,
    ...(repeated === undefined
      ? {}
      : { 200: { ...response, description: repeated, content: contentOf(route, book) } }),
  };
};

/** A document is text, unless the function has serialised it as JSON itself. */
const contentOf = (route: Route, book: SchemaComponents): Record<string, Media> => {
  const { reply } = route;
  const example = answerExample(route);
  if (!isDocument(reply))
    return { 'application/json': { schema: book.output(reply), example }, ...alternativeOf(route) };
  const contentType = mediaType(reply);
  const type = contentType === 'application/json' ? 'object' : 'string';
  return { [contentType]: { schema: { type }, example } };
};

const mediaType = ({ contentType }: { contentType: string }): string => contentType.split(';')[0] ?? '';

const alternativeOf = ({ alternative }: Route): Record<string, Media> => {
  if (!alternative) return {};
  const { meaning: description, example } = alternative;
  return { [mediaType(alternative)]: { schema: { type: 'string', description }, example } };
};

/** Returns the example of a route's answer as its receiver reads it. */
export const answerExample = ({ reply, examples }: Route): unknown =>
  isDocument(reply) && reply.contentType.startsWith('application/json')
    ? JSON.parse(String(examples.reply))
    : examples.reply;

const parametersOf = (route: Route, book: SchemaComponents): Parameter[] => {
  const { params, query } = route.examples;
  return [
    ...fields(route.params, 'path', book, { ...examplePath, ...params }),
    ...fields(route.query, 'query', book, { ...query }),
    ...(takesTeam(route) ? [sharedParameters['X-Team-ID']] : []),
    ...(route.idempotent ? [sharedParameters['Idempotency-Key']] : []),
  ];
};

/**
 * Returns parameters, each with the example of the row alone: a page that is tried as it is shown sends every example, so one
 * of a schema would make calls fail.
 */
const fields = (
  object: z.ZodObject | undefined,
  place: 'path' | 'query',
  book: SchemaComponents,
  values: Record<string, unknown>,
): Parameter[] =>
  Object.entries((object?.shape ?? {}) as Record<string, z.ZodType>).map(([name, field]) => {
    const { description, example: _, examples: __, ...schema } = book.output(field);
    const example = values[name];
    return {
      name,
      in: place,
      ...(place === 'path' || !field.safeParse(undefined).success ? { required: true } : {}),
      ...(description === undefined ? {} : { description }),
      schema,
      ...(example === undefined ? {} : { example }),
    };
  });
