import { request } from 'node:http';
import { type AddressInfo, createServer } from 'node:net';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { type Reply, ReplyReader } from '../../../shared/platform/aws/reply-reader.ts';
import { seeded } from '../../prove/schedule/virtual.ts';

/** Reads bytes that come in the given pieces, then the end of the connection. */
const readPieces = (pieces: readonly Buffer[]): { reply: Reply | undefined; isKept: boolean } => {
  const reader = new ReplyReader();
  let reply: Reply | undefined;
  for (const piece of pieces) reply = reader.read(piece);
  return { reply: reply ?? reader.end(), isKept: reader.isKept };
};
const read = (text: string) => readPieces([Buffer.from(text)]);

const server = createServer();
let bytes: Buffer = Buffer.alloc(0);
beforeAll(async () => {
  server.on('connection', (socket) => {
    socket.on('error', () => undefined);
    socket.once('data', () => socket.end(bytes));
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
});
afterAll(() => server.close());

/** Returns what Node reads, or the error that it has. */
const readByNode = (sent: Buffer): Promise<Reply> => {
  bytes = sent;
  const { port } = server.address() as AddressInfo;
  return new Promise((resolve, reject) => {
    const sending = request({ port, host: '127.0.0.1', method: 'POST', agent: false }, (response) => {
      const parts: Buffer[] = [];
      response.on('data', (part: Buffer) => parts.push(part));
      response.on('error', reject);
      response.on('end', () => {
        const headers = response.headers as Reply['headers'];
        resolve({ status: response.statusCode ?? 0, headers, text: Buffer.concat(parts).toString() });
      });
    });
    sending.on('error', reject);
    sending.end();
  });
};

interface Drawn {
  sent: Buffer;
  text: string;
  body: 'length' | 'chunked' | 'until-end';
}

/** Draws a reply with a body of each kind, header names in any case, interim replies, extensions and trailers. */
const drawReply = (random: () => number): Drawn => {
  const pick = <One>(...ones: One[]): One => ones[Math.floor(random() * ones.length)] as One;
  const text = Array.from({ length: Math.floor(random() * 40) }, () =>
    pick('a', '{', 'é', '旅', '\r\n', '0'),
  ).join('');
  const body = pick('length' as const, 'chunked' as const, 'until-end' as const);
  const bytes = Buffer.from(text);
  const headers = [
    `${pick('X-Amzn-RequestId', 'x-amzn-requestid')}:${pick(' ', '', ' \t')}R${Math.floor(random() * 100)}${pick('', ' ')}`,
    ...pick([], ['vary: a', 'Vary: b']),
    ...(body === 'length' ? [`${pick('Content-Length', 'content-length')}: ${bytes.length}`] : []),
    ...(body === 'chunked' ? [`Transfer-Encoding: ${pick('chunked', 'Chunked')}`] : []),
  ];
  const interim = pick(
    '',
    '',
    'HTTP/1.1 100 Continue\r\n\r\n',
    'HTTP/1.1 103 Early Hints\r\nlink: x\r\n\r\n',
  );
  const start = `HTTP/1.1 ${pick('200 OK', '400 Bad Request', '503 ')}`;
  const head = Buffer.from(`${interim}${[start, ...headers].join('\r\n')}\r\n\r\n`);
  const whole = body === 'chunked' ? chunked(bytes, random) : bytes;
  return { sent: Buffer.concat([head, whole]), text, body };
};

const chunked = (bytes: Buffer, random: () => number): Buffer => {
  const parts: Buffer[] = [];
  for (const piece of cut(bytes, random)) {
    const size = random() < 0.5 ? piece.length.toString(16).toUpperCase() : `0${piece.length.toString(16)}`;
    if (piece.length > 0)
      parts.push(Buffer.from(`${size}${random() < 0.2 ? ';a=b' : ''}\r\n`), piece, Buffer.from('\r\n'));
  }
  parts.push(Buffer.from(`0\r\n${random() < 0.3 ? 'x-checksum: 1\r\n' : ''}\r\n`));
  return Buffer.concat(parts);
};

const cut = (bytes: Buffer, random: () => number): Buffer[] => {
  const pieces: Buffer[] = [];
  for (let at = 0; at < bytes.length;) {
    const length = 1 + Math.floor(random() ** 3 * bytes.length);
    pieces.push(bytes.subarray(at, at + length));
    at += length;
  }
  return pieces;
};

describe('a reply', () => {
  it('is the same in whatever pieces its bytes come', () => {
    const random = seeded(7);
    const kinds = new Set<string>();
    for (let at = 0; at < 3000; at++) {
      const { sent, text, body } = drawReply(random);
      kinds.add(body);
      const whole = readPieces([sent]);
      expect(whole.reply?.text).toBe(text);
      expect(whole.isKept).toBe(body !== 'until-end');
      expect(readPieces(cut(sent, random))).toEqual(whole);
    }
    expect([...kinds].sort()).toEqual(['chunked', 'length', 'until-end']);
  });

  it('is what Node reads', async () => {
    const random = seeded(8);
    for (let at = 0; at < 150; at++) {
      const { sent } = drawReply(random);
      expect({ ...readPieces([sent]).reply, headers: undefined }).toEqual({
        ...(await readByNode(sent)),
        headers: undefined,
      });
      expect({ ...readPieces([sent]).reply?.headers }).toEqual((await readByNode(sent)).headers);
    }
  });

  it('is incomplete without its last byte', () => {
    const random = seeded(9);
    for (let at = 0; at < 1000; at++) {
      const { sent, body } = drawReply(random);
      const { reply } = readPieces([sent.subarray(0, -1)]);
      if (body !== 'until-end') expect(reply).toBeUndefined();
    }
  });

  it('without a body ends with its head', () => {
    for (const status of ['204 No Content', '304 Not Modified'])
      expect(read(`HTTP/1.1 ${status}\r\nx: y\r\n\r\n`)).toMatchObject({ reply: { text: '' }, isKept: true });
  });

  it.each([
    ['HTTP/1.1 200 OK\r\ncontent-length: 0', true],
    ['HTTP/1.1 200 OK\r\ncontent-length: 0\r\nConnection: keep-alive', true],
    ['HTTP/1.1 200 OK\r\ncontent-length: 0\r\nConnection: Close', false],
    ['HTTP/1.1 200 OK\r\ncontent-length: 0\r\nConnection: upgrade, close', false],
    ['HTTP/1.0 200 OK\r\ncontent-length: 0', false],
    ['HTTP/1.0 200 OK\r\ncontent-length: 0\r\nConnection: Keep-Alive', true],
    ['HTTP/1.1 200 OK\r\nserver: x', false],
    ['HTTP/1.1 200 OK\r\ntransfer-encoding: gzip', false],
  ])('says whether its connection is kept: %j', (head, isKept) => {
    expect(read(`${head}\r\n\r\n`)).toMatchObject({ reply: { status: 200 }, isKept });
  });
});

describe('bytes that are no reply', () => {
  const long = 'x'.repeat(70_000);
  it.each([
    ['a status line', 'HTTP/2 200\r\n\r\n'],
    ['a status', 'HTTP/1.1 OK\r\n\r\n'],
    ['the name of a header', 'HTTP/1.1 200 OK\r\n: x\r\n\r\n'],
    ['a header', 'HTTP/1.1 200 OK\r\nxyz\r\n\r\n'],
    ['a length', 'HTTP/1.1 200 OK\r\ncontent-length: -1\r\n\r\n'],
    ['one length', 'HTTP/1.1 200 OK\r\ncontent-length: 1\r\ncontent-length: 2\r\n\r\n'],
    ['the size of a chunk', 'HTTP/1.1 200 OK\r\ntransfer-encoding: chunked\r\n\r\nxyz\r\n'],
    ['the end of a chunk', 'HTTP/1.1 200 OK\r\ntransfer-encoding: chunked\r\n\r\n1\r\nabc\r\n'],
    ['an end', 'HTTP/1.1 200 OK\r\ncontent-length: 1\r\n\r\nabc'],
    ['an end after chunks', 'HTTP/1.1 200 OK\r\ntransfer-encoding: chunked\r\n\r\n0\r\n\r\nabc'],
    ['an end of the head', long],
    ['a head of a usual length', `HTTP/1.1 200 OK\r\nx: ${long}\r\n\r\n`],
    ['an end of a line', `HTTP/1.1 200 OK\r\ntransfer-encoding: chunked\r\n\r\n${long}`],
    ['a line of a usual length', `HTTP/1.1 200 OK\r\ntransfer-encoding: chunked\r\n\r\n1;${long}\r\nx`],
  ])('lack %s', (_, text) => {
    expect(() => read(text)).toThrow(/^The reply is not HTTP\/1.1: /);
  });
});
