import type { APIGatewayProxyEvent } from 'aws-lambda';
import type { Caller } from '../auth.ts';
import type { Dependencies } from '../context.ts';
import { type RateLimitCheck, RateLimiter } from './rate-limit.ts';
import type { Answer } from './reply.ts';
import { callerOf } from './request.ts';
import type { Route } from './route.ts';

interface MiddlewareRequest {
  event: APIGatewayProxyEvent;
  response?: Answer;
}

interface RequestCounter {
  checkOf: (event: APIGatewayProxyEvent) => RateLimitCheck;
  /** Counts the request before anything else is done, without waiting for the result. */
  count: (passing: MiddlewareRequest) => void;
  /** Adds the rate-limit headers to every response, errors included. */
  writeHeaders: (passing: MiddlewareRequest) => Promise<void>;
}

const anonymous: Caller = { kind: 'anonymous' };

/**
 * Returns a middleware that counts requests against their rate limits (D10). Public routes are throttled by the gateway only.
 */
export const countRequests = (
  deps: () => Dependencies,
  routeOf: (event: APIGatewayProxyEvent) => Route | undefined,
): RequestCounter => {
  const limiter = new RateLimiter();
  const checks = new WeakMap<APIGatewayProxyEvent, RateLimitCheck>();
  const checkOf = (event: APIGatewayProxyEvent): RateLimitCheck => {
    const known = checks.get(event);
    if (known) return known;
    const isClosed = (routeOf(event)?.access ?? 'public') !== 'public';
    const check = limiter.check(deps(), isClosed ? callerOf(event) : anonymous);
    checks.set(event, check);
    return check;
  };
  return {
    checkOf,
    count: ({ event }) => void checkOf(event),
    writeHeaders: async ({ event, response }) => {
      Object.assign(response?.headers ?? {}, await checkOf(event).headers());
    },
  };
};
