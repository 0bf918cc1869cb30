import {
  type AllowedOrigins,
  allowOrigin,
  exposure,
  pagePermissions,
  permissions,
  varyByOrigin,
} from './cors.ts';
import { browserSafety } from './reply.ts';

const quoted = (headers: Readonly<Record<string, string>>): Record<string, string> =>
  Object.fromEntries(Object.entries(headers).map(([name, value]) => [name, `'${value}'`]));

/** Headers of every answer of the gateway itself, besides those of its kind (D5, D112); texts are in quotes. */
export const ownHeaders: Readonly<Record<string, string>> = {
  'X-Request-Id': 'context.requestId',
  ...quoted(browserSafety),
};

/** Returns the response parameters of a mock integration. */
export const mockHeaders = (headers: Readonly<Record<string, string>>): Record<string, string> =>
  Object.fromEntries(
    Object.entries(headers).map(([name, value]) => [`method.response.header.${name}`, value]),
  );

/** Every method, for paths without a row: a browser then shows the NOT_FOUND. */
export const everyMethod = 'DELETE, GET, HEAD, PATCH, POST, PUT';

const doubleQuoted = (headers: Readonly<Record<string, string>>): Record<string, string> =>
  Object.fromEntries(Object.entries(headers).map(([name, value]) => [name, `"${value}"`]));

/** Returns the lines of a template that set headers to expressions. */
const overriding = (headers: Readonly<Record<string, string>>): string[] =>
  Object.entries(headers).map(([name, value]) => `#set($context.responseOverride.header.${name} = ${value})`);

/**
 * Returns a template that adds the headers for an allowed origin. A gateway hands on header names as the client has written
 * them, and HTTP/2 has small letters alone.
 */
export const corsTemplate = (
  { listed }: AllowedOrigins,
  granted: Readonly<Record<string, string>> = exposure,
): string =>
  [
    '#set($sent = $input.params().header)',
    `#set($origin = "$!sent.get('Origin')$!sent.get('origin')")`,
    `#set($allowed = [${listed.map((origin) => `"${origin}"`).join(', ')}])`,
    '#if($allowed.contains($origin))',
    ...overriding({ [allowOrigin]: '$origin', ...doubleQuoted(granted) }),
    '#end',
    '',
  ].join('\n');

/** Returns a mock integration that answers preflights with 204, without authorizer or function. */
export const preflightOperation = (origins: AllowedOrigins, methods: string, parameters: object[]) =>
  preflight(parameters, {
    granted: Object.keys(permissions(methods)),
    headers: { ...ownHeaders, ...quoted(varyByOrigin) },
    template: corsTemplate(origins, permissions(methods)),
  });

/** The same for a route of pages: any origin may ask, and the answer itself goes to those of the key (D144). */
export const pagePreflightOperation = (methods: string, parameters: object[]) => {
  const granted = pagePermissions(methods);
  const template = overriding({ [allowOrigin]: '"*"', ...doubleQuoted(granted) }).join('\n');
  return preflight(parameters, { granted: Object.keys(granted), headers: ownHeaders, template });
};

interface Preflight {
  /** What the template adds beside the origin. */
  granted: readonly string[];
  headers: Readonly<Record<string, string>>;
  template: string;
}

const preflight = (parameters: object[], { granted, headers, template }: Preflight) => ({
  parameters,
  responses: {
    204: {
      description: 'What a browser may send.',
      headers: declared([allowOrigin, ...granted, ...Object.keys(headers)]),
    },
  },
  'x-amazon-apigateway-integration': {
    type: 'mock',
    passthroughBehavior: 'when_no_match',
    requestTemplates: { 'application/json': JSON.stringify({ statusCode: 204 }) },
    responses: {
      default: {
        statusCode: '204',
        responseParameters: mockHeaders(headers),
        responseTemplates: { 'application/json': template },
      },
    },
  },
});

/** Returns the declaration of response headers. */
export const declared = (names: readonly string[]): object =>
  Object.fromEntries(names.map((name) => [name, { schema: { type: 'string' } }]));

/** Returns the response parameters of a gateway response. */
export const refusalHeaders = (headers: Readonly<Record<string, string>>): Record<string, string> =>
  Object.fromEntries(
    Object.entries(headers).map(([name, value]) => [`gatewayresponse.header.${name}`, value]),
  );

/**
 * Returns the response parameters of the gateway's own errors. A gateway response compares nothing and does not know the row:
 * it names the one configured origin, or any if there are several. It has no data, and no browser sends credentials to it.
 */
export const refusalParameters = ({ listed }: AllowedOrigins): Record<string, string> => {
  const [first] = listed;
  if (first === undefined) return {};
  const headers = { [allowOrigin]: listed.length === 1 ? first : '*', ...exposure, ...varyByOrigin };
  return refusalHeaders(quoted(headers));
};
