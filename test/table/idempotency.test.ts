import { randomBytes, randomUUID } from 'node:crypto';
import { beforeAll, beforeEach, describe, expect, it } from 'vitest';
import * as z from 'zod';
import { checkout } from '../../functions/checkout/index.ts';
import { checkoutRoutes } from '../../functions/checkout/routes.ts';
import type { Caller } from '../../shared/platform/auth.ts';
import type { Context } from '../../shared/platform/context.ts';
import { type ErrorCode, ServiceError } from '../../shared/platform/errors.ts';
import { findStarted, idempotentRequest, saveReply } from '../../shared/platform/http/idempotency.ts';
import { IdempotencyEntity, type IdempotencyRecord } from '../../shared/platform/http/idempotency.entity.ts';
import { defineRoutes } from '../../shared/platform/http/route.ts';
import { serve } from '../../shared/platform/http/serve.ts';
import { type Consumption, put } from '../../shared/platform/table/index.ts';
import { addDays } from '../../shared/platform/time/time.ts';
import { testSealing } from '../support/sealing.ts';
import { groupCalls } from '../support/group-calls.ts';
import { testListing } from '../support/listings.ts';
import { type TestDependencies, testDependencies, testTeam, testUser } from '../support/table.ts';

const notes = defineRoutes('notes', {
  write: {
    method: 'POST',
    path: '/test/notes',
    access: 'customer',
    tag: 'Test',
    summary: 'Writes a note',
    body: z.strictObject({ text: z.string() }),
    status: 201,
    reply: z.object({ text: z.string() }),
    errors: ['NOT_FOUND', 'INVALID_STATE_TRANSITION', 'CHECKOUT_EXPIRED', 'PAYMENT_DECLINED', 'FORBIDDEN'],
    idempotent: true,
    examples: { body: { text: 'a' }, reply: { text: 'a' } },
  },
});

let deps: TestDependencies;
let spent: Consumption[];
let caller: Caller;
/** What the verb does. */
let verb: (ctx: Context, text: string) => Promise<{ text: string }>;
let runs: number;
beforeEach(async () => {
  deps = await testDependencies();
  spent = [];
  deps.table = deps.table.measured((one) => spent.push(one));
  caller = (await testUser(deps)).caller;
  spent.length = 0;
  runs = 0;
  verb = (ctx, text) => ctx.commit([], { text });
});
const group = serve(notes, {
  write: (ctx, { body }) => {
    runs++;
    return verb(ctx, body.text);
  },
});
const post = (key: string, text = 'hello') =>
  groupCalls(
    group(() => deps),
    notes,
  ).call(caller, 'write', { body: { text }, headers: { 'Idempotency-Key': key } });
const refuse = (code: ErrorCode) => {
  verb = () => Promise.reject(new ServiceError(code));
};
const writes = () => spent.filter(({ writeUnits }) => writeUnits > 0);
const scopeOf = (key: string) => `user:${(caller as { user_id: number }).user_id}#${key}`;
const recordOf = async (key: string): Promise<IdempotencyRecord> => {
  const record = await deps.table.get(IdempotencyEntity, { scope: scopeOf(key) });
  if (!record) throw new Error(`no record of ${key}`);
  return record;
};

describe('what an Idempotency-Key keeps (D100)', () => {
  it.each(['PAYMENT_DECLINED', 'INVALID_STATE_TRANSITION', 'CHECKOUT_EXPIRED'] as const)(
    'is a decision: %s',
    async (code) => {
      refuse(code);
      const first = await post(code);
      verb = (ctx, text) => ctx.commit([], { text });
      const again = await post(code);
      expect([again.status, again.text, again.headers['Idempotent-Replayed']]).toEqual([
        first.status,
        first.text,
        'true',
      ]);
    },
  );

  it.each([
    'VALIDATION_ERROR',
    'UNAUTHORIZED',
    'FORBIDDEN',
    'NOT_FOUND',
    'PAYLOAD_TOO_LARGE',
    'RATE_LIMIT_EXCEEDED',
    'PAYMENT_GATEWAY_UNAVAILABLE',
    'SERVICE_UNAVAILABLE',
  ] as const)('is never %s: it costs no write, and the corrected request may use the key', async (code) => {
    refuse(code);
    const first = await post(code, 'wrong');
    expect(JSON.parse(first.text)).toMatchObject({ code });
    expect(writes()).toEqual([]);
    verb = (ctx, text) => ctx.commit([], { text });
    const corrected = await post(code, 'right');
    expect([corrected.status, corrected.text]).toEqual([201, '{"text":"right"}']);
    expect(corrected.headers['Idempotent-Replayed']).toBeUndefined();
  });

  it('is the answer of a twin, also for the one that is refused meanwhile', async () => {
    const twin = Promise.withResolvers<undefined>();
    verb = async (ctx, text) => {
      if (runs === 1) {
        await twin.promise;
        throw new ServiceError('NOT_FOUND');
      }
      return ctx.commit([], { text });
    };
    const refused = post('twin');
    await expect.poll(() => runs).toBe(1);
    const done = await post('twin');
    twin.resolve(undefined);
    expect(done.status).toBe(201);
    expect([(await refused).status, (await refused).text]).toEqual([201, done.text]);
  });
});

