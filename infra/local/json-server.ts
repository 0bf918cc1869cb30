import { createServer, type IncomingMessage } from 'node:http';
import { text } from 'node:stream/consumers';
import { type Log, reason } from './log.ts';
import { listenOnLoopback } from './loopback.ts';

interface JsonRequest {
  method: string;
  path: string;
  headers: IncomingMessage['headers'];
  body: unknown;
}
export interface JsonReply {
  status: number;
  body: unknown;
  headers?: Record<string, string>;
}
export interface JsonServer {
  endpoint: string;
  stop: () => Promise<void>;
}

/** Starts a JSON-over-HTTP endpoint on a free loopback port, in place of an AWS one. */
export const startJsonServer = async (
  answer: (request: JsonRequest) => JsonReply | Promise<JsonReply>,
  log: Log,
): Promise<JsonServer> => {
  const reply = async (request: IncomingMessage): Promise<JsonReply> => {
    try {
      const { pathname } = new URL(request.url ?? '/', 'http://localhost');
      const sent = await text(request);
      return await answer({
        method: request.method ?? 'GET',
        path: pathname,
        headers: request.headers,
        body: sent === '' ? undefined : (JSON.parse(sent) as unknown),
      });
    } catch (error) {
      log(`${request.method ?? ''} ${request.url ?? ''} failed: ${reason(error)}`);
      return { status: 500, body: { __type: 'InternalFailure', message: reason(error) } };
    }
  };
  const server = createServer((request, response) => {
    void reply(request).then(({ status, body, headers }) => {
      response.writeHead(status, { 'content-type': 'application/json', ...headers });
      response.end(JSON.stringify(body));
    });
  });
  // A client may send on an idle connection at the moment at which it would be closed.
  server.keepAliveTimeout = 0;
  const { port, stop } = await listenOnLoopback(server, 0);
  return { endpoint: `http://127.0.0.1:${port}`, stop };
};
