import type * as http from 'node:http';

/** A whole reply, as it came. */
export interface Reply {
  status: number;
  /** Names in lower case. */
  headers: Readonly<Record<string, string | string[] | undefined>>;
  text: string;
}

export const header = ({ headers }: Reply, name: string): string | undefined => {
  const value = headers[name];
  return Array.isArray(value) ? value[0] : value;
};

/** The times that a request may take, in milliseconds. */
export interface RequestLimits {
  requestTimeout: number;
  connectionTimeout: number;
}

interface Outgoing {
  headers: Record<string, string>;
  body: string;
  signal?: AbortSignal | undefined;
}

type Post = (outgoing: Outgoing) => Promise<Reply>;

const mostSockets = 50;

/** Loaded at the first request: TLS costs 10 ms in functions, and on laptops, that never open a secure connection. */
const httpOf = ({ protocol }: URL): typeof http =>
  process.getBuiltinModule(protocol === 'https:' ? 'node:https' : 'node:http') as typeof http;

/** Returns a function that posts over kept connections and reads whole replies. */
export const connectTo = (
  url: URL,
  { requestTimeout, connectionTimeout }: RequestLimits,
  service: string,
): Post => {
  const { Agent, request } = httpOf(url);
  const agent = new Agent({ keepAlive: true, maxSockets: mostSockets });
  const target = {
    agent,
    host: url.hostname.replace(/^\[|\]$/g, ''),
    port: url.port,
    path: url.pathname,
    method: 'POST',
  };
  return ({ headers, body, signal }) =>
    new Promise((resolve, reject) => {
      if (signal?.aborted) {
        reject(abortError(signal));
        return;
      }
      const sent = request({ ...target, headers });
      const timers: NodeJS.Timeout[] = [];
      const ended = () => {
        timers.forEach(clearTimeout);
        signal?.removeEventListener('abort', abort);
      };
      const fail = (error: Error) => {
        ended();
        reject(asTimeout(error));
      };
      const stop = (error: Error) => {
        fail(error);
        sent.destroy();
      };
      const abort = () => stop(abortError(signal));
      const limit = (what: string, ms: number): NodeJS.Timeout => {
        const timer = setTimeout(() => stop(timeoutError(`${service}: ${what}`, ms)), ms);
        timers.push(timer);
        return timer;
      };
      limit('no reply', requestTimeout);
      signal?.addEventListener('abort', abort);
      sent.on('socket', (socket) => {
        if (!socket.connecting) return;
        const timer = limit('no connection', connectionTimeout);
        socket.once('connect', () => clearTimeout(timer));
      });
      sent.on('error', fail);
      sent.on('response', (reply) => {
        const parts: Buffer[] = [];
        reply.on('data', (part: Buffer) => void parts.push(part));
        reply.on('error', fail);
        reply.on('end', () => {
          ended();
          resolve({ status: reply.statusCode ?? 0, headers: reply.headers, text: textOf(parts) });
        });
      });
      sent.end(body);
    });
};

const textOf = (parts: Buffer[]): string =>
  (parts.length === 1 ? parts[0] : Buffer.concat(parts))?.toString() ?? '';

const timeoutError = (what: string, ms: number): Error =>
  Object.assign(new Error(`${what} within ${ms} ms.`), { name: 'TimeoutError', code: 'ETIMEDOUT' });

const abortError = (signal: AbortSignal | undefined): Error =>
  Object.assign(new Error('Request aborted', { cause: signal?.reason }), { name: 'AbortError' });

/** A connection that breaks is a timeout to the SDKs. */
const asTimeout = (error: Error & { code?: string }): Error =>
  ['ECONNRESET', 'EPIPE', 'ETIMEDOUT'].includes(error.code ?? '')
    ? Object.assign(error, { name: 'TimeoutError' })
    : error;
