import type { APIGatewayProxyEvent, APIGatewayRequestAuthorizerEvent } from 'aws-lambda';
import { routeGroups } from '../../functions/routes.ts';
import { callerRef, type Caller } from '../../shared/platform/auth.ts';
import { requestIdentity } from '../local/gateway/request-identity.ts';
import { sampleWorld } from './sample-world.ts';

/** A call of an operation; its body is the example of the row, with these fields replaced. */
export interface SampleCall {
  operation: string;
  as: Caller | null;
  params?: Record<string, string>;
  query?: Record<string, string>;
  headers?: Record<string, string>;
  body?: Record<string, unknown>;
}

const rows = new Map(routeGroups.flatMap(({ routes }) => Object.entries(routes)));

const rowOf = (operation: string) => {
  const row = rows.get(operation);
  if (!row) throw new Error(`there is no operation ${operation}`);
  return row;
};

const account = { accountId: '123456789012', apiId: 'a1b2c3d4e5' } as const;
const { stage, now } = sampleWorld;
const userAgent = 'curl/8.10.1';

const listsOf = (values: Record<string, string>): Record<string, string[]> =>
  Object.fromEntries(Object.entries(values).map(([name, value]) => [name, [value]]));

const partsOf = ({ operation, params, query, headers = {} }: SampleCall) => {
  const row = rowOf(operation);
  const sent = {
    Accept: 'application/json',
    Host: 'api.example.com',
    'User-Agent': userAgent,
    ...(row.body ? { 'Content-Type': 'application/json' } : {}),
    ...(row.idempotent ? { 'Idempotency-Key': `sample-${operation}` } : {}),
    ...headers,
  };
  return {
    resource: row.path,
    path: row.path.replace(/\{(\w+)\}/g, (_, name: string) => params?.[name] ?? ''),
    httpMethod: row.method,
    headers: sent,
    multiValueHeaders: listsOf(sent),
    queryStringParameters: query ?? null,
    multiValueQueryStringParameters: query ? listsOf(query) : null,
    pathParameters: params ?? null,
    stageVariables: null,
  };
};

const contextOf = ({ resource, path, httpMethod }: ReturnType<typeof partsOf>) => ({
  ...account,
  protocol: 'HTTP/1.1',
  httpMethod,
  path: `/${stage}${path}`,
  stage,
  requestId: 'c6af9ac6-7b61-11e6-9a41-93e8deadbeef',
  requestTime: '15/Jan/2027:03:00:00 +0000',
  requestTimeEpoch: Date.parse(now),
  resourceId: 'sample',
  resourcePath: resource,
  identity: requestIdentity('203.0.113.7', userAgent),
});

/** Returns the event of a group's function. */
export const gatewaySample = (call: SampleCall): APIGatewayProxyEvent => {
  const { body, examples } = rowOf(call.operation);
  const parts = partsOf(call);
  const authorizer =
    call.as === null ? null : { principalId: callerRef(call.as), caller: JSON.stringify(call.as) };
  return {
    ...parts,
    requestContext: { ...contextOf(parts), authorizer },
    body: body ? JSON.stringify({ ...(examples.body as object), ...call.body }) : null,
    isBase64Encoded: false,
  };
};

/** Returns the event of the authorizer. */
export const authorizerSample = (call: SampleCall): APIGatewayRequestAuthorizerEvent => {
  const parts = partsOf(call);
  const place = `${account.accountId}:${account.apiId}/${stage}/${parts.httpMethod}${parts.path}`;
  return {
    type: 'REQUEST',
    methodArn: `arn:aws:execute-api:ap-southeast-1:${place}`,
    ...parts,
    requestContext: { ...contextOf(parts), authorizer: undefined },
  };
};