describe('a repeated request', () => {
  it('is answered before its verb has read anything, whatever that would say by now', async () => {
    await post('again');
    let read = false;
    verb = async (ctx) => {
      await ctx.table.get(IdempotencyEntity, { scope: 'x' });
      read = true;
      throw new ServiceError('RATE_LIMIT_EXCEEDED');
    };
    const again = await post('again');
    expect([again.status, again.headers['Idempotent-Replayed'], read]).toEqual([201, 'true', false]);
  });

  it('is answered byte for byte, long or short, and from records as they were kept before', async () => {
    const long = `Phòng đôi – ${'ấm áp, '.repeat(5000)}`;
    for (const text of ['short', long]) {
      const first = await post(`of-${text.length}`, text);
      expect([(await post(`of-${text.length}`, text)).text, first.status]).toEqual([first.text, 201]);
    }
    const { packed, ...record } = await recordOf(`of-${long.length}`);
    expect(packed?.byteLength).toBeLessThan(2000);
    const old = { ...record, body: JSON.stringify({ text: long }) };
    await deps.table.transact([put(IdempotencyEntity, old)]);
    expect((await post(`of-${long.length}`, long)).text).toBe(old.body);
  });

  it('is the same whatever the order of its fields, and the record of an earlier version is found', async () => {
    const bodies = [
      { b: [{ y: 1, x: 2 }], a: { d: null, c: '' } },
      { a: { c: '', d: null }, b: [{ x: 2, y: 1 }] },
      { a: { c: '', d: null }, b: [{ x: 1, y: 2 }] },
    ];
    const request = { request_id: 'r', method: 'POST', path: '/notes', sealing: testSealing };
    const [one, other, different] = await Promise.all(
      bodies.map(async (body) => (await idempotentRequest('k', 'user:1', { ...request, body }))!),
    );
    expect(other?.fingerprint).toBe(one?.fingerprint);
    expect(different?.fingerprint).not.toBe(one?.fingerprint);
    const now = deps.clock.now();
    const scope = scopeOf(randomUUID());
    const kept = { scope, status: 0, body: '', request_id: 'r', begun: 77, kept_until: now + 1000 };
    await deps.table.transact([
      put(IdempotencyEntity, { ...kept, fingerprint: one!.earlierFingerprints[0]! }),
    ]);
    expect(await findStarted(deps.table, { ...one!, scope }, now)).toBe(77);
    await expect(findStarted(deps.table, { ...different!, scope }, now)).rejects.toMatchObject({
      code: 'IDEMPOTENCY_KEY_REUSED',
    });
    const answer = { status: 201, body: '{}' };
    await deps.table.transact([saveReply({ ...one!, scope }, answer, now)]);
    await expect(findStarted(deps.table, { ...other!, scope }, now)).rejects.toMatchObject({
      record: answer,
    });
  });

  it('cannot be promised for an answer that no item holds: it is refused before anything is written', async () => {
    const other = { ...(await keptOnce()), scope: randomUUID() };
    verb = (ctx, text) =>
      ctx.commit([put(IdempotencyEntity, other)], { text: text + randomBytes(400 * 1024).toString('hex') });
    const reply = await post('huge');
    expect([reply.status, JSON.parse(reply.text)]).toMatchObject([413, { code: 'PAYLOAD_TOO_LARGE' }]);
    expect(await deps.table.get(IdempotencyEntity, other)).toBeUndefined();
  });
});

describe('a key after 24 hours', () => {
  const day = 24 * 60 * 60 * 1000;

  it('is that of another request, whose answer is kept', async () => {
    await post('day');
    deps.clock.advance(day);
    const next = await post('day', 'another');
    const again = await post('day', 'another');
    expect([next.status, next.text, again.text]).toEqual([201, '{"text":"another"}', next.text]);
    expect(again.headers['Idempotent-Replayed']).toBe('true');
  });

  it('keeps what another request has started', async () => {
    await post('started-later');
    deps.clock.advance(day);
    verb = async (ctx) => {
      await ctx.recordStart([], 78);
      throw new ServiceError('SERVICE_UNAVAILABLE');
    };
    await post('started-later', 'another');
    expect(await recordOf('started-later')).toMatchObject({ status: 0, begun: 78 });
  });
});

it('a request that was answered meanwhile starts nothing', async () => {
  verb = async (ctx, text) => {
    await ctx.startedId();
    if (runs === 1) {
      await post('overtaken');
      await ctx.recordStart([], 78);
    }
    return ctx.commit([], { text });
  };
  const late = await post('overtaken');
  expect([late.status, late.headers['Idempotent-Replayed'], runs]).toEqual([201, 'true', 2]);
  expect(await recordOf('overtaken')).toMatchObject({ status: 201 });
});

const keptOnce = async (): Promise<IdempotencyRecord> => {
  await post('once');
  return recordOf('once');
};

