import type { APIGatewayProxyEvent, APIGatewayRequestAuthorizerEvent } from 'aws-lambda';
import { routeGroups } from '../../functions/routes.ts';
import { callerRef, type Caller } from '../../shared/platform/auth.ts';
import { examplePath } from '../../shared/platform/http/example-records.ts';
import type { Access, Route } from '../../shared/platform/http/route.ts';
import { authorizerEvent, proxyEvent, type RoutedRequest } from '../local/gateway/events.ts';
import { guest, host, partner, sampleWorld } from './sample-world.ts';

/**
 * A call of an operation as the documentation shows it, by a caller who may; what is given here replaces it, a body field by
 * field.
 */
export interface SampleCall {
  operation: string;
  as?: Caller | null;
  params?: Record<string, string | number>;
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

const callers: Record<Access, Caller | null> = {
  ...{ public: null, guest: null, publishable: null },
  ...{ customer: guest, host, partner },
};

const textsOf = (values: Readonly<Record<string, unknown>>): Record<string, string> =>
  Object.fromEntries(Object.entries(values).map(([name, value]) => [name, String(value)]));

const arrivalOf = (call: SampleCall): RoutedRequest => {
  const { operation, headers } = call;
  const route = rowOf(operation);
  const examples: Route['examples'] = route.examples;
  const known: Record<string, unknown> = { ...examplePath, ...examples.params, ...call.params };
  const names = [...route.path.matchAll(/\{(\w+)\}/g)].map(([, name = '']) => name);
  const params = textsOf(Object.fromEntries(names.map((name) => [name, known[name]])));
  const query = textsOf(call.query ?? examples.query ?? {});
  const sent = {
    Accept: 'application/json',
    Host: 'api.example.com',
    'User-Agent': 'curl/8.10.1',
    ...(route.body ? { 'Content-Type': 'application/json' } : {}),
    ...(route.idempotent ? { 'Idempotency-Key': `sample-${operation}` } : {}),
    ...headers,
  };
  const path = route.path.replace(/\{(\w+)\}/g, (_, name: string) => params[name] ?? '');
  const body = route.body ? JSON.stringify({ ...(examples.body as object), ...call.body }) : '';
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
  const caller = call.as === undefined ? callers[rowOf(call.operation).access] : call.as;
  return proxyEvent(
    arrivalOf(call),
    caller && { principalId: callerRef(caller), caller: JSON.stringify(caller) },
  );
};

/** Returns the event of the authorizer. */
export const authorizerSample = (call: SampleCall): APIGatewayRequestAuthorizerEvent =>
  authorizerEvent(arrivalOf(call));
