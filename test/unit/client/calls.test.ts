import { getEventListeners } from 'node:events';
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { NightlatchConnectionError, NightlatchError } from '../../../client/src/index.ts';
import { failure, type Played, playedClient } from '../../support/played-client.ts';

beforeEach(() => void vi.useFakeTimers());
afterEach(() => void vi.useRealTimers());

/** Waits for a call, the delays between its attempts included, and returns its error. */
const errorOf = async (call: Promise<unknown>): Promise<unknown> => {
  const failed = call.then(
    () => undefined,
    (error: unknown) => error,
  );
  await vi.runAllTimersAsync();
  return failed;
};
const answerOf = async <Answer>(call: Promise<Answer>): Promise<Answer> => {
  await vi.runAllTimersAsync();
  return call;
};
const ok: Played = { body: { id: 1 } };
const busy = failure(503, 'SERVICE_UNAVAILABLE');

describe('a request', () => {
  it('has path parameters, query and credential in their places', async () => {
    const { client, sent } = playedClient([{ body: {} }, { body: {} }]);
    await client.getOne({ thing_id: 'a/b', limit: 5, cursor: undefined, state: null });
    await client.list();
    expect(sent.map(({ url }) => url)).toEqual([
      'https://api.example.com/api/v1/things/a%2Fb?limit=5',
      'https://api.example.com/api/v1/things',
    ]);
    expect(sent[0]?.headers.get('X-API-Key')).toBe('nk_test');
    expect(sent[0]?.body).toBeUndefined();
    // Another host would get the key.
    expect(sent[0]?.redirect).toBe('manual');
  });

  it('has all other fields in its body, and no body where it is optional and empty', async () => {
    const { client, sent } = playedClient([ok, ok, ok]);
    await client.change({ thing_id: 7, name: 'x', note: null });
    await client.cancel({ thing_id: 7 });
    await client.cancel({ thing_id: 7, reason: 'ill' });
    expect(sent.map(({ body }) => body)).toEqual(['{"name":"x","note":null}', undefined, '{"reason":"ill"}']);
    expect(sent.map(({ headers }) => headers.get('Content-Type'))).toEqual([
      'application/json',
      null,
      'application/json',
    ]);
  });

  it.each([undefined, '', '.', '..'])('is not sent with %j in its path', async (thing_id) => {
    const { client, sent } = playedClient([]);
    await expect(client.getOne({ thing_id })).rejects.toThrow('getOne needs thing_id.');
    expect(sent).toEqual([]);
  });

  it('reads a credential that is a function for each attempt', async () => {
    const tokens = ['first', 'second'];
    const { client, sent } = playedClient(['lost', ok], {
      apiKey: undefined,
      accessToken: () => tokens.shift(),
      teamId: 71,
    } as object);
    await answerOf(client.list());
    expect(sent.map(({ headers }) => headers.get('Authorization'))).toEqual([
      'Bearer first',
      'Bearer second',
    ]);
    expect(sent[0]?.headers.get('X-Team-ID')).toBe('71');
  });
});

describe('an Idempotency-Key', () => {
  it('is made for each write that takes one, and is the same for all of its attempts', async () => {
    const { client, sent } = playedClient(['lost', busy, ok, ok]);
    await answerOf(client.create({ name: 'x' }));
    await answerOf(client.create({ name: 'x' }));
    const keys = sent.map(({ headers }) => headers.get('Idempotency-Key'));
    expect(keys[0]).toMatch(/^[0-9a-f]{32}$/);
    expect(keys.slice(0, 3)).toEqual([keys[0], keys[0], keys[0]]);
    expect(keys[3]).not.toBe(keys[0]);
  });

  it('is the caller’s own where one is named, and none where none is taken', async () => {
    const { client, sent } = playedClient([ok, ok]);
    await client.create({}, { idempotencyKey: 'order-1' });
    await client.change({ thing_id: 1 });
    expect(sent.map(({ headers }) => headers.get('Idempotency-Key'))).toEqual(['order-1', null]);
  });
});

