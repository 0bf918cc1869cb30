import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import * as z from 'zod';
import { checkout } from '../../functions/checkout/index.ts';
import { checkoutRoutes } from '../../functions/checkout/routes.ts';
import type { PartnerCaller, UserCaller } from '../../shared/platform/auth.ts';
import { ServiceError } from '../../shared/platform/errors.ts';
import { IdempotencyEntity } from '../../shared/platform/http/idempotency.entity.ts';
import { defineRoutes } from '../../shared/platform/http/route.ts';
import { serve } from '../../shared/platform/http/serve.ts';
import { type Consumption, put, type Table } from '../../shared/platform/table/index.ts';
import { groupCalls, type Reply } from '../support/group-calls.ts';
import { testListing } from '../support/listings.ts';
import { freshId, type TestDependencies, testDependencies, testUser } from '../support/table.ts';

const row = {
  tag: 'Test',
  summary: 'Counts',
  status: 200,
  reply: z.object({ done: z.boolean() }),
  errors: [],
  examples: { reply: { done: true } },
} as const;

const lamps = defineRoutes('lamps', {
  light: { ...row, method: 'GET', path: '/test/light', access: 'partner', scope: 'read' },
  fail: { ...row, method: 'GET', path: '/test/fail', access: 'partner', scope: 'read' },
  write: {
    ...row,
    method: 'POST',
    path: '/test/write',
    access: 'partner',
    scope: 'read',
    body: z.strictObject({ name: z.string() }),
  },
  enter: {
    ...row,
    method: 'POST',
    path: '/test/enter',
    access: 'partner',
    scope: 'read',
    body: z.strictObject({ email: z.string() }),
    countedFirst: true,
  },
  mine: { ...row, method: 'GET', path: '/test/mine', access: 'customer' },
  open: { ...row, method: 'GET', path: '/test/open', access: 'public' },
});

let entered = 0;
const done = async () => ({ done: true });
const group = serve(lamps, {
  light: done,
  enter: async () => {
    entered += 1;
    return done();
  },
  mine: done,
  open: done,
  fail: async () => Promise.reject(new Error('a fault')),
  write: async (ctx, { body }) => {
    await ctx.table.transact([put(IdempotencyEntity, recordOf(body.name))]);
    return { done: true };
  },
});
const recordOf = (scope: string) => ({
  scope,
  fingerprint: '',
  request_id: '',
  status: 200,
  body: '',
  kept_until: 0,
});

let deps: TestDependencies;
let spent: Consumption[];
const limits = ['RATE_LIMIT_KEY', 'RATE_LIMIT_USER'];
let before: (string | undefined)[];
beforeEach(async () => {
  before = limits.map((name) => process.env[name]);
  for (const name of limits) Reflect.deleteProperty(process.env, name);
  deps = await testDependencies();
  spent = [];
  deps.table = deps.table.measured((one) => spent.push(one));
});
afterEach(() => limits.forEach((name, at) => (process.env[name] = before[at] ?? 'off')));

/** A function instance: it shares nothing with another but the table. */
const instance = (table: Table = deps.table) =>
  groupCalls(
    group(() => ({ ...deps, table })),
    lamps,
  );
const partner = (rate_limit: number | null = null): PartnerCaller => ({
  kind: 'partner',
  key_id: freshId(),
  team_ids: [1],
  collects_payment: false,
  rate_limit,
});
const standing = ({ headers }: Reply) => ({
  limit: Number(headers['X-RateLimit-Limit']),
  remaining: Number(headers['X-RateLimit-Remaining']),
  reset: Number(headers['X-RateLimit-Reset']),
  retryAfter: headers['Retry-After'],
});
const ask = (one: ReturnType<typeof instance>, who: PartnerCaller, times: number) =>
  Promise.all(Array.from({ length: times }, () => one.call(who, 'light')));
const passed = (replies: readonly Reply[]) => replies.filter(({ status }) => status === 200);
const writes = () => spent.filter(({ operation }) => operation === 'update').length;

