import type { APIGatewayProxyEvent, APIGatewayProxyResult, Context } from 'aws-lambda';
import { randomUUID } from 'node:crypto';
import { systemRoutes } from '../../../functions/system/routes.ts';
import { ServiceError } from '../../../shared/platform/errors.ts';
import {
  type AllowedOrigins,
  allowOrigin,
  allowsOrigins,
  corsHeaders,
  opensToBrowsers,
  opensToPages,
  pagePermissions,
  permissions,
} from '../../../shared/platform/http/cors.ts';
import { everyMethod } from '../../../shared/platform/http/gateway-cors.ts';
import {
  allowHeader,
  anyPath,
  authorizerTtlSeconds,
  gatewayTimeoutMs,
  parentsOf,
} from '../../../shared/platform/http/gateway-document.ts';
import {
  denialVariable,
  type GatewayRefusal,
  refusalError,
} from '../../../shared/platform/http/gateway-responses.ts';
import { browserSafety, errorBody, errorHeaders } from '../../../shared/platform/http/reply.ts';
import { answeredBy, type RouteGroup } from '../../../shared/platform/http/route.ts';
import { type AuthorizerFunction, cachedAuthorizer } from './authorize.ts';
import { type RoutedRequest, type GatewayRequest, headerOf, proxyEvent, type Target } from './events.ts';
import { pathFinder } from './path-finder.ts';

export { type AuthorizerFunction } from './authorize.ts';
export interface GatewayResponse {
  status: number;
  headers: Record<string, string>;
  body: string;
}

/** The function of a group. */
export type GroupFunction = (event: APIGatewayProxyEvent, context: Context) => Promise<unknown>;

interface GatewayParts {
  groups: readonly RouteGroup[];
  functionOf: (group: string) => GroupFunction | undefined;
  authorizer: AuthorizerFunction;
  authorizerTtlMs?: number;
  timeoutMs?: number;
  /** The browser origins that may call customer and public routes; default none. */
  origins?: AllowedOrigins;
  /** Called with faults that callers must not see: crashes, timeouts, authorizer failures. */
  onFault?: (what: string, cause: unknown) => void;
  /** Called with the line of the access log of each request. */
  onAccess?: (line: AccessLine) => void;
}

/** What the access log says of a request; `refusal` is `-` unless the gateway answered by itself. */
interface AccessLine {
  method: string;
  route: string;
  status: string;
  refusal: string;
}

export interface Gateway {
  dispatch(request: GatewayRequest): Promise<GatewayResponse>;
}

/** The largest request body of a REST API. */
export const maxRequestBytes = 10 * 1024 * 1024;
/** The largest response of a function. */
const maxAnswerBytes = 6 * 1024 * 1024;

/** The target of paths without a row. */
const unknownPath: Target = {
  group: systemRoutes.group,
  operationId: 'unknownPath',
  route: { path: anyPath, access: 'public' },
};

/**
 * Returns an emulation of an API Gateway REST API without the network: routes, authorizer, functions and gateway responses
 * behave as on AWS.
 */
export const createGateway = (parts: GatewayParts): Gateway => {
  const find = rowFinder(parts.groups);
  const admit = cachedAuthorizer(parts.authorizer, parts.authorizerTtlMs ?? authorizerTtlSeconds * 1000);
  const { onFault = () => undefined, timeoutMs = gatewayTimeoutMs } = parts;
  const origins = parts.origins ?? { listed: [], loopback: false };
  const answer = async (
    request: GatewayRequest,
    requestId: string,
    access: Pick<AccessLine, 'route' | 'refusal'>,
  ): Promise<GatewayResponse> => {
    const path = request.url.split('?')[0] ?? '/';
    const match = find(path);
    // A path has rows for keys alone, or none.
    const [row = unknownPath] = match ? match.methods.values() : [];
    const cors = (granted?: Record<string, string>): Record<string, string> =>
      opensToBrowsers(row.route) ? corsHeaders(origins, headerOf(request, 'Origin'), granted) : {};
    access.route = row.route.path;
    const refuse = (type: GatewayRefusal, denial?: string): GatewayResponse => {
      access.refusal = type;
      return withDenial(gatewayResponseOf(refusalError(type), requestId, cors()), denial);
    };
    const isOfPages = opensToPages(row.route);
    const isOpen = isOfPages || (allowsOrigins(origins) && opensToBrowsers(row.route));
    const methods = match && methodsOf(match.methods);
    if (request.method === 'OPTIONS' && isOpen) {
      const named = methods ? allowHeader(methods) : everyMethod;
      const granted = isOfPages
        ? { [allowOrigin]: '*', ...pagePermissions(named) }
        : cors(permissions(named));
      return { status: 204, headers: { ...ownHeaders(requestId), ...granted }, body: '' };
    }
    const target = match ? match.methods.get(answeredBy(request.method)) : unknownPath;
    if (!target) {
      const Allow = allowHeader([...(methods ?? []), ...(isOpen ? ['OPTIONS'] : [])]);
      return gatewayResponseOf(new ServiceError('METHOD_NOT_ALLOWED'), requestId, { Allow, ...cors() });
    }
    if (request.body.length > maxRequestBytes) return refuse('REQUEST_TOO_LARGE');
    const pathParameters = match?.pathParameters ?? { proxy: path.slice(1) };
    const arrival: RoutedRequest = { request, requestId, path, target, pathParameters };
    const admission = await admit(arrival);
    if (admission.refusal !== undefined) {
      if (admission.refusal.startsWith('AUTHORIZER_')) onFault('authorizer', admission.cause);
      return refuse(admission.refusal, admission.message);
    }
    const call = parts.functionOf(target.group);
    if (!call) return refuse(match ? 'INTEGRATION_FAILURE' : 'RESOURCE_NOT_FOUND');
    const outcome = await run(call, proxyEvent(arrival, admission.context), timeoutMs);
    if ('result' in outcome) return outcome.result;
    onFault(target.operationId, outcome.cause);
    return refuse(outcome.refusal);
  };
  return {
    dispatch: async (request) => {
      const access = { route: '-', refusal: '-' };
      const answered = await answer(request, randomUUID(), access);
      parts.onAccess?.({ method: request.method, status: String(answered.status), ...access });
      return request.method === 'HEAD' ? { ...answered, body: '' } : answered;
    },
  };
};