describe('repetition', () => {
  const lost: [string, Played][] = [
    ['a lost answer', 'lost'],
    ['502', failure(502, 'PAYMENT_GATEWAY_UNAVAILABLE')],
    ['503', busy],
    ['502 of a proxy', { status: 502, body: '<h1>Bad gateway</h1>' }],
  ];

  it.each(lost)('follows %s of what can be repeated safely', async (_, answer) => {
    for (const call of ['getOne', 'create', 'replace', 'cancel'] as const) {
      const { client, sent } = playedClient([answer, ok]);
      expect(await answerOf(client[call]({ thing_id: 1 })), call).toEqual({ id: 1 });
      expect(sent).toHaveLength(2);
    }
  });

  it.each(lost)('does not follow %s of a write without an Idempotency-Key', async (_, answer) => {
    const { client, sent } = playedClient([answer, ok]);
    expect(await errorOf(client.change({ thing_id: 1 }))).toBeInstanceOf(Error);
    expect(sent).toHaveLength(1);
  });

  it('follows 429 of every operation, which was refused before anything was done', async () => {
    const limited = failure(429, 'RATE_LIMIT_EXCEEDED', { headers: { 'Retry-After': '7' } });
    const delays: number[] = [];
    const { client, sent } = playedClient([limited, ok], { onRetry: ({ delayMs }) => delays.push(delayMs) });
    await answerOf(client.change({ thing_id: 1 }));
    expect(sent).toHaveLength(2);
    expect(delays[0]).toBeGreaterThanOrEqual(7_000);
    expect(delays[0]).toBeLessThanOrEqual(7_500);
  });

  it('is left to the caller where the service asks for more than a minute', async () => {
    const { client } = playedClient([
      failure(429, 'RATE_LIMIT_EXCEEDED', { headers: { 'Retry-After': '61' } }),
    ]);
    expect(await errorOf(client.list())).toMatchObject({ status: 429, retryAfterSeconds: 61 });
  });

  it.each([
    [400, 'VALIDATION_ERROR'],
    [402, 'PAYMENT_DECLINED'],
    [409, 'LISTING_NOT_AVAILABLE'],
    [500, 'INTERNAL_ERROR'],
  ])('does not follow %i', async (status, code) => {
    const { client, sent } = playedClient([failure(status, code)]);
    expect(await errorOf(client.create({}))).toMatchObject({ status, code });
    expect(sent).toHaveLength(1);
  });

  it('ends after the attempts that are allowed, with delays that grow up to a limit', async () => {
    const delays: number[] = [];
    const options = { maxAttempts: 8, onRetry: ({ delayMs }: { delayMs: number }) => delays.push(delayMs) };
    const { client, sent } = playedClient(
      Array.from({ length: 8 }, () => 'lost' as const),
      options,
    );
    expect(await errorOf(client.list())).toBeInstanceOf(NightlatchConnectionError);
    expect(sent).toHaveLength(8);
    for (const [at, delay] of delays.entries()) {
      const limit = Math.min(8_000, 500 * 2 ** at);
      expect(delay).toBeGreaterThanOrEqual(limit / 2);
      expect(delay).toBeLessThanOrEqual(limit);
    }
    expect(new Set(delays).size).toBe(7);
  });

  it('is four attempts unless the call says otherwise', async () => {
    const { client, sent } = playedClient(Array.from({ length: 5 }, () => busy));
    await errorOf(client.list());
    expect(sent).toHaveLength(4);
    await errorOf(client.list({}, { maxAttempts: 1 }));
    expect(sent).toHaveLength(5);
  });
});

describe('time', () => {
  it('ends an attempt at its limit, and the next one follows', async () => {
    const { client } = playedClient(['silent', ok], { timeoutMs: 1_000 });
    expect(await answerOf(client.list())).toEqual({ id: 1 });
    const { client: other } = playedClient(['silent'], { timeoutMs: 1_000 });
    expect(await errorOf(other.list({}, { maxAttempts: 1 }))).toMatchObject({
      isTimeout: true,
      message: 'No answer within 1000 ms.',
    });
  });

  it('ends a call with the reason of its signal: before it, during an attempt, between two', async () => {
    const reason = new Error('enough');
    const { client, sent } = playedClient(['silent', 'lost']);
    expect(await errorOf(client.list({}, { signal: AbortSignal.abort(reason) }))).toBe(reason);
    expect(sent).toHaveLength(0);
    for (const delayMs of [10, 100]) {
      const control = new AbortController();
      const ended = errorOf(client.list({}, { signal: control.signal }));
      setTimeout(() => control.abort(reason), delayMs);
      expect(await ended).toBe(reason);
    }
    expect(sent).toHaveLength(2);
    expect(vi.getTimerCount()).toBe(0);
  });

  it('ends a write that is not repeated with the reason of its signal too', async () => {
    const reason = new Error('enough');
    const { client } = playedClient(['silent']);
    const control = new AbortController();
    setTimeout(() => control.abort(reason), 10);
    expect(await errorOf(client.change({ thing_id: 1 }, { signal: control.signal }))).toBe(reason);
  });

  it('leaves nothing behind on a signal that is used for many calls', async () => {
    const { signal } = new AbortController();
    const { client } = playedClient(['lost', ok]);
    await answerOf(client.list({}, { signal }));
    expect(getEventListeners(signal, 'abort')).toEqual([]);
  });
});