describe('a key limited to 100 a minute', () => {
  it('passes exactly 100 of 2,000 requests at 8 instances, and no header contradicts another', async () => {
    const who = partner(100);
    const instances = Array.from({ length: 8 }, () => instance());
    const replies = await Promise.all(instances.map((one) => ask(one, who, 250)));
    const all = replies.flat();
    expect(passed(all)).toHaveLength(100);
    const reset = (Math.floor(deps.clock.now() / 60_000) + 1) * 60;
    for (const reply of all) expect(standing(reply)).toMatchObject({ limit: 100, reset });
    for (const reply of all.filter(({ status }) => status !== 200)) {
      expect([reply.status, standing(reply).remaining]).toEqual([429, 0]);
      expect(JSON.parse(reply.text)).toMatchObject({ code: 'RATE_LIMIT_EXCEEDED' });
      expect(Number(reply.headers['Retry-After'])).toBe(60);
    }
    for (const of of replies) {
      const left = passed(of).map((reply) => standing(reply).remaining);
      expect(left).toEqual(left.toSorted((one, other) => other - one));
      expect(left.every((count) => count >= 0 && count < 100)).toBe(true);
    }
    expect(writes()).toBeLessThanOrEqual(3 * 8);
  });

  it('passes no more when 100 instances see one request each after another', async () => {
    const who = partner(100);
    const replies: Reply[] = [];
    for (let at = 0; at < 120; at++) replies.push(...(await ask(instance(), who, 1)));
    expect(passed(replies)).toHaveLength(100);
    expect(replies.map((reply) => standing(reply).remaining).slice(0, 3)).toEqual([99, 98, 97]);
  });

  it('begins anew with the next minute', async () => {
    const who = partner(100);
    const one = instance();
    await ask(one, who, 150);
    deps.clock.advance(60_000);
    expect(passed(await ask(one, who, 150))).toHaveLength(100);
  });

  it('leaves at most a twentieth of what was left with an instance that falls silent', async () => {
    const who = partner(1000);
    const silent = instance();
    for (let at = 0; at < 200; at++) await ask(silent, who, 1);
    const others = await ask(instance(), who, 1000);
    expect(passed(others).length).toBeGreaterThanOrEqual(800 - 50);
  });
});

describe('what it costs', () => {
  it('is a write for every share, not for every request', async () => {
    const who = partner();
    const one = instance();
    const replies: Reply[] = [];
    for (let at = 0; at < 400; at++) replies.push(...(await ask(one, who, 1)));
    expect(replies.map((reply) => standing(reply).remaining)).toEqual(
      Array.from({ length: 400 }, (_, at) => 599 - at),
    );
    expect(writes()).toBeLessThanOrEqual(30);
    expect(spent.reduce((sum, { writeUnits }) => sum + writeUnits, 0)).toBe(writes());
  });

  it('is one write beside a confirm, which takes no more round trips one after another', async () => {
    const { caller } = await testUser(deps);
    const { id } = await testListing(deps, { team_id: freshId() });
    const { ok } = groupCalls(
      checkout(() => deps),
      checkoutRoutes,
    );
    const item = (month: string) => ({
      listing_id: id,
      check_in_date: `2027-${month}-04`,
      check_out_date: `2027-${month}-07`,
      guest_number: 2,
    });
    const confirm = async (month: string) => {
      spent.length = 0;
      await ok(caller, 'confirmCheckout', { body: { items: [item(month)], payment_method: 'CASH' } });
      return spent.map(({ operation }) => operation);
    };
    const first = await confirm('03');
    expect(first.toSorted()).toEqual(['batch-get', 'query', 'transact', 'update']);
    expect(first.at(-1)).toBe('transact');
    expect(spent.find(({ operation }) => operation === 'update')?.writeUnits).toBe(1);
  });

  it('is nothing once the minute is used up', async () => {
    const who = partner(20);
    const one = instance();
    await ask(one, who, 30);
    const before = writes();
    await ask(one, who, 500);
    expect(writes()).toBe(before);
  });
});

