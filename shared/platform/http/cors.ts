import * as z from 'zod';
import { readEnv } from '../environment/env.ts';
import type { Route } from './route.ts';

/** An origin as a browser sends it: small letters, without a path. Plain http is for loopback addresses only. */
const originPattern = /^(https:\/\/[a-z0-9.-]+|http:\/\/(localhost|127\.0\.0\.1|\[::1\]))(:\d{1,5})?$/;
const loopbackPattern = /^https?:\/\/(localhost|127\.0\.0\.1|\[::1\])(:\d{1,5})?$/;

const Origins = z
  .string()
  .default('')
  .transform((text) =>
    text
      .split(',')
      .map((origin) => origin.trim())
      .filter((origin) => origin !== ''),
  )
  .refine((origins) => origins.every((origin) => originPattern.test(origin)), {
    error: 'must be origins such as https://app.example.com, separated by commas',
  });

const CorsEnv = z.object({ CORS_ORIGINS: Origins, STAGE: z.string().optional() });

/** The browser origins that may call customer and public routes (D99). */
export interface AllowedOrigins {
  listed: readonly string[];
  /** Any loopback origin is allowed too. */
  loopback: boolean;
}

/** Returns the origins of `CORS_ORIGINS`; on a laptop any loopback origin is among them. Throws for a text that is no origin. */
export const allowedOrigins = (environment?: Record<string, string | undefined>): AllowedOrigins => {
  const { CORS_ORIGINS, STAGE } = readEnv(CorsEnv, environment);
  return { listed: CORS_ORIGINS, loopback: STAGE === 'local' };
};

/** Whether a text is an origin as browsers send it, which may be allowed. */
export const isOrigin = (text: string): boolean =>
  originPattern.test(text) && URL.canParse(text) && new URL(text).origin === text;

/** Returns whether any browser origin is allowed. */
export const allowsOrigins = ({ listed, loopback }: AllowedOrigins): boolean => loopback || listed.length > 0;

/** Returns whether browsers may call a route: an API key does not belong in a browser. */
export const opensToBrowsers = ({ access }: Pick<Route, 'access'>): boolean => access !== 'partner';

/** Returns whether any browser origin may ask: the publishable key says which ones get an answer (D144). */
export const opensToPages = ({ access }: Pick<Route, 'access'>): boolean => access === 'publishable';

const requestHeaders = [
  'Authorization',
  'Content-Type',
  'Idempotency-Key',
  'X-Team-ID',
  'If-None-Match',
  'X-Sandbox-Scenario',
];
const exposedHeaders = [
  'X-Request-Id',
  'X-RateLimit-Limit',
  'X-RateLimit-Remaining',
  'X-RateLimit-Reset',
  'Retry-After',
  'Idempotent-Replayed',
  'ETag',
  'X-Total-Count',
  'X-Next-Cursor',
];

/** The headers of an answer besides the allowed origin. */
export const exposure = { 'Access-Control-Expose-Headers': exposedHeaders.join(', ') };

/** The headers of a preflight's answer besides the allowed origin; `methods` is the value of `Allow`. */
export const permissions = (methods: string, also: readonly string[] = []): Record<string, string> => ({
  'Access-Control-Allow-Methods': methods,
  'Access-Control-Allow-Headers': [...requestHeaders, ...also].join(', '),
  // Chromium keeps no preflight longer than two hours.
  'Access-Control-Max-Age': '7200',
});

export const allowOrigin = 'Access-Control-Allow-Origin';
export const varyByOrigin = { Vary: 'Origin' };

/** What a preflight of a route of pages is answered, whatever its origin. */
export const pagePermissions = (methods: string): Record<string, string> =>
  permissions(methods, ['X-API-Key']);

/** Returns whether an origin is allowed. */
export const allowsOrigin = ({ listed, loopback }: AllowedOrigins, origin: string): boolean =>
  listed.includes(origin) || (loopback && loopbackPattern.test(origin));

/**
 * Returns the headers for a caller's origin: `granted` and the origin itself if it is allowed. There are none where no origin is
 * allowed.
 */
export const corsHeaders = (
  allowed: AllowedOrigins,
  origin: string | undefined,
  granted: Readonly<Record<string, string>> = exposure,
): Record<string, string> => {
  if (!allowsOrigins(allowed)) return {};
  return origin !== undefined && allowsOrigin(allowed, origin)
    ? { [allowOrigin]: origin, ...granted, ...varyByOrigin }
    : varyByOrigin;
};