describe('a record that says what the request has started', () => {
  const startedBy = async (key: string, text: string) => {
    const answered = await keptOnce();
    await post(`${key}-fingerprint`, text);
    const { fingerprint } = await recordOf(`${key}-fingerprint`);
    const record = { ...answered, scope: scopeOf(key), fingerprint, status: 0, body: '', begun: 77 };
    await deps.table.transact([put(IdempotencyEntity, record)]);
  };

  it('is found by the same request, which answers over it, and refuses another body', async () => {
    await startedBy('started', 'mine');
    expect((await post('started', 'other')).status).toBe(422);
    verb = async (ctx, text) => ctx.commit([], { text: `${text} ${await ctx.startedId()}` });
    expect((await post('started', 'mine')).text).toBe('{"text":"mine 77"}');
    expect((await post('started', 'mine')).headers['Idempotent-Replayed']).toBe('true');
  });

  it.each(['an answer', 'a refusal'])(
    'is not overwritten by %s to another body that was under way already',
    async (what) => {
      const key = what.replace(' ', '-');
      verb = async (ctx, text) => {
        await ctx.startedId();
        await released;
        if (what === 'a refusal') throw new ServiceError('INVALID_STATE_TRANSITION');
        return ctx.commit([], { text });
      };
      const gate = Promise.withResolvers<undefined>();
      const released = gate.promise;
      const other = post(key, 'other');
      await expect.poll(() => runs).toBe(1);
      verb = (ctx, text) => ctx.commit([], { text });
      await startedBy(key, 'mine');
      gate.resolve(undefined);
      expect(JSON.parse((await other).text)).toMatchObject({ code: 'IDEMPOTENCY_KEY_REUSED' });
      expect(await recordOf(key)).toMatchObject({ status: 0, begun: 77 });
    },
  );
});

describe('a request whose function is about to be stopped', () => {
  const within = (ms: number) => {
    const ends = performance.now() + ms;
    return groupCalls(
      group(() => deps),
      notes,
      () => ({ getRemainingTimeInMillis: () => ends - performance.now() }),
    );
  };
  const body = { text: 'late' };

  it('begins no write that might outlive it: 503 with Retry-After, and nothing is written', async () => {
    const reply = await within(2000).call(caller, 'write', { body, headers: { 'Idempotency-Key': 'late' } });
    expect([reply.status, reply.headers['Retry-After']]).toEqual([503, '1']);
    expect(JSON.parse(reply.text)).toMatchObject({ code: 'SERVICE_UNAVAILABLE' });
    expect(writes()).toEqual([]);
    expect((await post('late', 'late')).status).toBe(201);
  });

  it('is answered 503 while its verb waits elsewhere, and the verb writes nothing afterwards', async () => {
    const other = { ...(await keptOnce()), scope: randomUUID() };
    spent.length = 0;
    const elsewhere = Promise.withResolvers<undefined>();
    const ended = Promise.withResolvers<unknown>();
    verb = async (ctx, text) => {
      await elsewhere.promise;
      const done = ctx.commit([put(IdempotencyEntity, other)], { text });
      done.then(ended.resolve, ended.resolve);
      return done;
    };
    const reply = await within(1100).call(caller, 'write', { body });
    expect([reply.status, reply.headers['Retry-After']]).toEqual([503, '1']);
    elsewhere.resolve(undefined);
    expect(await ended.promise).toMatchObject({ code: 'SERVICE_UNAVAILABLE' });
    expect(writes()).toEqual([]);
  });
});

describe('the largest order', () => {
  let s: { deps: TestDependencies; caller: Caller; items: object[] };
  beforeAll(async () => {
    const deps = await testDependencies();
    const { team_id } = await testTeam(deps);
    const { caller } = await testUser(deps);
    const parent = await testListing(deps, { team_id });
    const items: object[] = [];
    for (let room = 0; room < 10; room++) {
      const { id } = await testListing(deps, { team_id, parent_listing_id: parent.id });
      const dates = { check_in_date: '2027-02-01', check_out_date: addDays('2027-02-01', 149) };
      items.push({ listing_id: id, ...dates, guest_number: 1 });
    }
    s = { deps, caller, items };
  });

  it('of ten children for 149 nights is held, confirmed and repeated under a key', async () => {
    const { call } = groupCalls(
      checkout(() => s.deps),
      checkoutRoutes,
    );
    const headers = { 'Idempotency-Key': 'year' };
    const first = await call(s.caller, 'createCheckout', { body: { items: s.items }, headers });
    expect(first.status).toBe(201);
    expect(first.text.length).toBeGreaterThan(150 * 1024);
    const again = await call(s.caller, 'createCheckout', { body: { items: s.items }, headers });
    expect([again.text === first.text, again.headers['Idempotent-Replayed']]).toEqual([true, 'true']);
    const { checkout_id } = JSON.parse(first.text) as { checkout_id: number };
    const confirm = { checkout_id, payment_method: 'CASH' };
    const booked = await call(s.caller, 'confirmCheckout', {
      body: confirm,
      headers: { 'Idempotency-Key': 'b' },
    });
    expect(booked.status).toBe(201);
  });
});
