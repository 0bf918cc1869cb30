import { ServiceError } from '../errors.ts';
import {
  type AllowedOrigins,
  allowOrigin,
  allowsOrigins,
  exposure,
  opensToBrowsers,
  opensToPages,
  varyByOrigin,
} from './cors.ts';
import {
  mockHeaders,
  ownHeaders,
  corsTemplate,
  declared,
  everyMethod,
  pagePreflightOperation,
  preflightOperation,
} from './gateway-cors.ts';
import { gatewayResponses, requestIdVariable } from './gateway-responses.ts';
import { edgeHeaders } from './edge-headers.ts';
import { errorBody } from './reply.ts';
import type { Access, Route, RouteGroup } from './route.ts';

/** The gateway's integration timeout. */
export const gatewayTimeoutMs = 29_000;
/** How long the gateway caches the authorizer's result. */
export const authorizerTtlSeconds = 60;

interface GatewayOptions {
  groups: readonly RouteGroup[];
  /** Returns the integration URI of a group's function. */
  integrationUri: (group: string) => string;
  /** The group whose function answers unknown paths. */
  unknownPathGroup: string;
  /** The integration URI of the authorizer. */
  authorizerUri: string;
  /** The browser origins that may call customer and public routes; default none. */
  origins?: AllowedOrigins;
  /** Whether CloudFront is before the gateway and says who its viewer is. */
  behindEdge?: boolean;
  title: string;
  version: string;
}

/** The security scheme by which the gateway knows the callers of each kind of route; the function itself reads links of guests and keys of pages. */
export const authorizerOf: Record<Access, 'ApiKey' | 'Bearer' | undefined> = {
  public: undefined,
  guest: undefined,
  publishable: undefined,
  customer: 'Bearer',
  host: 'Bearer',
  partner: 'ApiKey',
};

/** Returns the route table as the body of an API Gateway REST API: OpenAPI 3.0.1 with Amazon's extensions. */
export const gatewayDocument = (options: GatewayOptions): Record<string, unknown> => {
  const rows = options.groups.flatMap(({ group, routes }) =>
    Object.entries(routes).map(([id, route]) => ({ group, id, route })),
  );
  const origins = options.origins ?? { listed: [], loopback: false };
  const paths: Record<string, Record<string, unknown>> = {};
  const pagePaths = new Set(rows.filter(({ route }) => opensToPages(route)).map(({ route }) => route.path));
  const keyPaths = new Set(
    rows.filter(({ route }) => !opensToBrowsers(route)).map(({ route }) => route.path),
  );
  for (const { group, id, route } of rows) {
    const operations = (paths[route.path] ??= {});
    const uri = options.integrationUri(group);
    operations[route.method.toLowerCase()] = operation(id, route, uri);
    // API Gateway does not answer HEAD for a GET method (D104).
    if (route.method === 'GET') operations['head'] = operation(`${id}Head`, route, uri);
  }
  for (const [path, operations] of Object.entries(paths)) {
    const opened = allowsOrigins(origins) && !keyPaths.has(path as Route['path']) ? origins : undefined;
    const methods = allowHeader(Object.keys(operations));
    if (pagePaths.has(path as Route['path']))
      operations['options'] = pagePreflightOperation(methods, pathParameters(path));
    else if (opened) operations['options'] = preflightOperation(opened, methods, pathParameters(path));
    operations[anyMethod] = wrongMethodOperation(path, Object.keys(operations), opened);
  }
  const unknownUri = options.integrationUri(options.unknownPathGroup);
  for (const path of [...parentsOf(Object.keys(paths)), anyPath])
    paths[path] = {
      ...(allowsOrigins(origins)
        ? { options: preflightOperation(origins, everyMethod, pathParameters(path)) }
        : {}),
      [anyMethod]: unknownPathOperation(path, unknownUri),
    };
  return {
    openapi: '3.0.1',
    info: { title: options.title, version: options.version },
    paths,
    components: {
      securitySchemes: {
        ApiKey: authorizer('X-API-Key', options.authorizerUri, [
          'context.identity.sourceIp',
          ...(options.behindEdge
            ? Object.values(edgeHeaders).map((name) => `method.request.header.${name}`)
            : []),
        ]),
        Bearer: authorizer('Authorization', options.authorizerUri),
      },
    },
    'x-amazon-apigateway-minimum-compression-size': 1024,
    'x-amazon-apigateway-gateway-responses': gatewayResponses(origins),
  };
};

