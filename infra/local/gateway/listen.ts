import { randomUUID } from 'node:crypto';
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import type { GatewayRequest } from './events.ts';
import { listenOnLoopback } from '../loopback.ts';
import { foreignHost } from '../own-host.ts';
import { type Gateway, type GatewayResponse, gatewayResponseOf, maxRequestBytes } from './index.ts';

/** Answers a request instead of the gateway, such as the pages below `/_local/`. Returns false for other paths. */
export type Interceptor = (request: IncomingMessage, response: ServerResponse) => boolean;

/** A request with its response. */
export interface Exchange {
  request: GatewayRequest;
  response: GatewayResponse;
  durationMs: number;
}

interface ListenOptions {
  port: number;
  intercept?: Interceptor;
  onAnswered?: (exchange: Exchange) => void;
}

interface RunningGateway {
  url: string;
  port: number;
  stop(): Promise<void>;
}

/** Starts the gateway on a port of this machine; 0 selects a free one. */
export const listen = async (gateway: Gateway, options: ListenOptions): Promise<RunningGateway> => {
  const server = createServer((request, response) => {
    const foreign = foreignHost(request);
    if (foreign) {
      const requestId = randomUUID();
      send(request, response, gatewayResponseOf(foreign, requestId, {}));
      return;
    }
    if (options.intercept?.(request, response)) return;
    void answer(gateway, request, response, options.onAnswered);
  });
  server.keepAliveTimeout = 65_000;
  const { port, stop } = await listenOnLoopback(server, options.port);
  return { url: `http://127.0.0.1:${port}`, port, stop };
};

const answer = async (
  gateway: Gateway,
  request: IncomingMessage,
  response: ServerResponse,
  onAnswered: ListenOptions['onAnswered'],
): Promise<void> => {
  try {
    const body = await bodyOf(request);
    const { method = 'GET', url = '/' } = request;
    const sourceIp = (request.socket.remoteAddress ?? '127.0.0.1').replace(/^::ffff:/, '');
    const arrived = { method, url, headers: headerLines(request), body, sourceIp };
    const startedAt = performance.now();
    const answered = await gateway.dispatch(arrived);
    onAnswered?.({ request: arrived, response: answered, durationMs: performance.now() - startedAt });
    send(request, response, answered);
  } catch {
    response.destroy();
  }
};

const emptyBody = Buffer.alloc(0);

/** Whether `Content-Length` or `Transfer-Encoding` announces a body. Most requests have none, and reading a stream is expensive. */
const hasBody = ({ headers }: IncomingMessage): boolean =>
  headers['transfer-encoding'] !== undefined || Number(headers['content-length'] ?? 0) > 0;

/** Returns the body; of one that is too large, only as much as the gateway needs to refuse it. */
const bodyOf = async (request: IncomingMessage): Promise<Buffer> => {
  if (!hasBody(request)) return emptyBody;
  const chunks: Buffer[] = [];
  let size = 0;
  for await (const chunk of request.iterator({ destroyOnReturn: false }) as AsyncIterable<Buffer>) {
    size += chunk.length;
    chunks.push(chunk);
    if (size > maxRequestBytes) break;
  }
  return Buffer.concat(chunks);
};

const headerLines = ({ rawHeaders }: IncomingMessage): [string, string][] =>
  rawHeaders.flatMap((name, at) =>
    at % 2 === 0 ? [[name, rawHeaders[at + 1] ?? ''] as [string, string]] : [],
  );

const send = (request: IncomingMessage, response: ServerResponse, answered: GatewayResponse): void => {
  if (!request.complete) response.setHeader('Connection', 'close');
  const isHead = request.method === 'HEAD';
  response.writeHead(answered.status, {
    ...answered.headers,
    ...(isHead ? {} : { 'Content-Length': Buffer.byteLength(answered.body) }),
  });
  response.end(isHead ? undefined : answered.body);
  if (!request.complete) request.resume();
};
