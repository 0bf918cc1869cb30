import { once } from 'node:events';
import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { homePages } from '../../../infra/local/home/index.ts';
import { pictureUrls } from '../../../infra/local/pictures/index.ts';

type Parts = Parameters<typeof homePages>[0];

let server: Server;
let url: string;

beforeAll(async () => {
  const known: unknown[] = [7, 'sbx_7_1'];
  const sandbox = { find: (key: unknown) => (known.includes(key) ? { payment_id: 7 } : undefined) };
  const clock = { change: () => ({}) };
  const answers = homePages({ sandbox, clock } as unknown as Parts, {
    'GET /_local/broken': () => Promise.reject(new Error('broken')),
  });
  server = createServer((request, response) => void answers(request, response));
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  url = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
});

afterAll(() => void server.close());

const ask = async (method: string, path: string) => {
  const response = await fetch(`${url}${path}`, { method });
  return { response, body: (await response.json()) as { code: string; request_id?: string } };
};
const picture = new URL(
  pictureUrls('http://127.0.0.1', { scene: 'hills', building: 'villa', number: 20 }, 'home')[0]!,
).pathname;

describe('a page of the local service that is refused', () => {
  it.each([
    ['PUT', '/_local/clock', 'DELETE, GET, POST'],
    ['GET', '/_local/webhook', 'POST'],
    ['POST', '/_local/mailbox.json?after=1', 'GET'],
    ['DELETE', '/_local', 'GET'],
    ['POST', picture, 'GET'],
    ['PUT', '/_local/payments/7', 'GET, POST'],
    ['PUT', '/_local/payments/sbx_7_1', 'GET, POST'],
  ])('%s %s says in Allow which methods there are', async (method, path, allowed) => {
    const { response, body } = await ask(method, path);
    expect([response.status, body.code]).toEqual([405, 'METHOD_NOT_ALLOWED']);
    expect(response.headers.get('Allow')).toBe(allowed);
  });

  it.each([
    ['GET', '/_local/nothing', 404],
    ['PUT', '/_local/clock', 405],
    ['POST', '/_local/clock', 415],
    ['GET', '/_local/payments/8', 404],
    ['GET', '/_local/broken', 500],
  ])('%s %s has the id of the request in the body and in the header', async (method, path, status) => {
    const { response, body } = await ask(method, path);
    expect(response.status).toBe(status);
    expect(body.request_id).toMatch(/^[\da-f-]{36}$/);
    expect(response.headers.get('X-Request-Id')).toBe(body.request_id);
  });
});
