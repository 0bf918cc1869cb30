import { routeGroups } from '../../../functions/routes.ts';
import {
  type OpenApiDocument,
  type Operation,
  type Parameter,
  resolved,
} from '../../../shared/platform/http/openapi-document.ts';
import type { Access } from '../../../shared/platform/http/route.ts';
import type { Ready } from '../ready.ts';

/**
 * Returns the API as a Postman collection (format 2.1), which Bruno and Insomnia import too: a folder for each tag, requests
 * as the documentation shows them, the demo's credentials filled in.
 */
export const collectionOf = (document: OpenApiDocument, { api_url, auth_url, client, demo }: Ready) => {
  const operations = Object.entries(document.paths).flatMap(([path, methods]) =>
    Object.entries(methods).map(([method, operation]) => ({ path, method, operation })),
  );
  const tags = [...new Set(operations.map(({ operation }) => operation.tags[0]))];
  const logIn = (person: 'guest' | 'host') => ({
    name: `Log in as the demo ${person}`,
    event: [{ listen: 'test', script: { type: 'text/javascript', exec: [keepToken(person)] } }],
    request: {
      method: 'POST',
      url: `${auth_url}/oauth/token`,
      body: {
        mode: 'urlencoded',
        urlencoded: Object.entries({
          grant_type: 'password',
          username: demo[person].email,
          password: demo[person].password,
          ...client,
          scope: 'openid profile email',
        }).map(([key, value]) => ({ key, value })),
      },
    },
  });
  return {
    info: {
      name: 'Nightlatch',
      schema: 'https://schema.getpostman.com/json/collection/v2.1.0/collection.json',
      description: 'Log in first: both requests keep their token for the others.',
    },
    variable: [
      { key: 'base_url', value: api_url },
      { key: 'api_key', value: demo.api_key },
      { key: 'publishable_key', value: demo.publishable_key ?? '' },
      { key: 'guest_token', value: '' },
      { key: 'host_token', value: '' },
    ],
    item: [
      { name: 'Log in', item: [logIn('guest'), logIn('host')] },
      ...tags.map((tag) => ({
        name: tag,
        item: operations
          .filter(({ operation }) => operation.tags[0] === tag)
          .map((one) => requestOf(document, one, demo)),
      })),
    ],
  };
};

const keepToken = (person: string): string =>
  `pm.collectionVariables.set('${person}_token', pm.response.json().access_token);`;

const accessOf = new Map<string, Access>(
  routeGroups.flatMap(({ routes }) =>
    Object.entries(routes).map(([id, { access }]): [string, Access] => [id, access]),
  ),
);

const credentials: Record<Access, readonly { key: string; value: string }[]> = {
  public: [],
  guest: [],
  publishable: [{ key: 'X-API-Key', value: '{{publishable_key}}' }],
  partner: [{ key: 'X-API-Key', value: '{{api_key}}' }],
  customer: [{ key: 'Authorization', value: 'Bearer {{guest_token}}' }],
  host: [{ key: 'Authorization', value: 'Bearer {{host_token}}' }],
};

/** The token of the link of a guest that an operation is tried with. */
export const linkTokenFor = (
  { guest_url = '', guest_urls = {} }: Ready['demo'],
  operationId: string,
): string => (guest_urls[operationId] ?? guest_url).split('#')[1] ?? '';

const credentialsOf = (
  operationId: string,
  demo: Ready['demo'],
): readonly { key: string; value: string }[] => {
  const access = accessOf.get(operationId) ?? 'public';
  return access === 'guest'
    ? [{ key: 'Authorization', value: `Guest ${linkTokenFor(demo, operationId)}` }]
    : credentials[access];
};

const requestOf = (
  document: OpenApiDocument,
  { path, method, operation }: { path: string; method: string; operation: Operation },
  demo: Ready['demo'],
) => {
  const { operationId, summary, parameters, requestBody } = operation;
  const fields = parameters
    .map((given) => resolved(document.components.parameters, given))
    .map((one) => fieldOf(document, one));
  const at = (place: Parameter['in']) =>
    fields
      .filter(({ place: where }) => where === place)
      .map(({ key, value }) => (value === undefined ? { key, value: '', disabled: true } : { key, value }));
  const sent = at('query').filter((field) => !('disabled' in field));
  const search = sent.map(({ key, value }) => `${key}=${encodeURIComponent(value)}`).join('&');
  const placed = path.replaceAll(/\{(\w+)\}/g, ':$1');
  const example = requestBody?.content['application/json']?.example;
  return {
    name: summary,
    request: {
      method: method.toUpperCase(),
      description: operationId,
      header: [
        ...credentialsOf(operationId, demo),
        ...at('header'),
        ...(example === undefined ? [] : [{ key: 'Content-Type', value: 'application/json' }]),
      ],
      url: {
        raw: `{{base_url}}${placed}${search === '' ? '' : `?${search}`}`,
        host: ['{{base_url}}'],
        path: placed.slice(1).split('/'),
        query: at('query'),
        variable: at('path'),
      },
      ...(example === undefined
        ? {}
        : {
            body: {
              mode: 'raw',
              raw: JSON.stringify(example, null, 2),
              options: { raw: { language: 'json' } },
            },
          }),
    },
  };
};

/** A field without an example or default is there, switched off. */
const fieldOf = (document: OpenApiDocument, { name, in: place, example, schema }: Parameter) => {
  const value = example ?? resolved(document.components.schemas, schema).default;
  return {
    key: name,
    place,
    value: value === undefined ? undefined : typeof value === 'string' ? value : JSON.stringify(value),
  };
};
