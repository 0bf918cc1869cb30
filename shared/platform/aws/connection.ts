import type { Socket } from 'node:net';
import { ConnectionPool } from './connection-pool.ts';
import type { Reply } from './reply-reader.ts';

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

const mostConnections = 50;

/** Returns a function that posts over kept connections and reads whole replies. */
export const connectTo = (
  url: URL,
  { requestTimeout, connectionTimeout }: RequestLimits,
  service: string,
): Post => {
  const late = (what: string, ms: number): Error => timeoutError(`${service}: ${what} within ${ms} ms.`);
  const open = opener(url);
  const pool = new ConnectionPool(
    () => endedUnlessConnected(open(), connectionTimeout, () => late('no connection', connectionTimeout)),
    mostConnections,
  );
  return ({ headers, body, signal }) =>
    new Promise((resolve, reject) => {
      if (signal?.aborted) {
        reject(abortError(signal));
        return;
      }
      const ended = () => {
        clearTimeout(timer);
        signal?.removeEventListener('abort', abort);
      };
      const exchange = {
        request: `POST ${url.pathname} HTTP/1.1\r\n${headerLines(headers)}\r\n${body}`,
        replied: (reply: Reply) => {
          ended();
          resolve(reply);
        },
        failed: (error: Error) => {
          ended();
          reject(asTimeout(error));
        },
      };
      const stop = (error: Error) => {
        exchange.failed(error);
        pool.cancel(exchange);
      };
      const abort = () => stop(abortError(signal));
      const timer = setTimeout(() => stop(late('no reply', requestTimeout)), requestTimeout);
      signal?.addEventListener('abort', abort);
      pool.send(exchange);
    });
};

/** What is not text of one line would be read as further headers. */
const headerLines = (headers: Readonly<Record<string, string>>): string => {
  let lines = '';
  for (const name in headers) {
    const value = headers[name] as string;
    if (/[^\t\x20-\x7e]/.test(value))
      throw new TypeError(`The header ${name} has characters that it may not have.`);
    lines += `${name}: ${value}\r\n`;
  }
  return lines;
};

/** Returns a function that opens a connection. TLS is loaded where it is used: it costs 10 ms. */
const opener = (url: URL): (() => Socket) => {
  const { isIP, connect } = process.getBuiltinModule('node:net');
  const host = url.hostname.replace(/^\[|\]$/g, '');
  const target = { host, noDelay: true, keepAlive: true, keepAliveInitialDelay: 1000 };
  if (url.protocol !== 'https:') return () => connect({ ...target, port: Number(url.port || 80) });
  const tls = process.getBuiltinModule('node:tls');
  const secured = {
    ...{ ...target, port: Number(url.port || 443), ALPNProtocols: ['http/1.1'] },
    servername: isIP(host) === 0 ? host : '',
  };
  // A further connection continues the session of the one before: a round trip less.
  let session: Buffer | undefined;
  return () =>
    tls.connect({ ...secured, ...(session && { session }) }).on('session', (next) => (session = next));
};

const endedUnlessConnected = (socket: Socket, ms: number, error: () => Error): Socket => {
  const timer = setTimeout(() => socket.destroy(error()), ms);
  for (const event of ['connect', 'close']) socket.once(event, () => clearTimeout(timer));
  return socket;
};

const timeoutError = (message: string): Error =>
  Object.assign(new Error(message), { name: 'TimeoutError', code: 'ETIMEDOUT' });

const abortError = (signal: AbortSignal | undefined): Error =>
  Object.assign(new Error('Request aborted', { cause: signal?.reason }), { name: 'AbortError' });

/** A connection that breaks is a timeout to the SDKs. */
const asTimeout = (error: Error & { code?: string }): Error =>
  ['ECONNRESET', 'EPIPE', 'ETIMEDOUT'].includes(error.code ?? '')
    ? Object.assign(error, { name: 'TimeoutError' })
    : error;
