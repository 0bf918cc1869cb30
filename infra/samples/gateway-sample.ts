import type { APIGatewayProxyEvent, APIGatewayRequestAuthorizerEvent } from 'aws-lambda';
import { routeGroups } from '../../functions/routes.ts';
import { callerRef, type Caller } from '../../shared/platform/auth.ts';
import { authorizerEvent, proxyEvent, type RoutedRequest } from '../local/gateway/events.ts';
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

const place = {
  region: 'ap-southeast-1',
  accountId: '123456789012',
  apiId: 'a1b2c3d4e5',
  stage: sampleWorld.stage,
} as const;

const arrivalOf = (call: SampleCall): RoutedRequest => {
  const { operation, params = {}, query = {}, headers } = call;
  const route = rowOf(operation);
  const sent = {
    Accept: 'application/json',
    Host: 'api.example.com',
    'User-Agent': 'curl/8.10.1',
    ...(route.body ? { 'Content-Type': 'application/json' } : {}),
    ...(route.idempotent ? { 'Idempotency-Key': `sample-${operation}` } : {}),
    ...headers,
  };
  const path = route.path.replace(/\{(\w+)\}/g, (_, name: string) => params[name] ?? '');
  const body = route.body ? JSON.stringify({ ...(route.examples.body as object), ...call.body }) : '';
  return {
    request: {
      method: route.method,
      url: `${path}?${new URLSearchParams(query).toString()}`,
      headers: Object.entries(sent),
      body: Buffer.from(body),
      sourceIp: '203.0.113.7',
    },
    requestId: 'c6af9ac6-7b61-11e6-9a41-93e8deadbeef',
    path,
    target: { group: 'sample', operationId: 'sample', route },
    pathParameters: params,
    place,
    at: Date.parse(sampleWorld.now),
  };
};

/** Returns the event of a group's function. */
export const gatewaySample = (call: SampleCall): APIGatewayProxyEvent => {
  const authorizer =
    call.as === null ? null : { principalId: callerRef(call.as), caller: JSON.stringify(call.as) };
  return proxyEvent(arrivalOf(call), authorizer);
};

/** Returns the event of the authorizer. */
export const authorizerSample = (call: SampleCall): APIGatewayRequestAuthorizerEvent =>
  authorizerEvent(arrivalOf(call));
