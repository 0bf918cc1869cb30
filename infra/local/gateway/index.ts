import type { APIGatewayProxyEvent, APIGatewayProxyResult, Context } from 'aws-lambda';
import { randomUUID } from 'node:crypto';
import { systemRoutes } from '../../../functions/system/routes.ts';
import { ServiceError } from '../../../shared/platform/errors.ts';
import {
  allowHeader,
  anyPath,
  authorizerTtlSeconds,
  gatewayTimeoutMs,
} from '../../../shared/platform/http/gateway-document.ts';
import { type GatewayRefusal, refusalError } from '../../../shared/platform/http/gateway-responses.ts';
import { errorBody, errorHeaders } from '../../../shared/platform/http/reply.ts';
import { answeredBy, type Method, type RouteGroup } from '../../../shared/platform/http/route.ts';
import { type AuthorizerFunction, gatekeeper } from './authorize.ts';
import { type Arrival, type GatewayRequest, proxyEvent } from './events.ts';
import { routeTree, type Target } from './route-tree.ts';

export { type AuthorizerFunction } from './authorize.ts';
export interface GatewayResponse {
  status: number;
  headers: Record<string, string>;
  body: string;
}

/** The function of a group, as Lambda would run it. */
export type GroupFunction = (event: APIGatewayProxyEvent, context: Context) => Promise<unknown>;

interface GatewayParts {
  groups: readonly RouteGroup[];
  functionOf: (group: string) => GroupFunction | undefined;
  authorizer: AuthorizerFunction;
  authorizerTtlMs?: number;
  timeoutMs?: number;
  /** Told what no caller may see: a crash, a time-out, an authorizer that failed. */
  onFault?: (what: string, cause: unknown) => void;
}

export interface Gateway {
  dispatch(request: GatewayRequest): Promise<GatewayResponse>;
}

/** The largest body a REST API takes. */
export const maxRequestBytes = 10 * 1024 * 1024;
/** The largest answer of a function. */
const maxAnswerBytes = 6 * 1024 * 1024;

/** What is asked about paths that no row has. */
const unknownPath: Target = {
  group: systemRoutes.group,
  operationId: 'unknownPath',
  route: { path: anyPath, access: 'public' },
};

/** A REST API of API Gateway, without the network: routes, authorizer, functions and refusals behave as they do there. */
export const createGateway = (parts: GatewayParts): Gateway => {
  const find = routeTree(parts.groups);
  const admit = gatekeeper(parts.authorizer, parts.authorizerTtlMs ?? authorizerTtlSeconds * 1000);
  const onFault = parts.onFault ?? (() => undefined);
  const answer = async (request: GatewayRequest, requestId: string): Promise<GatewayResponse> => {
    const path = request.url.split('?')[0] ?? '/';
    const match = find(path);
    const target = match ? match.methods.get(answeredBy(request.method) as Method) : unknownPath;
    if (!target) return wrongMethod(match?.methods ?? new Map(), requestId);
    if (request.body.length > maxRequestBytes) return refused('REQUEST_TOO_LARGE', requestId);
    const pathParameters = match?.pathParameters ?? { proxy: path.slice(1) };
    const arrival: Arrival = { request, requestId, path, target, pathParameters };
    const admission = await admit(arrival);
    if (admission.refusal !== undefined) {
      if (admission.refusal.startsWith('AUTHORIZER_')) onFault('authorizer', admission.cause);
      return refused(admission.refusal, requestId, admission.message);
    }
    const call = parts.functionOf(target.group);
    if (!call) return refused(match ? 'INTEGRATION_FAILURE' : 'RESOURCE_NOT_FOUND', requestId);
    const outcome = await run(
      call,
      proxyEvent(arrival, admission.context),
      parts.timeoutMs ?? gatewayTimeoutMs,
    );
    if ('result' in outcome) return outcome.result;
    onFault(target.operationId, outcome.cause);
    return refused(outcome.refusal, requestId);
  };
  return {
    dispatch: async (request) => {
      const answered = await answer(request, randomUUID());
      return request.method === 'HEAD' ? { ...answered, body: '' } : answered;
    },
  };
};

/** A refusal of the gateway itself, in the documented shape (D5). */
export const refused = (type: GatewayRefusal, requestId: string, denial = ''): GatewayResponse =>
  shown(refusalError(type, denial), requestId);

const wrongMethod = (methods: ReadonlyMap<Method, unknown>, requestId: string): GatewayResponse =>
  shown(new ServiceError('METHOD_NOT_ALLOWED'), requestId, {
    Allow: allowHeader([...methods.keys(), ...(methods.has('GET') ? ['HEAD'] : [])]),
  });

const shown = (
  error: ServiceError,
  requestId: string,
  headers: Record<string, string> = {},
): GatewayResponse => ({
  status: error.status,
  headers: { ...errorHeaders(error), 'X-Request-Id': requestId, ...headers },
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
      return readable(await call(event, lambdaContext(event, timeoutMs)));
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

/** A function's answer as the gateway reads it; what it cannot read is an error on our side. */
const readable = (answer: unknown): Outcome => {
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
