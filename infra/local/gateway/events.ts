import type { APIGatewayProxyEvent, APIGatewayRequestAuthorizerEvent } from 'aws-lambda';
import { systemClock } from '../../../shared/platform/time/clock.ts';
import { requestIdentity } from './request-identity.ts';
import type { Target } from './route-tree.ts';

/** An HTTP request as received. */
export interface GatewayRequest {
  method: string;
  /** Encoded, with the query. */
  url: string;
  /** Names as sent; one entry for each header line. */
  headers: readonly (readonly [string, string])[];
  body: Buffer;
  sourceIp: string;
}

const stage = 'local';
const accountId = '000000000000';
const apiId = 'nightlatch';
const arnOf = (method: string, path: string) =>
  `arn:aws:execute-api:us-east-1:${accountId}:${apiId}/${stage}/${method}${path}`;

/** A request with its route. */
export interface RoutedRequest {
  request: GatewayRequest;
  requestId: string;
  path: string;
  target: Target;
  pathParameters: Record<string, string>;
}

type CommonFields = Pick<
  APIGatewayProxyEvent,
  | 'resource'
  | 'path'
  | 'httpMethod'
  | 'headers'
  | 'multiValueHeaders'
  | 'queryStringParameters'
  | 'multiValueQueryStringParameters'
  | 'pathParameters'
  | 'stageVariables'
>;

const commonFields = ({ request, path, target, pathParameters }: RoutedRequest): CommonFields => {
  const query = [...new URLSearchParams(request.url.split('?')[1] ?? '')];
  return {
    resource: target.route.path,
    path,
    httpMethod: request.method,
    headers: singleValues(request.headers),
    multiValueHeaders: multiValues(request.headers),
    queryStringParameters: query.length > 0 ? singleValues(query) : null,
    multiValueQueryStringParameters: query.length > 0 ? multiValues(query) : null,
    pathParameters: Object.keys(pathParameters).length > 0 ? pathParameters : null,
    stageVariables: null,
  };
};

const requestContext = (arrival: RoutedRequest) => {
  const { request, requestId, path, target } = arrival;
  const now = systemClock.now();
  return {
    accountId,
    apiId,
    protocol: 'HTTP/1.1',
    httpMethod: request.method,
    path: `/${stage}${path}`,
    stage,
    requestId,
    requestTime: new Date(now).toUTCString(),
    requestTimeEpoch: now,
    resourceId: target.operationId,
    resourcePath: target.route.path,
    identity: requestIdentity(request.sourceIp, headerOf(request, 'User-Agent') ?? null),
  };
};

/** Returns the event of a REQUEST authorizer. */
export const authorizerEvent = (arrival: RoutedRequest): APIGatewayRequestAuthorizerEvent => ({
  type: 'REQUEST',
  methodArn: methodArn(arrival),
  ...commonFields(arrival),
  requestContext: { ...requestContext(arrival), authorizer: undefined },
});

/** Returns the event of a group's function; `authorizer` is the authorizer's context. */
export const proxyEvent = (
  arrival: RoutedRequest,
  authorizer: Record<string, unknown> | undefined,
): APIGatewayProxyEvent => ({
  ...commonFields(arrival),
  requestContext: { ...requestContext(arrival), authorizer },
  body: arrival.request.body.length > 0 ? arrival.request.body.toString('utf8') : null,
  isBase64Encoded: false,
});

/** Returns the ARN that the authorizer's policy must allow. */
export const methodArn = ({ request, path }: RoutedRequest): string => arnOf(request.method, path);

/** Returns the last value of a header, case-insensitively. */
export const headerOf = (request: GatewayRequest, name: string): string | undefined =>
  request.headers.findLast(([key]) => key.toLowerCase() === name.toLowerCase())?.[1];

const singleValues = (pairs: Iterable<readonly [string, string]>): Record<string, string> =>
  Object.fromEntries(pairs);

const multiValues = (pairs: Iterable<readonly [string, string]>): Record<string, string[]> => {
  // A Map, because names such as `constructor` exist on every object.
  const all = new Map<string, string[]>();
  for (const [name, value] of pairs) all.set(name, [...(all.get(name) ?? []), value]);
  return Object.fromEntries(all);
};
