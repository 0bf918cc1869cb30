import { ServiceError } from '../errors.ts';
import { gatewayResponses, requestIdVariable } from './gateway-responses.ts';
import { errorBody } from './reply.ts';
import type { Access, Route, RouteGroup } from './route.ts';

/** What the gateway waits for a function, at most. */
export const gatewayTimeoutMs = 29_000;
/** How long the gateway remembers what the authorizer said. */
export const authorizerTtlSeconds = 60;

export interface GatewayOptions {
  groups: readonly RouteGroup[];
  /** The invocation address of a group's function. */
  integrationUri: (group: string) => string;
  /** The group that answers what no row has. */
  unknownPathGroup: string;
  /** The invocation address of the authorizer. */
  authorizerUri: string;
  title: string;
  version: string;
}

/** Who has to be asked before a function: the names are those of the security schemes. */
export const authorizerOf: Record<Access, 'ApiKey' | 'Bearer' | undefined> = {
  public: undefined,
  customer: 'Bearer',
  host: 'Bearer',
  partner: 'ApiKey',
};

/** The route table as the body of an API Gateway REST API: OpenAPI 3.0.1 with Amazon's extensions. */
export const gatewayDocument = (options: GatewayOptions): Record<string, unknown> => {
  const rows = options.groups.flatMap(({ group, routes }) =>
    Object.entries(routes).map(([id, route]) => ({ group, id, route })),
  );
  const paths: Record<string, Record<string, unknown>> = {};
  for (const { group, id, route } of rows) {
    const operations = (paths[route.path] ??= {});
    const uri = options.integrationUri(group);
    operations[route.method.toLowerCase()] = operation(id, route, uri);
    // The gateway answers no HEAD by itself (D104).
    if (route.method === 'GET') operations['head'] = operation(`${id}Head`, route, uri);
  }
  for (const [path, operations] of Object.entries(paths))
    operations[anyMethod] = wrongMethodOperation(path, Object.keys(operations));
  const unknownUri = options.integrationUri(options.unknownPathGroup);
  for (const path of [...prefixesOf(Object.keys(paths)), anyPath])
    paths[path] ??= { [anyMethod]: unknownPathOperation(path, unknownUri) };
  return {
    openapi: '3.0.1',
    info: { title: options.title, version: options.version },
    paths,
    components: {
      securitySchemes: {
        ApiKey: authorizer('X-API-Key', options.authorizerUri, ['context.identity.sourceIp']),
        Bearer: authorizer('Authorization', options.authorizerUri),
      },
    },
    'x-amazon-apigateway-minimum-compression-size': 1024,
    'x-amazon-apigateway-gateway-responses': gatewayResponses(),
  };
};

/** Every path that no row has, and no path above one. */
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

/** A path without a row is asked about without credentials: its answer says which one is probably meant. */
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

/** One function for both schemes; with an IP allow list the address is part of what is remembered (D16). */
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

/** The paths above the given ones: without a method of their own the gateway would ask them for an AWS signature. */
const prefixesOf = (paths: readonly string[]): string[] => {
  const prefixes = paths.flatMap((path) => {
    const steps = path.slice(1).split('/');
    return steps.map((_, depth) => `/${steps.slice(0, depth).join('/')}`);
  });
  return [...new Set(prefixes)];
};

const mediaTypes = [
  'application/json',
  'application/x-www-form-urlencoded',
  'multipart/form-data',
  'text/plain',
];

/** A mock that answers a wrong method, with those that are allowed. */
const wrongMethodOperation = (path: string, methods: readonly string[]) => {
  const error = new ServiceError('METHOD_NOT_ALLOWED');
  const statusCode = String(error.status);
  const headers: Record<string, string> = {
    'X-Request-Id': 'context.requestId',
    'Cache-Control': "'no-store'",
    Allow: `'${allowHeader(methods)}'`,
  };
  const declared = Object.keys(headers).map((name) => [name, { schema: { type: 'string' } }]);
  const request = JSON.stringify({ statusCode: error.status });
  return {
    parameters: pathParameters(path),
    responses: {
      [statusCode]: { description: error.message, headers: Object.fromEntries(declared) as object },
    },
    'x-amazon-apigateway-integration': {
      type: 'mock',
      passthroughBehavior: 'when_no_templates',
      requestTemplates: Object.fromEntries(mediaTypes.map((type) => [type, request])),
      responses: {
        default: {
          statusCode,
          responseParameters: Object.fromEntries(
            Object.entries(headers).map(([name, value]) => [`method.response.header.${name}`, value]),
          ),
          responseTemplates: { 'application/json': errorBody(error, requestIdVariable) },
        },
      },
    },
  };
};

/** The value of `Allow`. */
export const allowHeader = (methods: readonly string[]): string =>
  methods
    .map((method) => method.toUpperCase())
    .sort()
    .join(', ');