describe('the share of a request travels beside its first read', () => {
  const slowly = (table: Table) => {
    const order: string[] = [];
    const gate = Promise.withResolvers<undefined>();
    const gated = table.waitingFor(async () => {
      await gate.promise;
      order.push('admitted');
    });
    return { order, gate, gated };
  };

  it('a read goes out at once and is answered when both have come', async () => {
    const { order, gate, gated } = slowly(deps.table);
    const read = gated.get(IdempotencyEntity, { scope: 'x' }).then(() => order.push('read'));
    await expect.poll(() => spent.length).toBe(0);
    gate.resolve(undefined);
    await read;
    expect(order).toEqual(['admitted', 'read']);
  });

  it('a write waits, and never happens when the request is refused', async () => {
    const name = `refused-${freshId()}`;
    const { gate, gated } = slowly(deps.table);
    const written = gated.transact([put(IdempotencyEntity, recordOf(name))]);
    gate.reject(new ServiceError('RATE_LIMIT_EXCEEDED'));
    await expect(written).rejects.toMatchObject({ code: 'RATE_LIMIT_EXCEEDED' });
    expect(await deps.table.get(IdempotencyEntity, { scope: name })).toBeUndefined();
  });

  it('so a verb that is refused has written nothing', async () => {
    const who = partner(1);
    const one = instance();
    const names = [`a-${freshId()}`, `b-${freshId()}`];
    const replies = [];
    for (const name of names) replies.push(await one.call(who, 'write', { body: { name } }));
    expect(replies.map(({ status }) => status)).toEqual([200, 429]);
    expect(await deps.table.get(IdempotencyEntity, { scope: names[1]! })).toBeUndefined();
  });
});

describe('the three headers', () => {
  it('are on every answer of a closed route, refusals and faults included', async () => {
    const who = partner(6);
    const one = instance();
    const replies = [
      await one.call(who, 'light'),
      await one.call(who, 'write', { body: { nome: 1 } }),
      await one.call(who, 'write', { body: { name: 'x'.repeat(300_000) } }),
      await one.call(who, 'write', { headers: { 'Content-Type': 'text/plain' }, body: {} }),
      await one.call(who, 'write', { body: { name: 7 } }),
      await one.call(who, 'fail'),
      await one.call(who, 'write', { body: { nome: 1 } }),
    ];
    expect(replies.map(({ status }) => status)).toEqual([200, 400, 413, 415, 400, 500, 429]);
    expect(replies.map((reply) => standing(reply).remaining)).toEqual([5, 4, 3, 2, 1, 0, 0]);
  });

  it('are not on a public one, and not where the limit is off', async () => {
    expect(standing(await instance().call(undefined, 'open')).limit).toBeNaN();
    process.env['RATE_LIMIT_KEY'] = 'off';
    expect(standing(await instance().call(partner(), 'light')).limit).toBeNaN();
    expect(standing(await instance().call(partner(7), 'light')).limit).toBe(7);
  });

  it('say 600 for a key and 120 for a user, unless the environment says otherwise', async () => {
    const { caller }: { caller: UserCaller } = await testUser(deps);
    expect(standing(await instance().call(partner(), 'light'))).toMatchObject({ limit: 600, remaining: 599 });
    expect(standing(await instance().call(caller, 'mine'))).toMatchObject({ limit: 120, remaining: 119 });
    process.env['RATE_LIMIT_USER'] = '5000';
    expect(standing(await instance().call(caller, 'mine')).limit).toBe(5000);
  });
});

it('a verb that asks another service first is not started beyond the limit', async () => {
  entered = 0;
  const who = partner(3);
  const one = instance();
  const replies: Reply[] = [];
  for (let at = 0; at < 8; at++)
    replies.push(await one.call(who, 'enter', { body: { email: 'an@example.com' } }));
  expect([passed(replies).length, entered]).toEqual([3, 3]);
});

describe('while the table takes no write', () => {
  const broken = () => {
    const table = deps.table.measured(() => undefined);
    table.increase = () => Promise.reject(new ServiceError('SERVICE_UNAVAILABLE'));
    return table;
  };

  it('an instance lets through, up to the limit by itself, and counts it later', async () => {
    const who = partner(50);
    const table = broken();
    const one = instance(table);
    expect(passed(await ask(one, who, 30))).toHaveLength(30);
    table.increase = (...given) => deps.table.increase(...given);
    expect(passed(await ask(one, who, 30)).length).toBeLessThanOrEqual(20);
    expect(passed(await ask(instance(), who, 30)).length).toBe(0);
    expect(passed(await ask(instance(broken()), who, 80))).toHaveLength(50);
  });
});