describe('an error', () => {
  it('has status, code, message, details and request id', async () => {
    const { client } = playedClient([failure(409, 'PRICE_CHANGED', { details: { changes: [] } })]);
    const error = await errorOf(client.create({}));
    expect(error).toBeInstanceOf(NightlatchError);
    expect(error).toMatchObject({
      status: 409,
      code: 'PRICE_CHANGED',
      message: 'It is PRICE_CHANGED.',
      details: { changes: [] },
      requestId: 'req-1',
    });
  });

  it.each([
    [{ status: 404, body: '<h1>Not here</h1>' }],
    [{ status: 200, body: '<h1>Log in to the Wi-Fi</h1>' }],
    [{ status: 307, body: '' }],
    [{ status: 400, body: 'null' }],
  ])('says so where the answer %j is not the service’s', async (answer) => {
    const { client } = playedClient([{ ...answer, headers: { 'X-Request-Id': 'req-2' } }]);
    expect(await errorOf(client.list())).toMatchObject({
      code: 'UNEXPECTED_ANSWER',
      status: answer.status,
      details: { text: answer.body },
      requestId: 'req-2',
    });
  });

  it('is reported once: by the promise of answer and response where that is used', async () => {
    const unhandled = vi.fn();
    process.on('unhandledRejection', unhandled);
    const { client } = playedClient([failure(404, 'NOT_FOUND'), failure(404, 'NOT_FOUND')]);
    expect(await errorOf(client.getOne({ thing_id: 1 }).withResponse())).toMatchObject({ code: 'NOT_FOUND' });
    const items = client.list()[Symbol.asyncIterator]();
    expect(await errorOf(items.next())).toMatchObject({ code: 'NOT_FOUND' });
    vi.useRealTimers();
    await new Promise((resolve) => setImmediate(resolve));
    process.off('unhandledRejection', unhandled);
    expect(unhandled).not.toHaveBeenCalled();
  });
});

describe('a list', () => {
  const page = (ids: number[], next_cursor: string | null): Played => ({
    body: { items: ids.map((id) => ({ id })), next_cursor },
  });
  const idsOf = async (items: AsyncIterable<unknown>): Promise<number[]> => {
    const found: number[] = [];
    for await (const { id } of items as AsyncIterable<{ id: number }>) found.push(id);
    return found;
  };

  it('is its first page, and the items of all pages', async () => {
    const { client, sent } = playedClient([
      page([1], 'c1'),
      page([1, 2], 'c1'),
      page([], 'c2'),
      page([3], null),
    ]);
    expect(await client.list({ limit: 2 })).toMatchObject({ items: [{ id: 1 }], next_cursor: 'c1' });
    expect(await idsOf(client.list({ limit: 2, state: 'OPEN' }))).toEqual([1, 2, 3]);
    expect(sent.slice(1).map(({ url }) => url.split('?')[1])).toEqual([
      'limit=2&state=OPEN',
      'limit=2&state=OPEN&cursor=c1',
      'limit=2&state=OPEN&cursor=c2',
    ]);
  });

  it('goes on by X-Next-Cursor where it is a bare array', async () => {
    const { client, sent } = playedClient([
      { body: [{ id: 1 }], headers: { 'X-Next-Cursor': 'c1' } },
      { body: [{ id: 2 }] },
    ]);
    expect(await idsOf(client.list())).toEqual([1, 2]);
    expect(sent[1]?.url).toContain('?cursor=c1');
  });

  it('is not read beyond what is used', async () => {
    const { client, sent } = playedClient([page([1, 2], 'c1')]);
    for await (const item of client.list()) {
      expect(item).toEqual({ id: 1 });
      break;
    }
    expect(sent).toHaveLength(1);
  });
});

it('shows the response beside the answer', async () => {
  const { client } = playedClient([{ body: { id: 1 }, headers: { 'X-RateLimit-Remaining': '59' } }]);
  const { data, response } = await client.create({}).withResponse();
  expect(data).toEqual({ id: 1 });
  expect(response.headers.get('X-RateLimit-Remaining')).toBe('59');
});
