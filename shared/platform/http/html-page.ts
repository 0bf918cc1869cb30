import { createHash } from 'node:crypto';
import { Reply } from './reply.ts';

/** Returns an inline script or style as a policy names it. */
export const inlineSource = (text: string): string =>
  `'sha256-${createHash('sha256').update(text).digest('base64')}'`;

/** Returns the Content-Security-Policy of a page that loads and sends nothing but what `allowed` says, and stands in no frame. */
export const pagePolicy = (...allowed: readonly string[]): string =>
  ["default-src 'none'", ...allowed, "form-action 'none'", "base-uri 'none'", "frame-ancestors 'none'"].join(
    '; ',
  );

/** Answers a page about a person or a secret: it is not kept, and its address goes nowhere. */
export const privatePage = (page: string, policy: string): Reply<string> =>
  new Reply(page, {
    headers: {
      'Content-Type': 'text/html; charset=utf-8',
      'Content-Security-Policy': policy,
      'Referrer-Policy': 'no-referrer',
      'Cache-Control': 'no-store',
    },
  });
