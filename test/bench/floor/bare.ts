import { once } from 'node:events';
import { connect } from 'node:net';
import type { Recorded } from './recorder.ts';

/** Kept connections that send recorded requests and read nothing but status and length of the answers. */
interface BareConnection {
  /** Sends requests together and returns the status of each. */
  send(requests: readonly Buffer[]): Promise<number[]>;
  close(): void;
}

/** Returns a request as it goes over the wire. */
export const wireOf = (endpoint: string, { headers, body }: Pick<Recorded, 'headers' | 'body'>): Buffer => {
  const lines = Object.entries({
    ...headers,
    host: new URL(endpoint).host,
    'content-length': String(Buffer.byteLength(body)),
  }).map(([name, value]) => `${name}: ${value}\r\n`);
  return Buffer.from(`POST / HTTP/1.1\r\n${lines.join('')}\r\n${body}`);
};

/** Opens the least client there can be: no SDK, no signature, no parsing. Requests of one round trip each have a socket. */
export const openBare = async (endpoint: string, sockets: number): Promise<BareConnection> => {
  const opened = await Promise.all(Array.from({ length: sockets }, () => openSocket(endpoint)));
  return {
    send: (requests) => Promise.all(requests.map(async (request, at) => opened[at]?.send(request) ?? 0)),
    close: () => {
      for (const { close } of opened) close();
    },
  };
};

const openSocket = async (endpoint: string) => {
  const { hostname, port } = new URL(endpoint);
  const socket = connect({ host: hostname, port: Number(port), noDelay: true });
  await once(socket, 'connect');
  let unread: Buffer = Buffer.alloc(0);
  let answered: (status: number) => void = () => undefined;
  socket.on('data', (chunk) => {
    unread = unread.length === 0 ? chunk : Buffer.concat([unread, chunk]);
    const answer = firstAnswer(unread);
    if (!answer) return;
    unread = unread.subarray(answer.length);
    answered(answer.status);
  });
  return {
    send: (request: Buffer): Promise<number> => {
      socket.write(request);
      return new Promise((resolve) => (answered = resolve));
    },
    close: () => socket.destroy(),
  };
};

/** Returns status and length of the answer at the beginning, if it is there as a whole. */
const firstAnswer = (bytes: Buffer): { status: number; length: number } | undefined => {
  const headEnd = bytes.indexOf('\r\n\r\n');
  if (headEnd < 0) return undefined;
  const head = bytes.toString('latin1', 0, headEnd);
  const bodyLength = Number(/content-length: (\d+)/i.exec(head)?.[1]);
  const length = headEnd + 4 + bodyLength;
  return bytes.length < length ? undefined : { status: Number(head.slice(9, 12)), length };
};
