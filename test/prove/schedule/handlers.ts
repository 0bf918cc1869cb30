import { AsyncLocalStorage } from 'node:async_hooks';
import type { APIGatewayProxyEvent, Context as LambdaContext } from 'aws-lambda';
import { availability } from '../../../functions/availability/index.ts';
import { bookings } from '../../../functions/bookings/index.ts';
import { checkout } from '../../../functions/checkout/index.ts';
import { external } from '../../../functions/external/index.ts';
import { listings } from '../../../functions/listings/index.ts';
import type { Caller } from '../../../shared/platform/auth.ts';
import type { Dependencies } from '../../../shared/platform/context.ts';
import { logOf } from '../../../shared/platform/metrics/log.ts';
import { callers, type Who } from './scene.ts';

export interface Request {
  method: 'GET' | 'POST' | 'PATCH' | 'DELETE';
  resource: string;
  params?: Record<string, number>;
  query?: Record<string, string>;
  body?: object;
  key?: string;
}

export interface RawAnswer {
  status: number;
  headers: Record<string, unknown>;
  body: string;
}

process.env['METRICS_DISABLED'] = 'true';
// Rate limits are per process, not per schedule; unpaid limits have their own tests.
for (const name of ['RATE_LIMIT_KEY', 'RATE_LIMIT_USER', 'RATE_LIMIT_ATTEMPTS', 'UNPAID_STAY_LIMIT'])
  process.env[name] = 'off';

export const silentLog = logOf({ level: 'SILENT' });

const current = new AsyncLocalStorage<Dependencies>();
const deps = (): Dependencies => {
  const found = current.getStore();
  if (!found) throw new Error('a handler runs outside of a schedule');
  return found;
};

const groups = [checkout, bookings, availability, external, listings].map((group) => group(deps));
const prefixes = [
  '/api/v1/checkout',
  '/api/v1/bookings',
  '/api/v1/listing-availability',
  '/api/v1/external',
  '/api/v1/listings',
];

const filled = (resource: string, params: Record<string, number>): string =>
  resource.replace(/\{(\w+)\}/g, (_, name: string) => String(params[name]));

let requests = 0;

/** Calls the handler of a group as the gateway does, with the dependencies given. */
export const send = (given: Dependencies, who: Who, request: Request): Promise<RawAnswer> =>
  sendAs(given, callers[who], request);

export const sendAs = async (given: Dependencies, caller: Caller, request: Request): Promise<RawAnswer> => {
  const { method, resource, params = {}, query = {}, body, key } = request;
  const group = groups[prefixes.findIndex((prefix) => resource.startsWith(prefix))];
  if (!group) throw new Error(`no group serves ${resource}`);
  const event = {
    httpMethod: method,
    resource,
    path: filled(resource, params),
    pathParameters: Object.fromEntries(Object.entries(params).map(([name, id]) => [name, String(id)])),
    queryStringParameters: query,
    headers: {
      'Content-Type': 'application/json',
      ...(key === undefined ? {} : { 'Idempotency-Key': key }),
    },
    body: body === undefined ? null : JSON.stringify(body),
    isBase64Encoded: false,
    requestContext: {
      requestId: `request-${++requests}`,
      authorizer: { caller: JSON.stringify(caller) },
    },
  } as unknown as APIGatewayProxyEvent;
  const answer = await current.run(given, () => group(event, {} as LambdaContext));
  return { status: answer.statusCode, headers: answer.headers, body: answer.body };
};
