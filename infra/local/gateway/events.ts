import type { APIGatewayProxyEvent, APIGatewayRequestAuthorizerEvent } from 'aws-lambda';
import { systemClock } from '../../../shared/platform/time/clock.ts';
import { requestIdentity } from './request-identity.ts';
import type { Route } from '../../../shared/platform/http/route.ts';

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

/** The API that an event is of. */
interface ApiPlace {
  region: string;
  accountId: string;
  apiId: string;
  stage: string;
}

const laptop: ApiPlace = {
  region: 'us-east-1',
  accountId: '000000000000',
  apiId: 'nightlatch',
  stage: 'local',
};

/** A row with the group of its function. */
export interface Target {
  group: string;
  operationId: string;
  route: Pick<Route, 'path' | 'access'>;
}

/** A request with its route. */
export interface RoutedRequest {
  request: GatewayRequest;
  requestId: string;
  path: string;
  target: Target;
  pathParameters: Record<string, string>;
  /** Default: that of a laptop. */
  place?: ApiPlace;
  /** Epoch milliseconds; default: now. */
  at?: number;
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
  const { request, requestId, path, target, place = laptop, at = systemClock.now() } = arrival;
  const { accountId, apiId, stage } = place;
  return {
    accountId,
    apiId,
    protocol: 'HTTP/1.1',
    httpMethod: request.method,
    path: `/${stage}${path}`,
    stage,
    requestId,
    requestTime: new Date(at)
      .toUTCString()
      .replace(/^\w+, (\d+) (\w+) (\d+) (\S+) GMT$/, '$1/$2/$3:$4 +0000'),
    requestTimeEpoch: at,
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
  authorizer: Record<string, unknown> | null | undefined,
): APIGatewayProxyEvent => ({
  ...commonFields(arrival),
  requestContext: { ...requestContext(arrival), authorizer },
  body: arrival.request.body.length > 0 ? arrival.request.body.toString('utf8') : null,
  isBase64Encoded: false,
});

/** Returns the ARN that the authorizer's policy must allow. */
export const methodArn = ({ request: { method }, path, place = laptop }: RoutedRequest): string =>
  `arn:aws:execute-api:${place.region}:${place.accountId}:${place.apiId}/${place.stage}/${method}${path}`;

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