/** The greedy path: every path without a row. */
export const anyPath = '/{proxy+}';
const anyMethod = 'x-amazon-apigateway-any-method';

const operation = (operationId: string, route: Route, uri: string) => {
  const scheme = authorizerOf[route.access];
  return {
    operationId,
    parameters: pathParameters(route.path),
    responses: { [route.status]: { description: route.summary } },
    ...(scheme ? { security: [{ [scheme]: [] }] } : {}),
    'x-amazon-apigateway-integration': invocation(uri),
  };
};

const invocation = (uri: string) => ({
  type: 'aws_proxy',
  httpMethod: 'POST',
  uri,
  passthroughBehavior: 'when_no_match',
  timeoutInMillis: gatewayTimeoutMs,
});

/** A path without a row needs no credentials: its function suggests the nearest path. */
const unknownPathOperation = (path: string, uri: string) => ({
  parameters: pathParameters(path),
  responses: { 404: { description: new ServiceError('NOT_FOUND').message } },
  'x-amazon-apigateway-integration': invocation(uri),
});

const pathParameters = (path: string) =>
  [...path.matchAll(/\{([^}+]+)\+?\}/g)].map(([, name]) => ({
    name,
    in: 'path',
    required: true,
    schema: { type: 'string' },
  }));

/**
 * One function for both schemes. For API keys the address of the caller is part of the cache key, because a key may have a list of
 * allowed addresses (D16); behind CloudFront that is what it says of the viewer, and the secret that makes it true.
 */
const authorizer = (header: string, authorizerUri: string, alsoOf: string[] = []) => ({
  type: 'apiKey',
  name: header,
  in: 'header',
  'x-amazon-apigateway-authtype': 'custom',
  'x-amazon-apigateway-authorizer': {
    type: 'request',
    authorizerUri,
    identitySource: [`method.request.header.${header}`, ...alsoOf].join(', '),
    authorizerResultTtlInSeconds: authorizerTtlSeconds,
  },
});

/**
 * Returns the paths above the given ones that are none of them: without a method API Gateway would require an AWS signature for
 * them, and they precede paths with a parameter at their place.
 */
export const parentsOf = (paths: readonly string[]): Set<string> => {
  const parents = paths.flatMap((path) => {
    const steps = path.slice(1).split('/');
    return steps.map((_, depth) => `/${steps.slice(0, depth).join('/')}`);
  });
  return new Set(parents.filter((parent) => !paths.includes(parent)));
};

const mediaTypes = [
  'application/json',
  'application/x-www-form-urlencoded',
  'multipart/form-data',
  'text/plain',
];

/** Returns a mock integration that answers 405 with `Allow`. */
const wrongMethodOperation = (
  path: string,
  methods: readonly string[],
  origins: AllowedOrigins | undefined,
) => {
  const error = new ServiceError('METHOD_NOT_ALLOWED');
  const statusCode = String(error.status);
  const headers: Record<string, string> = {
    ...ownHeaders,
    'Cache-Control': "'no-store'",
    Allow: `'${allowHeader(methods)}'`,
    ...(origins ? { Vary: `'${varyByOrigin.Vary}'` } : {}),
  };
  const granted = origins ? [allowOrigin, ...Object.keys(exposure)] : [];
  const body = errorBody(error, requestIdVariable);
  const request = JSON.stringify({ statusCode: error.status });
  return {
    parameters: pathParameters(path),
    responses: {
      [statusCode]: {
        description: error.message,
        headers: declared([...Object.keys(headers), ...granted]),
      },
    },
    'x-amazon-apigateway-integration': {
      type: 'mock',
      passthroughBehavior: 'when_no_templates',
      requestTemplates: Object.fromEntries(mediaTypes.map((type) => [type, request])),
      responses: {
        default: {
          statusCode,
          responseParameters: mockHeaders(headers),
          responseTemplates: { 'application/json': origins ? corsTemplate(origins) + body : body },
        },
      },
    },
  };
};

/** Returns the value of `Allow`. */
export const allowHeader = (methods: readonly string[]): string =>
  methods
    .map((method) => method.toUpperCase())
    .sort()
    .join(', ');
