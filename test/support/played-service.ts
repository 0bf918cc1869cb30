import { createHash, createHmac } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { createServer, type IncomingHttpHeaders, type RequestListener, type ServerResponse } from 'node:http';
import { createServer as createSecureServer } from 'node:https';
import type { AddressInfo } from 'node:net';
import { buffer } from 'node:stream/consumers';

/** A request as it arrived. */
export interface Arrived {
  operation: string;
  headers: IncomingHttpHeaders;
  body: Record<string, unknown>;
  isSigned: boolean;
}

type Play = (request: Arrived, response: ServerResponse) => void;

export const playedCredentials = { accessKeyId: 'AKID', secretAccessKey: 'secret', sessionToken: 'token' };
const region = 'eu-west-3';

const fixture = (name: string): string =>
  readFileSync(new URL(`../fixtures/tls/${name}.pem`, import.meta.url), 'utf8');

/** The certificate of a secure {@link playedService}, which signs itself. */
export const playedCertificate = (): string => fixture('certificate');
export const playedKey = (): string => fixture('key');

/** A DynamoDB that answers as a test plays it, over TLS if asked, and checks signatures. */
export const playedService = async (play: Play, { isSecure = false } = {}) => {
  const arrived: Arrived[] = [];
  const listener: RequestListener = (request, response) => {
    void buffer(request).then((bytes) => {
      const { headers } = request;
      const operation = String(headers['x-amz-target']).replace('DynamoDB_20120810.', '');
      const body = JSON.parse(bytes.toString()) as Record<string, unknown>;
      const one = { operation, headers, body, isSigned: isSigned(headers, request.url ?? '', bytes) };
      arrived.push(one);
      play(one, response);
    });
  };
  const server = isSecure
    ? createSecureServer({ key: playedKey(), cert: playedCertificate() }, listener)
    : createServer(listener);
  let connections = 0;
  server.on('connection', () => (connections += 1));
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const origin = isSecure ? 'https://localhost' : 'http://127.0.0.1';
  const url = new URL(`${origin}:${(server.address() as AddressInfo).port}`);
  return {
    arrived,
    connections: () => connections,
    endpoint: () => ({ url, region }),
    close: () => {
      server.close();
      server.closeAllConnections();
    },
  };
};

/** Answers with a status and JSON, whole. */
export const reply = (
  response: ServerResponse,
  status: number,
  body: object | string,
  headers: Record<string, string> = {},
): void => {
  const text = typeof body === 'string' ? body : JSON.stringify(body);
  response.writeHead(status, {
    'content-type': 'application/x-amz-json-1.0',
    'content-length': String(Buffer.byteLength(text)),
    'x-amzn-requestid': 'the-request',
    ...headers,
  });
  response.end(text);
};

const hmac = (key: string | Buffer, text: string): Buffer => createHmac('sha256', key).update(text).digest();
const hashOf = (data: string | Buffer): string => createHash('sha256').update(data).digest('hex');

/** Computes Signature Version 4 from what arrived, as AWS documents it, and compares it. */
const isSigned = (headers: IncomingHttpHeaders, path: string, body: Buffer): boolean => {
  const [, scope = '', names = '', signature] =
    /Credential=AKID\/(\S+), SignedHeaders=(\S+), Signature=(\S+)/.exec(headers.authorization ?? '') ?? [];
  const signed = names.split(';');
  const lines = signed.map((name) => `${name}:${String(headers[name]).trim()}\n`).join('');
  const canonical = ['POST', path, '', lines, names, hashOf(body)].join('\n');
  const key = scope.split('/').reduce<string | Buffer>(hmac, `AWS4${playedCredentials.secretAccessKey}`);
  const text = ['AWS4-HMAC-SHA256', headers['x-amz-date'], scope, hashOf(canonical)].join('\n');
  const needed = ['host', 'x-amz-date', 'x-amz-security-token', 'x-amz-target'];
  return hmac(key, text).toString('hex') === signature && needed.every((name) => signed.includes(name));
};
