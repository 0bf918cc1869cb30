import { getEventListeners } from 'node:events';
import { type AddressInfo, createServer, Socket } from 'node:net';
import { Duplex } from 'node:stream';
import { createServer as createSecureServer, getCACertificates, setDefaultCACertificates } from 'node:tls';
import { afterEach, describe, expect, it, vi } from 'vitest';
import { connectTo } from '../../../shared/platform/aws/connection.ts';
import { playedCertificate, playedKey } from '../../support/played-service.ts';

const undo: (() => unknown)[] = [];
afterEach(async () => {
  vi.restoreAllMocks();
  for (const step of undo.splice(0).toReversed()) await step();
});

const limits = { requestTimeout: 2000, connectionTimeout: 1000 };
const ok = 'HTTP/1.1 200 OK\r\ncontent-length: 2\r\n\r\nok';
const chunked = 'HTTP/1.1 200 OK\r\ntransfer-encoding: chunked\r\n\r\n2\r\nok\r\n0\r\n\r\n';
const closing = ok.replace('content', 'Connection: close\r\ncontent');

/** A server that answers the requests of each connection as a test plays it. */
const played = async (
  play: (socket: Socket, request: string, number: number) => void,
  given: object = {},
) => {
  const sockets: Socket[] = [];
  const requests: string[] = [];
  const server = createServer((socket) => {
    sockets.push(socket);
    socket.on('error', () => undefined);
    socket.on('data', (bytes) => {
      requests.push(bytes.toString());
      play(socket, bytes.toString(), requests.length);
    });
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  undo.push(() => {
    for (const socket of sockets) socket.destroy();
    server.close();
  });
  const url = new URL(`http://127.0.0.1:${(server.address() as AddressInfo).port}/path`);
  const post = connectTo(url, { ...limits, ...given }, 'Service');
  const send = (body = '', signal?: AbortSignal) =>
    post({ headers: { host: url.host, 'content-length': String(Buffer.byteLength(body)) }, body, signal });
  return { post, send, sockets, requests };
};

describe('a connection', () => {
  it('carries a request as it was given', async () => {
    const { send, requests } = await played((socket) => socket.write(ok));
    expect(await send('{"a":"旅"}')).toMatchObject({ status: 200, text: 'ok' });
    expect(requests).toEqual([
      expect.stringMatching(
        /^POST \/path HTTP\/1\.1\r\nhost: 127\.0\.0\.1:\d+\r\ncontent-length: 11\r\n\r\n\{"a":"旅"\}$/,
      ),
    ]);
  });

  it('carries no header that would be read as two', async () => {
    const { post, requests } = await played((socket) => socket.write(ok));
    await expect(post({ headers: { 'x-token': 'a\r\nhost: b' }, body: '' })).rejects.toThrow(/x-token/);
    expect(requests).toEqual([]);
  });

  it('is used again after a reply, and not where the server closes it or sends no length', async () => {
    const replies = [ok, ok, closing, ok, 'HTTP/1.1 200 OK\r\n\r\nok'];
    const { send, sockets } = await played((socket, _, number) => {
      socket.write(replies[number - 1] ?? ok);
      if (number === 5) socket.end();
    });
    const used: number[] = [];
    for (let at = 0; at < 6; at++) {
      expect((await send()).text).toBe('ok');
      used.push(sockets.length);
    }
    expect(used).toEqual([1, 1, 1, 2, 2, 3]);
  });

  it('is not used in the last second before the server closes it', async () => {
    const { send, sockets } = await played((socket) =>
      socket.write(ok.replace('content', 'Keep-Alive: timeout=5\r\ncontent')),
    );
    const now = vi.spyOn(process.hrtime, 'bigint').mockReturnValue(1_000_000_000n);
    await send();
    now.mockReturnValue(4_999_000_000n);
    await send();
    expect(sockets).toHaveLength(1);
    now.mockReturnValue(8_999_000_000n);
    await send();
    expect(sockets).toHaveLength(2);
  });

  it.each([ok, 'x: y\r\n\r\n'])('ends when bytes come that answer no request: %j', async (unasked) => {
    const { send, sockets } = await played((socket, _, number) => socket.write(number === 1 ? chunked : ok));
    await send();
    sockets[0]?.write(unasked);
    await vi.waitFor(() => expect(sockets[0]?.closed).toBe(true));
    expect((await send()).text).toBe('ok');
    expect(sockets).toHaveLength(2);
  });

  it('ends when its reply comes before the request has been sent', async () => {
    const { send, sockets } = await played((socket, _, number) => {
      if (number > 1) return;
      socket.pause();
      socket.write(ok);
    });
    expect((await send('x'.repeat(20_000_000))).text).toBe('ok');
    sockets[0]?.resume();
    await vi.waitFor(() => expect(sockets[0]?.closed).toBe(true));
  });

  it('that is broken fails its request: a reset, an end within a reply, bytes that are no reply', async () => {
    const { send } = await played((socket, _, number) => {
      if (number === 1) socket.resetAndDestroy();
      if (number === 2) socket.end(ok.slice(0, -1));
      if (number === 3) socket.write('nonsense\r\n\r\n');
      if (number > 3) socket.write(ok);
    });
    const broken = { name: 'TimeoutError', code: 'ECONNRESET' };
    await expect(send()).rejects.toMatchObject(broken);
    await expect(send()).rejects.toMatchObject(broken);
    await expect(send()).rejects.toMatchObject({ name: 'MalformedReply', code: 'EPROTO' });
    expect((await send()).text).toBe('ok');
  });

  it('does not keep the process alive while it rests', async () => {
    const [ref, unref] = [vi.spyOn(Socket.prototype, 'ref'), vi.spyOn(Socket.prototype, 'unref')];
    const { send } = await played((socket) => socket.write(ok));
    for (let at = 1; at <= 2; at++) {
      await send();
      expect([ref.mock.calls.length, unref.mock.calls.length]).toEqual([at, at]);
    }
    expect(new Set([...ref.mock.contexts, ...unref.mock.contexts]).size).toBe(1);
  });
});

describe('a request', () => {
  it('leaves no timer and no listener of its signal', async () => {
    const [set, cleared] = [vi.spyOn(globalThis, 'setTimeout'), vi.spyOn(globalThis, 'clearTimeout')];
    const { send } = await played((socket) => socket.write(ok));
    const { signal } = new AbortController();
    await send('', signal);
    expect(getEventListeners(signal, 'abort')).toEqual([]);
    const nowhere = connectTo(new URL('http://127.0.0.1:1'), limits, 'Service');
    await expect(nowhere({ headers: {}, body: '' })).rejects.toMatchObject({ code: 'ECONNREFUSED' });
    expect(set.mock.results).toHaveLength(4);
    const timers = set.mock.results.map(({ value }) => value as NodeJS.Timeout);
    await vi.waitFor(() => {
      for (const timer of timers) expect(cleared).toHaveBeenCalledWith(timer);
    });
  });
});

describe('connections', () => {
  it('are at most 50: further requests wait, unless they are aborted', async () => {
    const open: Socket[] = [];
    const { send, sockets, requests } = await played((socket) => open.push(socket));
    const waiting = Array.from({ length: 60 }, (_, at) => send(String(at)));
    const controller = new AbortController();
    const aborted = send('aborted', controller.signal);
    await vi.waitFor(() => expect(requests).toHaveLength(50));
    controller.abort();
    await expect(aborted).rejects.toMatchObject({ name: 'AbortError' });
    for (const socket of open.splice(0)) socket.write(ok);
    await vi.waitFor(() => expect(requests).toHaveLength(60));
    for (const socket of open.splice(0)) socket.write(ok);
    expect(new Set((await Promise.all(waiting)).map(({ text }) => text))).toEqual(new Set(['ok']));
    expect(sockets).toHaveLength(50);
    expect(requests.map((request) => request.split('\r\n\r\n')[1])).toEqual(
      Array.from({ length: 60 }, (_, at) => String(at)).map(String),
    );
  });

  it('that end while requests wait are replaced', async () => {
    const { send, sockets, requests } = await played((socket, _, number) => {
      if (number <= 50) socket.destroy();
      else socket.write(ok);
    });
    const sent = await Promise.allSettled(Array.from({ length: 60 }, () => send()));
    expect(sent.filter(({ status }) => status === 'fulfilled')).toHaveLength(10);
    expect(requests).toHaveLength(60);
    expect(sockets.length).toBeGreaterThan(50);
  });

  it('of a request that has timed out or was aborted are closed', async () => {
    const silent = await played(() => undefined, { requestTimeout: 30 });
    const late = { name: 'TimeoutError', message: 'Service: no reply within 30 ms.' };
    await expect(silent.send()).rejects.toMatchObject(late);
    await vi.waitFor(() => expect(silent.sockets[0]?.closed).toBe(true));
    const { send, sockets } = await played(() => undefined);
    const controller = new AbortController();
    const aborted = send('', controller.signal);
    await vi.waitFor(() => expect(sockets).toHaveLength(1));
    controller.abort();
    await expect(aborted).rejects.toMatchObject({ name: 'AbortError' });
    await vi.waitFor(() => expect(sockets[0]?.closed).toBe(true));
  });

  it('have to be there within their time limit', async () => {
    const nothing = () => undefined;
    const unconnected = Object.assign(new Duplex({ read: nothing, write: nothing }), { ref: nothing });
    vi.spyOn(process.getBuiltinModule('node:net'), 'connect').mockReturnValue(
      unconnected as unknown as Socket,
    );
    const post = connectTo(new URL('http://127.0.0.1/'), { ...limits, connectionTimeout: 20 }, 'Service');
    const late = { name: 'TimeoutError', message: 'Service: no connection within 20 ms.' };
    await expect(post({ headers: {}, body: '' })).rejects.toMatchObject(late);
    expect(unconnected.destroyed).toBe(true);
  });

  it('over TLS name their host, and continue the session of the one before', async () => {
    const seen: unknown[] = [];
    const server = createSecureServer({ key: playedKey(), cert: playedCertificate() }, (socket) => {
      seen.push([socket.servername, socket.isSessionReused()]);
      socket.on('error', () => undefined);
      socket.on('data', () => socket.end(closing));
    });
    await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
    undo.push(() => server.close());
    const before = getCACertificates('default');
    setDefaultCACertificates([...before, playedCertificate()]);
    undo.push(() => setDefaultCACertificates(before));
    const url = new URL(`https://localhost:${(server.address() as AddressInfo).port}`);
    const post = connectTo(url, limits, 'Service');
    for (let at = 0; at < 3; at++)
      expect((await post({ headers: { host: url.host, 'content-length': '0' }, body: '' })).text).toBe('ok');
    expect(seen).toEqual([false, true, true].map((isReused) => ['localhost', isReused]));
  });
});
