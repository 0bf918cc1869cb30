import { describe, expect, it } from 'vitest';
import type { Exchange } from '../../../infra/local/gateway/listen.ts';
import { recentRequests } from '../../../infra/local/home/recent-requests.ts';

const answered = (
  url: string,
  { key, status = 200, headers = {}, body = '{}' }: { key?: string } & Partial<Exchange['response']> = {},
): Exchange => ({
  request: {
    method: 'GET',
    url,
    headers: key === undefined ? [['Authorization', 'Bearer eyJ']] : [['x-api-key', key]],
    body: Buffer.from('{"full_name":"Trần Thị Bình"}'),
    sourceIp: '127.0.0.1',
  },
  response: { status, headers: { 'X-Request-Id': 'req-1', ...headers }, body },
  durationMs: 12.4,
});

describe('the recent requests of the gateway', () => {
  it('have path, names of parameters, status, code and duration', () => {
    const requests = recentRequests();
    const body = '{"code":"NOT_FOUND","message":"There is no such route."}';
    requests.add(answered('/api/v1/things?q=B%C3%ACnh&limit=1&limit=2', { status: 404, body }));
    expect(requests.list(0, undefined)).toEqual([
      {
        number: 1,
        at: expect.stringMatching(/^\d{4}-\d{2}-\d{2}T/) as string,
        method: 'GET',
        path: '/api/v1/things',
        parameters: ['q', 'limit'],
        status: 404,
        code: 'NOT_FOUND',
        duration_ms: 12,
        request_id: 'req-1',
        is_replayed: false,
      },
    ]);
  });

  it('keep no credential, no value of a parameter and no body', () => {
    const requests = recentRequests();
    requests.add(answered('/api/v1/things?q=B%C3%ACnh', { key: 'nk_secret', body: '{"secret":"whsec_1"}' }));
    const text = JSON.stringify(requests.list(0, undefined));
    for (const secret of ['nk_secret', 'Bình', 'B%C3', 'whsec']) expect(text).not.toContain(secret);
  });

  it('are those of one key where one is named, and those after a number', () => {
    const requests = recentRequests();
    for (const key of ['one', 'other', 'one']) requests.add(answered('/', { key }));
    requests.add(answered('/'));
    const numbers = (after: number, key?: string) => requests.list(after, key).map(({ number }) => number);
    expect(numbers(0, 'one')).toEqual([1, 3]);
    expect(numbers(1, 'one')).toEqual([3]);
    expect(numbers(0, 'none')).toEqual([]);
    expect(numbers(2)).toEqual([3, 4]);
  });

  it('say which answers were repeated, and need no JSON', () => {
    const requests = recentRequests();
    requests.add(answered('/', { headers: { 'Idempotent-Replayed': 'true' } }));
    requests.add(answered('/', { status: 502, body: '<h1>' }));
    expect(requests.list(0, undefined)).toMatchObject([{ is_replayed: true }, { status: 502, code: null }]);
  });

  it('are the latest 500', () => {
    const requests = recentRequests();
    for (let count = 0; count < 502; count++) requests.add(answered('/'));
    const kept = requests.list(0, undefined);
    expect([kept.length, kept[0]?.number, kept.at(-1)?.number]).toEqual([500, 3, 502]);
  });
});
