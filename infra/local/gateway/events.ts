import type { APIGatewayProxyEvent, APIGatewayRequestAuthorizerEvent } from 'aws-lambda';
import { systemClock } from '../../../shared/platform/clock.ts';
import type { Target } from './route-tree.ts';

/** A request as it came off the wire. */
export interface GatewayRequest {
  method: string;
  /** Still encoded, with the query. */
  url: string;
  /** Names as they were sent; one entry for each header line. */
  headers: readonly (readonly [string, string])[];
  body: Buffer;
  sourceIp: string;
}

const stage = 'local';
const accountId = '000000000000';
const apiId = 'nightlatch';
const arnOf = (method: string, path: string) =>
  `arn:aws:execute-api:us-east-1:${accountId}:${apiId}/${stage}/${method}${path}`;

/** What the events of one request have in common. */
export interface Arrival {
  request: GatewayRequest;
  requestId: string;
  path: string;
  target: Target;
  pathParameters: Record<string, string>;
}

type Parts = Pick<
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

const parts = ({ request, path, target, pathParameters }: Arrival): Parts => {
  const query = [...new URLSearchParams(request.url.split('?')[1] ?? '')];
  return {
    resource: target.route.path,
    path,
    httpMethod: request.method,
    headers: lastOf(request.headers),
    multiValueHeaders: allOf(request.headers),
    queryStringParameters: query.length > 0 ? lastOf(query) : null,
    multiValueQueryStringParameters: query.length > 0 ? allOf(query) : null,
    pathParameters: Object.keys(pathParameters).length > 0 ? pathParameters : null,
    stageVariables: null,
  };
};

const requestContext = (arrival: Arrival) => {
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
    identity: {
      accessKey: null,
      accountId: null,
      apiKey: null,
      apiKeyId: null,
      caller: null,
      clientCert: null,
      cognitoAuthenticationProvider: null,
      cognitoAuthenticationType: null,
      cognitoIdentityId: null,
      cognitoIdentityPoolId: null,
      principalOrgId: null,
      sourceIp: request.sourceIp,
      user: null,
      userAgent: headerOf(request, 'User-Agent') ?? null,
      userArn: null,
    },
  };
};

/** The event of a REQUEST authorizer. */
export const authorizerEvent = (arrival: Arrival): APIGatewayRequestAuthorizerEvent => ({
  type: 'REQUEST',
  methodArn: methodArn(arrival),
  ...parts(arrival),
  requestContext: { ...requestContext(arrival), authorizer: undefined },
});

/** The event of a group's function; `authorizer` is what the authorizer said about the caller. */
export const proxyEvent = (
  arrival: Arrival,
  authorizer: Record<string, unknown> | undefined,
): APIGatewayProxyEvent => ({
  ...parts(arrival),
  requestContext: { ...requestContext(arrival), authorizer },
  body: arrival.request.body.length > 0 ? arrival.request.body.toString('utf8') : null,
  isBase64Encoded: false,
});

/** What a policy of the authorizer is held against. */
export const methodArn = ({ request, path }: Arrival): string => arnOf(request.method, path);

/** The last value of a header, whatever its case. */
export const headerOf = (request: GatewayRequest, name: string): string | undefined =>
  request.headers.findLast(([key]) => key.toLowerCase() === name.toLowerCase())?.[1];

const lastOf = (pairs: Iterable<readonly [string, string]>): Record<string, string> =>
  Object.fromEntries(pairs);

const allOf = (pairs: Iterable<readonly [string, string]>): Record<string, string[]> => {
  // A map: names such as `constructor` are everybody's on a plain object.
  const all = new Map<string, string[]>();
  for (const [name, value] of pairs) all.set(name, [...(all.get(name) ?? []), value]);
  return Object.fromEntries(all);
};
