import type * as z from 'zod';
import { type PlacedExample, shareExamples } from './openapi-answer-examples.ts';
import {
  type Answer,
  type Media,
  type OpenApiDocument,
  type Operation,
  ownAnswers,
} from './openapi-document.ts';
import { ErrorComponents } from './openapi-errors.ts';
import { operation } from './openapi-operation.ts';
import { ParameterComponents } from './openapi-parameters.ts';
import { headers, securitySchemes } from './openapi-parts.ts';
import { SchemaComponents } from './openapi-schemas.ts';
import { type OutgoingEvent, webhookOperations, webhookParameters } from './openapi-webhooks.ts';
import type { Route, RouteGroup } from './route.ts';

interface OpenApiOptions {
  groups: readonly RouteGroup[];
  title: string;
  version: string;
  description?: string;
  /** The address of the service; the address of the document if absent. */
  serverUrl?: string;
  /** What the operations of a tag are about, in the order of the document. */
  tags?: Readonly<Record<string, string>>;
  /** Objects whose fields several others have: these are documented as extending them. */
  parts?: readonly z.ZodType[];
  /** What the service sends to webhooks. */
  webhooks?: readonly OutgoingEvent[];
}

/** Returns the route table as an OpenAPI 3.1 document, from which partners generate clients (D70, D97). */
export const openApiDocument = (options: OpenApiOptions): OpenApiDocument => {
  const { title, version, description, serverUrl, webhooks = [] } = options;
  const outgoing: readonly z.ZodType[] = webhooks.map(({ schema }) => schema);
  const books = {
    schemas: new SchemaComponents(options.groups, outgoing, options.parts),
    errors: new ErrorComponents(),
    parameters: new ParameterComponents(),
  };
  const rows = documentedRows(options.groups);
  const paths: OpenApiDocument['paths'] = {};
  for (const [id, route] of rows)
    (paths[route.path] ??= {})[route.method.toLowerCase()] = operation(id, route, books);
  const events = webhookOperations(webhooks, webhookTag, books.schemas);
  const schemas = { ...books.errors.schemas(), ...books.schemas.components() };
  const examples = shareExamples([...answersOf(paths), ...bodiesOf(events)], schemas);
  const used = [...rows.map(([, { tag }]) => tag), ...(webhooks.length > 0 ? [webhookTag] : [])];
  return {
    openapi: '3.1.1',
    info: {
      title,
      version,
      ...(description === undefined ? {} : { description }),
      contact: { name: title, ...(serverUrl === undefined ? {} : { url: `${serverUrl}/docs` }) },
      license: { name: 'Apache-2.0', identifier: 'Apache-2.0' },
    },
    servers: [
      serverUrl === undefined
        ? { url: './', description: 'Where this document came from' }
        : { url: serverUrl, description: 'This service' },
    ],
    tags: tagsOf(used, options.tags ?? {}),
    paths,
    ...(webhooks.length > 0 ? { webhooks: events } : {}),
    components: {
      schemas,
      responses: books.errors.responses(),
      headers,
      parameters: { ...books.parameters.components(), ...(webhooks.length > 0 ? webhookParameters : {}) },
      examples: { ...books.errors.examples(), ...examples },
      securitySchemes,
    },
  };
};

const answersOf = (paths: OpenApiDocument['paths']): PlacedExample[] =>
  Object.values(paths)
    .flatMap((methods) => Object.values(methods))
    .flatMap((operation) =>
      ownAnswers(operation).flatMap(([, answer]) => placedIn(operation.operationId, answer.content, answer)),
    );

const bodiesOf = (events: Record<string, { post: Operation }>): PlacedExample[] =>
  Object.values(events).flatMap(({ post: { operationId, requestBody } }) =>
    placedIn(operationId, requestBody?.content),
  );

/** Only of JSON do readers derive examples from schemas. */
const placedIn = (
  operationId: string,
  { 'application/json': media }: Record<string, Media> = {},
  answer?: Answer,
): PlacedExample[] => (media ? [{ operationId, media, ...(answer ? { answer } : {}) }] : []);

/** The rows that clients call: a redirect is for browsers. */
export const documentedRows = (groups: readonly RouteGroup[]): [string, Route][] =>
  groups.flatMap(({ routes }) => Object.entries(routes)).filter(([, { status }]) => status !== 302);

const webhookTag = 'Webhooks and events';

/** Returns the tags in the order of their descriptions, then of their first use. */
const tagsOf = (
  used: readonly string[],
  described: Readonly<Record<string, string>>,
): OpenApiDocument['tags'] => {
  const names = new Set(used);
  const known = Object.keys(described).filter((name) => names.has(name));
  return [...new Set([...known, ...used])].map((name) => ({
    name,
    ...(name in described ? { description: described[name] } : {}),
  }));
};