const rowsOf = (groups: readonly RouteGroup[]) =>
  groups.flatMap(({ group, routes }) =>
    Object.entries(routes).map(([operationId, route]) => {
      const served: Target = { group, operationId, route };
      return { ...route, served };
    }),
  );

/** The gateway puts the authorizer's reason into the body as it is. */
const withDenial = (refused: GatewayResponse, denial = ''): GatewayResponse => ({
  ...refused,
  body: refused.body.replace(denialVariable, () => denial),
});

/** Returns a function that finds the rows of a path; one above others has a method of the gateway's own, and no row. */
const rowFinder = (groups: readonly RouteGroup[]) => {
  const rows = rowsOf(groups);
  const find = pathFinder(rows);
  const parents = parentsOf(rows.map(({ path }) => path));
  return (path: string) => (parents.has(path) ? undefined : find(path));
};

const methodsOf = (rows: ReadonlyMap<string, unknown>): string[] => [
  ...rows.keys(),
  ...(rows.has('GET') ? ['HEAD'] : []),
];

const ownHeaders = (requestId: string) => ({ 'X-Request-Id': requestId, ...browserSafety });

/** Returns a gateway response in the documented error body (D5). */
export const gatewayResponseOf = (
  error: ServiceError,
  requestId: string,
  headers: Record<string, string>,
): GatewayResponse => ({
  status: error.status,
  headers: { ...errorHeaders(error), ...ownHeaders(requestId), ...headers },
  body: errorBody(error, requestId),
});

type Outcome = { result: GatewayResponse } | { refusal: GatewayRefusal; cause: unknown };

const run = async (call: GroupFunction, event: APIGatewayProxyEvent, timeoutMs: number): Promise<Outcome> => {
  let timer: NodeJS.Timeout | undefined;
  const timeout = new Promise<Outcome>((resolve) => {
    timer = setTimeout(() => resolve({ refusal: 'INTEGRATION_TIMEOUT', cause: 'timed out' }), timeoutMs);
  });
  const result = (async (): Promise<Outcome> => {
    try {
      return parseAnswer(await call(event, lambdaContext(event, timeoutMs)));
    } catch (error) {
      return { refusal: 'DEFAULT_5XX', cause: error };
    }
  })();
  try {
    return await Promise.race([result, timeout]);
  } finally {
    clearTimeout(timer);
  }
};

/** Parses a function's response; a malformed one is a 5xx. */
const parseAnswer = (answer: unknown): Outcome => {
  const { statusCode, headers, body, isBase64Encoded } = (answer ?? {}) as Partial<APIGatewayProxyResult>;
  if (typeof statusCode !== 'number' || (body !== undefined && typeof body !== 'string'))
    return { refusal: 'DEFAULT_5XX', cause: 'the function answered what no gateway can read' };
  if (isBase64Encoded)
    return { refusal: 'DEFAULT_5XX', cause: 'a binary answer: the REST API names no binary media types' };
  if (Buffer.byteLength(body ?? '') > maxAnswerBytes)
    return { refusal: 'DEFAULT_5XX', cause: 'the answer is larger than 6 MB' };
  const texts = Object.entries(headers ?? {}).map(([name, value]) => [name, String(value)]);
  return {
    result: {
      status: statusCode,
      headers: Object.fromEntries(texts) as Record<string, string>,
      body: body ?? '',
    },
  };
};

const lambdaContext = (event: APIGatewayProxyEvent, timeoutMs: number): Context => {
  const ends = performance.now() + timeoutMs;
  return {
    awsRequestId: event.requestContext.requestId,
    functionName: event.resource,
    functionVersion: '$LATEST',
    invokedFunctionArn: `arn:aws:lambda:us-east-1:000000000000:function:${event.resource}`,
    memoryLimitInMB: '512',
    logGroupName: 'local',
    logStreamName: 'local',
    callbackWaitsForEmptyEventLoop: false,
    getRemainingTimeInMillis: () => Math.max(0, ends - performance.now()),
  } as Context;
};
