import { randomInt } from 'node:crypto';
import { setTimeout as sleep } from 'node:timers/promises';
import type { Clock } from '../time/clock.ts';
import { ServiceError } from '../errors.ts';
import { type Breaker, createBreaker } from './breaker.ts';

interface Auth0Request {
  method: 'GET' | 'POST' | 'DELETE';
  /** Relative to the issuer, without a leading slash. */
  path: string;
  body?: Record<string, unknown>;
  headers?: Record<string, string>;
  /**
   * Whether the request may be repeated after a timeout or a 5xx. A connection that was refused or closed before the response
   * is always retried: a second sign-up fails with its own error.
   */
  repeatable: boolean;
}

export interface Auth0Reply {
  status: number;
  body: unknown;
}

export type Auth0Send = (request: Auth0Request) => Promise<Auth0Reply>;

export interface SendSettings {
  issuer: string;
  clock: Clock;
  fetch: typeof globalThis.fetch;
  /** For one attempt, and for all attempts together. */
  timeoutMs?: number | undefined;
  totalMs?: number | undefined;
  /** Delays before the second and the third attempt; half of each is random. */
  backOffMs?: readonly number[] | undefined;
}

const unavailable = (cause?: unknown) =>
  new ServiceError('IDENTITY_PROVIDER_UNAVAILABLE', undefined, {}, { cause, retryAfterSeconds: 10 });

const retryAfter = (headers: Headers, clock: Clock): number => {
  const after = Number(headers.get('retry-after') ?? Number.NaN);
  const reset = Number(headers.get('x-ratelimit-reset') ?? Number.NaN) - clock.now() / 1000;
  const seconds = [after, reset].find((value) => Number.isFinite(value) && value > 0) ?? 1;
  return Math.min(Math.ceil(seconds), 3600);
};

const parseJson = (text: string): unknown => {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
};

const tryOnce = async (
  settings: SendSettings,
  request: Auth0Request,
  signal: AbortSignal,
): Promise<Auth0Reply> => {
  const response = await settings.fetch(new URL(request.path, settings.issuer), {
    method: request.method,
    headers: { accept: 'application/json', 'content-type': 'application/json', ...request.headers },
    ...(request.body && { body: JSON.stringify(request.body) }),
    redirect: 'error',
    signal,
  });
  const body = parseJson(await response.text());
  if (response.status >= 500) throw new Error(`status ${response.status}`);
  if (response.status === 429) {
    const seconds = retryAfter(response.headers, settings.clock);
    throw new ServiceError(
      'RATE_LIMIT_EXCEEDED',
      'The identity provider limits requests.',
      {},
      { retryAfterSeconds: seconds },
    );
  }
  return { status: response.status, body };
};

const guarded = async (breaker: Breaker, call: () => Promise<Auth0Reply>): Promise<Auth0Reply> => {
  if (!breaker.mayCall()) throw unavailable();
  try {
    const reply = await call();
    breaker.succeeded();
    return reply;
  } catch (error) {
    if (error instanceof ServiceError) {
      breaker.succeeded();
      throw error;
    }
    breaker.failed();
    throw unavailable(error);
  }
};

const lostConnectionCodes = new Set([
  'ECONNREFUSED',
  'ECONNRESET',
  'ENOTFOUND',
  'EAI_AGAIN',
  'EPIPE',
  'UND_ERR_CONNECT_TIMEOUT',
  'UND_ERR_SOCKET',
]);

/** fetch has the code in its cause. */
const isConnectionLost = (error: unknown): boolean => {
  const cause = error instanceof Error ? error.cause : undefined;
  return cause instanceof Error && 'code' in cause && lostConnectionCodes.has(String(cause.code));
};

const mayRepeat = (request: Auth0Request, error: unknown): boolean =>
  error instanceof ServiceError &&
  error.code === 'IDENTITY_PROVIDER_UNAVAILABLE' &&
  (request.repeatable || isConnectionLost(error.cause));

/**
 * Returns a function that calls Auth0 with timeouts, retries and a circuit breaker. 5xx and timeouts become
 * IDENTITY_PROVIDER_UNAVAILABLE.
 */
export const createAuth0Send = (settings: SendSettings): Auth0Send => {
  const { timeoutMs = 5000, totalMs = 9000, backOffMs = [100, 400] } = settings;
  const breaker = createBreaker(settings.clock);
  return async (request) => {
    const overall = AbortSignal.timeout(totalMs);
    for (let tries = 0; ; tries += 1) {
      const signal = AbortSignal.any([overall, AbortSignal.timeout(timeoutMs)]);
      try {
        return await guarded(breaker, () => tryOnce(settings, request, signal));
      } catch (error) {
        const wait = backOffMs[tries];
        if (wait === undefined || overall.aborted || !mayRepeat(request, error)) throw error;
        await sleep(wait / 2 + randomInt(Math.floor(wait / 2) + 1));
      }
    }
  };
};
