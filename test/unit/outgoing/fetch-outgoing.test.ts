import { createServer, type RequestListener, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { afterEach, describe, expect, it } from 'vitest';
import {
  fetchOutgoing,
  OutgoingFailure,
  RefusedAddress,
  requireOutgoing,
  type Resolve,
} from '../../../shared/platform/outgoing/index.ts';

const local = { local: true };
let server: Server | undefined;
afterEach(() => {
  server?.closeAllConnections();
  server?.close();
});

/** A server on loopback; answers its address. */
const serve = async (answer: RequestListener): Promise<string> => {
  server = createServer(answer);
  await new Promise<void>((resolve) => server?.listen(0, '127.0.0.1', resolve));
  return `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
};
const portOf = (url: string) => new URL(url).port;

/** Names that answer as a list says, call after call; the last answer stays. */
const names = (answers: string[][]): { resolve: Resolve; asked: string[] } => {
  const asked: string[] = [];
  const resolve: Resolve = async (hostname) => {
    const addresses = answers[Math.min(asked.length, answers.length - 1)] ?? [];
    asked.push(hostname);
    return addresses.map((address) => ({ address, family: address.includes(':') ? 6 : 4 }));
  };
  return { resolve, asked };
};

describe('an outgoing address', () => {
  it.each([
    'ftp://example.com/x',
    'file:///etc/passwd',
    'not an address',
    '',
    'http://example.com/calendar.ics',
    'https://me:secret@example.com/',
    'https://127.0.0.1/',
    'https://[::1]/',
    'https://0x7f.1/',
    'https://2130706433/',
    'https://0177.0.0.1/',
    'https://10.0.0.1:8443/x',
    'https://[::ffff:169.254.169.254]/latest/meta-data',
    'https://[64:ff9b::a9fe:a9fe]/',
  ])('%s is refused', async (url) => {
    await expect(fetchOutgoing(url, { local: false })).rejects.toThrow(RefusedAddress);
    await expect(requireOutgoing(url, { local: false })).rejects.toMatchObject({
      code: 'VALIDATION_ERROR',
      details: { issues: [{ path: 'url' }] },
    });
  });

  it('is refused when any one of its addresses is private', async () => {
    const { resolve } = names([['93.184.215.14', '10.0.0.1']]);
    await expect(fetchOutgoing('https://example.com/', { local: false, resolve })).rejects.toThrow(
      'private network',
    );
  });

  it('is never plain http but for the own machine', async () => {
    const { resolve } = names([['93.184.215.14']]);
    await expect(fetchOutgoing('http://example.com/', { local: true, resolve })).rejects.toThrow('https://');
    await expect(fetchOutgoing('http://10.0.0.1/', local)).rejects.toThrow(RefusedAddress);
  });

  it('that does not resolve is refused at registration', async () => {
    const { resolve } = names([[]]);
    await expect(
      requireOutgoing('https://nowhere.example/', { local: false, resolve }),
    ).rejects.toMatchObject({
      code: 'VALIDATION_ERROR',
    });
  });
});

describe('an outgoing call', () => {
  it('brings status, headers and body, and sends what it was given', async () => {
    const url = await serve((request, response) => {
      response.writeHead(200, { etag: '"1"' });
      response.end(`${request.method ?? ''} ${String(request.headers['if-none-match'])}`);
    });
    const reply = await fetchOutgoing(`${url}/x`, { ...local, headers: { 'If-None-Match': '"0"' } });
    expect([reply.status, reply.headers.etag, reply.body.toString()]).toEqual([200, '"1"', 'GET "0"']);
  });

  it('goes to the address that was checked, whatever the name says a moment later', async () => {
    const hosts: (string | undefined)[] = [];
    const url = await serve((request, response) => {
      hosts.push(request.headers.host);
      response.end('ok');
    });
    const rebinding = names([['127.0.0.1'], ['10.0.0.1']]);
    const name = `http://rebind.example:${portOf(url)}/`;
    const asked = { ...local, resolve: rebinding.resolve };
    expect((await fetchOutgoing(name, asked)).status).toBe(200);
    expect(rebinding.asked).toEqual(['rebind.example']);
    expect(hosts).toEqual([`rebind.example:${portOf(url)}`]);
    await expect(fetchOutgoing(name, asked)).rejects.toThrow(RefusedAddress);
    expect(hosts).toHaveLength(1);
  });

  it('takes a redirect as the answer when it must follow none', async () => {
    const asked: (string | undefined)[] = [];
    const url = await serve((request, response) => {
      asked.push(request.url);
      response.writeHead(307, { location: '/elsewhere' }).end();
    });
    expect((await fetchOutgoing(`${url}/a`, { ...local, maxRedirects: 0 })).status).toBe(307);
    expect(asked).toEqual(['/a']);
  });

  it('waits for no body when the status is all that is wanted', async () => {
    const url = await serve((_, response) => {
      response.writeHead(200);
      response.write('endless');
    });
    const reply = await fetchOutgoing(url, { ...local, method: 'POST', body: '{}', bodyless: true });
    expect([reply.status, reply.body.length]).toEqual([200, 0]);
  });

  it('checks each redirect as it checked the first address', async () => {
    let where = '';
    const url = await serve((request, response) => {
      if (request.url === '/end') response.end('here');
      else response.writeHead(302, { location: where }).end();
    });
    where = '/end';
    expect((await fetchOutgoing(`${url}/a`, local)).url).toBe(`${url}/end`);
    for (where of [
      'https://169.254.169.254/',
      'http://[::ffff:7f00:1]/',
      'file:///etc/passwd',
      'http://10.1.1.1/',
    ])
      await expect(fetchOutgoing(`${url}/a`, local), where).rejects.toThrow(RefusedAddress);
    const { resolve, asked } = names([['192.168.0.1']]);
    where = 'https://inside.example/';
    await expect(fetchOutgoing(`${url}/a`, { ...local, resolve })).rejects.toThrow('private network');
    expect(asked).toEqual(['inside.example']);
  });

  it('follows three redirects and no fourth', async () => {
    const url = await serve((request, response) => {
      const left = Number(request.url?.slice(1));
      if (left === 0) response.end('end');
      else response.writeHead(307, { location: `/${left - 1}` }).end();
    });
    expect((await fetchOutgoing(`${url}/3`, local)).body.toString()).toBe('end');
    await expect(fetchOutgoing(`${url}/4`, local)).rejects.toThrow('more than 3 times');
  });

  it('shows no secret header to another host', async () => {
    const seen: (string | undefined)[] = [];
    const url = await serve((request, response) => {
      seen.push(request.headers.authorization);
      if (request.url === '/end') response.end();
      else response.writeHead(302, { location: `http://localhost:${portOf(url)}/end` }).end();
    });
    const { resolve } = names([['127.0.0.1']]);
    await fetchOutgoing(`${url}/a`, { ...local, resolve, headers: { Authorization: 'Bearer x' } });
    expect(seen).toEqual(['Bearer x', undefined]);
  });

  it('reads no more than the limit, announced or not', async () => {
    const url = await serve((request, response) => {
      if (request.url === '/announced') response.writeHead(200, { 'content-length': 3_000_000 });
      response.end(Buffer.alloc(3_000_000));
    });
    for (const path of ['/announced', '/chunked'])
      await expect(fetchOutgoing(url + path, { ...local, maxBytes: 2 * 1024 * 1024 })).rejects.toThrow(
        'more than 2 MiB',
      );
  });

  it.each(['/silent', '/drip'])('waits no longer than the time limit: %s', async (path) => {
    const url = await serve((request, response) => {
      if (request.url === '/silent') return;
      const timer = setInterval(() => response.write('x'), 20);
      response.once('close', () => clearInterval(timer));
    });
    const startedAt = performance.now();
    await expect(fetchOutgoing(url + path, { ...local, timeoutMs: 300 })).rejects.toThrow(
      'within 0.3 seconds',
    );
    expect(performance.now() - startedAt).toBeLessThan(2000);
  });

  it('waits no longer for a name server', async () => {
    const resolve: Resolve = () => new Promise(() => undefined);
    await expect(
      fetchOutgoing('https://slow.example/', { local: false, resolve, timeoutMs: 100 }),
    ).rejects.toThrow('within 0.1 seconds');
  });

  it('reports a refused connection', async () => {
    const url = await serve(() => undefined);
    await new Promise((resolve) => server?.close(resolve));
    await expect(fetchOutgoing(url, local)).rejects.toThrow(OutgoingFailure);
    await expect(fetchOutgoing(url, local)).rejects.toThrow('ECONNREFUSED');
  });
});
