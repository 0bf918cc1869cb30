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

export interface RequestCounter {
  checkOf: (event: APIGatewayProxyEvent) => RateLimitCheck;
  /** Before anything else is done for a request; nobody waits for the outcome yet. */
  count: (passing: MiddlewareRequest) => void;
  /** Writes the three headers into every answer, refusals and faults included. */
  writeHeaders: (passing: MiddlewareRequest) => Promise<void>;
}

const anonymous: Caller = { kind: 'anonymous' };

/** Counts the requests of closed routes in this function instance; public ones are the gateway's to throttle (D10). */
export const countRequests = (
  deps: () => Dependencies,
  routeOf: (event: APIGatewayProxyEvent) => Route | undefined,
): RequestCounter => {
  const limiter = new RateLimiter();
  const admissions = new WeakMap<APIGatewayProxyEvent, RateLimitCheck>();
  const checkOf = (event: APIGatewayProxyEvent): RateLimitCheck => {
    const known = admissions.get(event);
    if (known) return known;
    const isClosed = (routeOf(event)?.access ?? 'public') !== 'public';
    const admission = limiter.check(deps(), isClosed ? callerOf(event) : anonymous);
    admissions.set(event, admission);
    return admission;
  };
  return {
    checkOf,
    count: ({ event }) => void checkOf(event),
    writeHeaders: async ({ event, response }) => {
      Object.assign(response?.headers ?? {}, await checkOf(event).headers());
    },
  };
};
