import type { IncomingHttpHeaders, IncomingMessage } from 'node:http';
import https from 'node:https';
import { checkedAddresses, type OutgoingSettings, outgoingUrl, pinned } from './resolve-address.ts';
import { OutgoingFailure, RefusedAddress } from './refused-address.ts';

interface OutgoingRequest extends OutgoingSettings {
  method?: 'GET' | 'POST';
  headers?: Record<string, string>;
  body?: string;
  /** Timeout of the whole call, redirects included; default 10 s. */
  timeoutMs?: number;
  /** Maximum size of the response body; default 5 MiB. */
  maxBytes?: number;
  /** Default 3; with 0 a redirect is returned as a response. */
  maxRedirects?: number;
  /** Returns after the status, without the body. */
  bodyless?: boolean;
}

export interface OutgoingReply {
  status: number;
  headers: IncomingHttpHeaders;
  body: Buffer;
  /** The URL after redirects. */
  url: string;
}

type FetchOutgoing = (url: string, request: OutgoingRequest) => Promise<OutgoingReply>;

const limits = { timeoutMs: 10_000, maxBytes: 5 * 1024 * 1024, maxRedirects: 3 };
const redirects = new Set([301, 302, 303, 307, 308]);
/** Headers that are removed at a redirect to another host. */
const secretHeaders = new Set(['authorization', 'cookie']);

/**
 * Calls a URL that a user has supplied (D63): https only, every address of the host checked and the connection pinned to it,
 * each redirect checked the same way, 10 s and 5 MiB in all. Throws {@link RefusedAddress} for a URL that is never called and
 * {@link OutgoingFailure} without a response; any status is a response.
 */
export const fetchOutgoing: FetchOutgoing = async (url, request) => {
  const { timeoutMs = limits.timeoutMs, maxRedirects = limits.maxRedirects } = request;
  const signal = AbortSignal.timeout(timeoutMs);
  let hop: OutgoingRequest = request;
  let target = outgoingUrl(url, request);
  for (let hops = 0; ; hops++) {
    const reply = await once(target, hop, signal);
    const { location } = reply.headers;
    if (maxRedirects === 0 || !redirects.has(reply.status) || location === undefined) return reply;
    if (hops === maxRedirects) throw new OutgoingFailure(`redirects more than ${maxRedirects} times`);
    if (!URL.canParse(location, target.href)) throw new OutgoingFailure('redirects to nowhere');
    const next = outgoingUrl(new URL(location, target).href, request);
    hop = redirected(hop, reply.status, next.origin === target.origin);
    target = next;
  }
};

const redirected = (request: OutgoingRequest, status: number, sameOrigin: boolean): OutgoingRequest => {
  const { method: _, body: __, headers = {}, ...rest } = request;
  const kept = Object.entries(headers).filter(
    ([name]) => sameOrigin || !secretHeaders.has(name.toLowerCase()),
  );
  const next = { ...rest, headers: Object.fromEntries(kept) };
  return status === 307 || status === 308 ? { ...request, headers: next.headers } : next;
};

const once = async (url: URL, request: OutgoingRequest, signal: AbortSignal): Promise<OutgoingReply> => {
  const { timeoutMs = limits.timeoutMs, maxBytes = limits.maxBytes } = request;
  try {
    const addresses = await inTime(checkedAddresses(url, request), signal);
    const response = await exchange(url, request, pinned(addresses), signal);
    const body = request.bodyless ? leaveBody(response) : await readBody(response, maxBytes);
    return { status: response.statusCode ?? 0, headers: response.headers, body, url: url.href };
  } catch (error) {
    if (error instanceof RefusedAddress || error instanceof OutgoingFailure) throw error;
    if (signal.aborted) throw new OutgoingFailure(`did not answer within ${timeoutMs / 1000} seconds`, error);
    throw new OutgoingFailure(`cannot be reached (${codeOf(error)})`, error);
  }
};

const codeOf = (error: unknown): string => (error as { code?: string }).code ?? 'no connection';

/** DNS resolution is limited by the same timeout. */
const inTime = <Result>(work: Promise<Result>, signal: AbortSignal): Promise<Result> =>
  Promise.race([
    work,
    new Promise<never>((_, reject) => {
      const stop = (): void => reject(new Error('time is up'));
      if (signal.aborted) stop();
      else signal.addEventListener('abort', stop, { once: true });
    }),
  ]);

const exchange = (
  url: URL,
  { method = 'GET', headers, body }: OutgoingRequest,
  lookup: ReturnType<typeof pinned>,
  signal: AbortSignal,
): Promise<IncomingMessage> =>
  new Promise((resolve, reject) => {
    // Plain http is used, and loaded, in local mode only.
    const { request: send } = url.protocol === 'https:' ? https : process.getBuiltinModule('node:http');
    const request = send(
      url,
      {
        method,
        headers: { 'user-agent': 'Nightlatch/1', 'accept-encoding': 'identity', ...headers },
        lookup,
        agent: false,
        signal,
      },
      resolve,
    );
    request.once('error', reject);
    request.end(body);
  });

const leaveBody = (response: IncomingMessage): Buffer => {
  response.destroy();
  return Buffer.alloc(0);
};

const readBody = async (response: IncomingMessage, maxBytes: number): Promise<Buffer> => {
  const tooLarge = () => new OutgoingFailure(`answers more than ${Math.floor(maxBytes / 1024 / 1024)} MiB`);
  if (Number(response.headers['content-length'] ?? 0) > maxBytes) {
    response.destroy();
    throw tooLarge();
  }
  const chunks: Buffer[] = [];
  let size = 0;
  for await (const chunk of response as AsyncIterable<Buffer>) {
    size += chunk.length;
    if (size > maxBytes) throw tooLarge();
    chunks.push(chunk);
  }
  return Buffer.concat(chunks);
};
