import { clientOf } from '../../client/src/index.ts';
import type {
  Call,
  CallOptions,
  ClientOptions,
  EventsOptions,
  PagedCall,
  WriteOptions,
} from '../../client/src/types.ts';

/** A request as the played service receives it. */
interface Sent {
  url: string;
  method: string;
  headers: Headers;
  body: string | undefined;
  redirect: string | undefined;
  signal: AbortSignal | undefined;
}

/** An answer, a lost one (`lost`), or one that never comes (`silent`). */
export type Played =
  | 'lost'
  | 'silent'
  | { status?: number; body?: unknown; headers?: Record<string, string> };

type Method<Result> = (input?: object, options?: WriteOptions & { teamId?: number }) => Result;

/** A client of five operations, of each kind one. */
interface PlayedClient {
  getOne: Method<Call<unknown>>;
  list: Method<PagedCall<unknown, unknown>>;
  create: Method<Call<unknown>>;
  change: Method<Call<unknown>>;
  replace: Method<Call<unknown>>;
  cancel: Method<Call<unknown>>;
  events: (options?: EventsOptions) => AsyncGenerator<{ id: string }, void, undefined>;
}

const operations = {
  getOne: 'GET things/{thing_id}',
  list: 'GET things',
  create: 'POST!+ things',
  change: 'PATCH+ things/{thing_id}',
  replace: 'PUT+ things/{thing_id}',
  cancel: 'POST!? things/{thing_id}/cancel',
  readEvents: 'GET external/events',
};

/** Returns a client of a service whose answers are played one after the other, and what it was sent. */
export const playedClient = (
  answers: Played[],
  options: Partial<ClientOptions> & CallOptions & object = {},
) => {
  const sent: Sent[] = [];
  const fetch = async (url: string, init: RequestInit): Promise<Response> => {
    const { method = 'GET', body, headers, redirect, signal } = init;
    sent.push({
      url,
      method,
      headers: new Headers(headers),
      body: body as string | undefined,
      redirect,
      signal: signal ?? undefined,
    });
    const answer = answers.shift();
    if (answer === undefined) throw new Error(`the test plays no answer to ${method} ${url}`);
    if (answer === 'lost') throw new TypeError('fetch failed');
    if (answer === 'silent')
      return new Promise((_, reject) => {
        signal?.addEventListener('abort', () => reject(signal.reason as Error));
      });
    const { status = 200, body: data = {}, headers: sentHeaders = {} } = answer;
    return new Response(typeof data === 'string' ? data : JSON.stringify(data), {
      status,
      headers: sentHeaders,
    });
  };
  const Client = clientOf(operations);
  const client = new Client({
    baseUrl: 'https://api.example.com/',
    apiKey: 'nk_test',
    fetch: fetch as typeof globalThis.fetch,
    ...options,
  }) as unknown as PlayedClient;
  return { client, sent, left: answers };
};

/** The body of an error answer. */
export const failure = (
  status: number,
  code: string,
  { details = {}, headers = {} }: { details?: object; headers?: Record<string, string> } = {},
): Played => ({ status, headers, body: { code, message: `It is ${code}.`, details, request_id: 'req-1' } });
