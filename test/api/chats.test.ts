import { beforeEach, describe, expect, it } from 'vitest';
import { chats } from '../../functions/chats/index.ts';
import { chatWorker } from '../../functions/workers/chat/index.ts';
import type { Caller } from '../../shared/platform/auth.ts';
import { bookStay, eventScene, queueEvent } from '../support/events.ts';

const threadPath = '/api/v1/chats/{thread_id}/messages';

let s: Awaited<ReturnType<typeof eventScene>>;
let thread_id: number;
beforeEach(async () => {
  s = await eventScene();
  const { booking_id, created } = await bookStay(s.asGuest, {
    listing_id: s.listing.id,
    check_in_date: '2027-02-04',
    check_out_date: '2027-02-07',
  });
  await chatWorker(() => s.deps)(queueEvent(created));
  thread_id = booking_id;
});

interface Asked {
  method?: 'GET' | 'POST';
  resource?: string;
  caller?: Caller;
  headers?: Record<string, string>;
  query?: Record<string, string>;
  id?: string | number;
  body?: unknown;
}

const call = async (asked: Asked) => {
  const { method = 'GET', resource = threadPath, caller, headers = {}, query = null, body } = asked;
  const id = String(asked.id ?? thread_id);
  const answer = await chats(() => s.deps)(
    {
      httpMethod: method,
      resource,
      path: resource.replace('{thread_id}', id),
      headers: { 'Content-Type': 'application/json', ...headers },
      pathParameters: resource === threadPath ? { thread_id: id } : null,
      queryStringParameters: query,
      requestContext: {
        requestId: 'r',
        authorizer: caller && { caller: JSON.stringify(caller) },
      },
      body: body === undefined ? null : JSON.stringify(body),
    } as never,
    {} as never,
  );
  return { ...answer, json: JSON.parse(answer.body) as Record<string, unknown> };
};

const asGuest = () => ({ caller: s.guest.caller });
const send = (more: Asked) => call({ method: 'POST', ...asGuest(), body: { text: 'Xin chào' }, ...more });

describe('chats', () => {
  it('lists threads in the paged envelope, without what is stored beside them', async () => {
    const { statusCode, json } = await call({ resource: '/api/v1/chats', ...asGuest() });
    expect(statusCode).toBe(200);
    expect(json).toMatchObject({ total: 1, page: 1, limit: 20, total_pages: 1, next_cursor: null });
    const [thread] = json['items'] as Record<string, unknown>[];
    expect(thread).toMatchObject({ id: thread_id, booking_id: thread_id });
    expect(thread).not.toHaveProperty('version');
    expect(thread).not.toHaveProperty('thread_id');
  });

  it('writes a message once under one Idempotency-Key', async () => {
    const headers = { 'Idempotency-Key': 'hello-1' };
    const answers = await Promise.all(Array.from({ length: 5 }, () => send({ headers })));
    expect(answers.map(({ statusCode }) => statusCode)).toEqual([201, 201, 201, 201, 201]);
    expect(new Set(answers.map(({ body }) => body)).size).toBe(1);
    const { json } = await call(asGuest());
    expect(json['total']).toBe(2);
    const other = await send({ headers, body: { text: 'Other' } });
    expect([other.statusCode, other.json['code']]).toEqual([422, 'IDEMPOTENCY_KEY_REUSED']);
  });

  it.each([
    ['no text', { body: {} }, 400, 'VALIDATION_ERROR'],
    ['an empty text', { body: { text: ' ' } }, 400, 'VALIDATION_ERROR'],
    ['an unknown field', { body: { text: 'a', to: 'b' } }, 400, 'VALIDATION_ERROR'],
    ['an id that is none', { id: 'x' }, 400, 'VALIDATION_ERROR'],
    ['a thread that is not there', { id: 17 }, 404, 'NOT_FOUND'],
    ['an anonymous caller', { caller: { kind: 'anonymous' } as const }, 401, 'UNAUTHORIZED'],
  ])('refuses %s', async (_, asked, status, code) => {
    const { statusCode, json } = await send(asked);
    expect([statusCode, json['code']]).toEqual([status, code]);
  });
});
