import { createHash } from 'node:crypto';
import { instantText, systemClock } from '../../../shared/platform/time/clock.ts';
import type { Exchange } from '../gateway/listen.ts';

const kept = 500;

/**
 * A request as `/_local/requests` lists it. Credentials, bodies and values of parameters are left out: they may be secret or
 * name a person.
 */
interface SeenRequest {
  /** Counts the requests since the start. */
  number: number;
  at: string;
  method: string;
  path: string;
  /** The names of the query parameters. */
  parameters: string[];
  status: number;
  /** The error code. */
  code: string | null;
  duration_ms: number;
  request_id: string | null;
  /** Whether the answer is the stored one of an earlier request with the same Idempotency-Key. */
  is_replayed: boolean;
}

export interface RecentRequests {
  add(exchange: Exchange): void;
  /** The requests after a number, oldest first; only those with the same API key if one is given. */
  list(after: number, apiKey: string | undefined): SeenRequest[];
}

/** Keeps the recent requests of the gateway for `/_local/requests`. */
export const recentRequests = (): RecentRequests => {
  const recent: { seen: SeenRequest; keyHash: string | undefined }[] = [];
  let count = 0;
  return {
    add: (exchange) => {
      const apiKey = exchange.request.headers.find(([name]) => name.toLowerCase() === 'x-api-key')?.[1];
      recent.push({ seen: seenRequest(exchange, ++count), keyHash: hashOf(apiKey) });
      if (recent.length > kept) recent.shift();
    },
    list: (after, apiKey) =>
      recent
        .filter(
          ({ seen, keyHash }) => seen.number > after && (apiKey === undefined || keyHash === hashOf(apiKey)),
        )
        .map(({ seen }) => seen),
  };
};

const hashOf = (apiKey: string | undefined): string | undefined =>
  apiKey === undefined ? undefined : createHash('sha256').update(apiKey).digest('base64url');

const seenRequest = ({ request, response, durationMs }: Exchange, number: number): SeenRequest => {
  const [path = '/', query = ''] = request.url.split('?');
  const { status, headers, body } = response;
  return {
    number,
    at: instantText(systemClock.now()),
    method: request.method,
    path: path.slice(0, 200),
    parameters: [...new Set(new URLSearchParams(query).keys())].map((name) => name.slice(0, 60)).slice(0, 20),
    status,
    code: status >= 400 ? codeOf(body) : null,
    duration_ms: Math.round(durationMs),
    request_id: headers['X-Request-Id'] ?? null,
    is_replayed: headers['Idempotent-Replayed'] === 'true',
  };
};

const codeOf = (body: string): string | null => {
  try {
    const { code } = JSON.parse(body) as { code?: unknown };
    return typeof code === 'string' ? code : null;
  } catch {
    return null;
  }
};
