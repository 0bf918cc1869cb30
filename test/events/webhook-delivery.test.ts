import { Webhook as Verifier } from 'standardwebhooks';
import { beforeEach, describe, expect, it } from 'vitest';
import { retryWebhooks } from '../../functions/schedules/retry-webhooks/index.ts';
import { revokeKey, rotateKey } from '../../shared/domain/people/keys.ts';
import { deliver } from '../../shared/domain/webhook/deliver.ts';
import {
  DeliveryEntity,
  type DeliveryMessage,
  deliveryShards,
  deliveryShardOf,
} from '../../shared/domain/webhook/delivery.store.ts';
import { WebhookEntity } from '../../shared/domain/webhook/webhook.store.ts';
import { machineClock } from '../../shared/platform/time/clock.ts';
import { OutgoingFailure, RefusedAddress } from '../../shared/platform/outgoing/index.ts';
import { change, present, put } from '../../shared/platform/table/index.ts';
import { eventsOf } from '../support/events.ts';
import { type WebhookScene, webhookScene } from '../support/webhook-scene.ts';

const second = 1000;
const minute = 60 * second;
const hour = 60 * minute;

let s: WebhookScene;
beforeEach(async () => {
  s = await webhookScene();
});

const failing = (status = 500) => {
  s.endpoint.answer = () => ({ status });
};
const well = () => {
  s.endpoint.answer = () => ({ status: 200 });
};
/** An event that has failed its first attempt. */
const failedOnce = async () => {
  const { id } = await s.register();
  failing();
  const event = s.event();
  await s.deliver(event);
  await s.work();
  return { id, event };
};

describe('an event', () => {
  it('is sent to a webhook that listens to it, signed so that the library verifies it', async () => {
    const { id, secret } = await s.register();
    const event = s.event();
    expect(await s.deliver(event)).toBe(0);
    expect(await s.work()).toBe(0);
    expect(s.sent).toHaveLength(1);
    const { url, headers, text, body } = s.sent[0]!;
    expect(url).toBe('https://partner.example.com/hooks');
    expect(new Verifier(secret).verify(text, headers)).toEqual(body);
    expect(Object.keys(body)).toEqual(['event_type', 'data', 'id', 'occurred_at', 'team_id']);
    expect(body).toEqual({
      event_type: 'booking.created',
      data: event.data,
      id: event.id,
      occurred_at: event.occurred_at,
      team_id: s.team_id,
    });
    expect(headers['webhook-id']).toBe(event.id);
    expect(await s.deliveries(id)).toMatchObject([
      {
        id: event.id,
        state: 'DELIVERED',
        next_attempt_at: null,
        attempts: [{ kind: 'retry', response_code: 204, error: null }],
      },
    ]);
  });

  it('is not sent to webhooks of other types or other teams', async () => {
    await s.register({ event_types: ['listing.updated'] });
    const other = await webhookScene();
    await other.register();
    await s.deliver(s.event());
    await s.work();
    await other.work();
    expect([...s.sent, ...other.sent]).toEqual([]);
  });

  it('says nothing that partners may not see', async () => {
    await s.register({ event_types: ['availability.changed', 'listing.updated', 'customer.registered'] });
    await s.deliver(
      s.event({
        event_type: 'availability.changed',
        data: { id: 4711, start_at: '2027-02-04T00:00:00', end_at: '2027-02-05T00:00:00', by: 'user:12' },
      }),
      s.event({
        event_type: 'listing.updated',
        data: { id: 4711, state: 'ACTIVE', changed: ['name', 'door_code', 'wifi_password'] },
      }),
      s.event({ event_type: 'customer.registered', data: { id: 8, team_ids: [s.team_id, 5] } }),
    );
    await s.work();
    const bodies = Object.fromEntries(s.sent.map(({ body }) => [body.event_type, body.data]));
    expect(bodies).toEqual({
      'availability.changed': { id: 4711, start_at: '2027-02-04T00:00:00', end_at: '2027-02-05T00:00:00' },
      'listing.updated': { id: 4711, state: 'ACTIVE', changed: ['name'] },
      'customer.registered': { id: 8 },
    });
    expect(s.sent.map(({ text }) => text).join()).not.toContain('user:');
  });

  it('of an unknown shape is sent with its id alone', async () => {
    await s.register();
    await s.deliver(s.event({ data: { id: 16, state: 'TELEPORTED', secret: 'x' } }));
    await s.work();
    expect(s.sent[0]?.body.data).toEqual({ id: 16 });
  });

  it('that comes twice, also at once, is sent once', async () => {
    await s.register();
    const event = s.event();
    const otherWorker = s.deps.table.measured(() => undefined);
    await Promise.all([s.deliver(event), s.deliverOver(otherWorker, event), s.deliver(event, event)]);
    const messages = s.first.take();
    expect(messages.length).toBeGreaterThan(1);
    const failures = await Promise.all(messages.map((message) => s.handle('first', [message])));
    expect(failures).toEqual(messages.map(() => 0));
    for (const message of messages) await s.handle('first', [message]);
    s.deps.clock.advance(minute);
    await s.work();
    expect(s.sent).toHaveLength(1);
  });

  it('is sent again, with the same id, when the process dies between sending and keeping', async () => {
    const { id } = await s.register();
    await s.deliver(s.event());
    const [message] = s.first.take();
    const dying = {
      ...s.deps,
      post: s.post,
      signingClock: machineClock,
      lane: 'first' as const,
      second: s.second,
    };
    let puts = 0;
    const table = new Proxy(s.deps.table, {
      get: (target, name) => {
        const method: unknown = Reflect.get(target, name);
        if (typeof method !== 'function') return method;
        const call = method.bind(target) as (...args: unknown[]) => Promise<unknown>;
        if (name !== 'put') return call;
        return (...args: unknown[]) => (++puts === 2 ? Promise.reject(new Error('killed')) : call(...args));
      },
    });
    await expect(deliver({ ...dying, table }, message!)).rejects.toThrow('killed');
    // While the claim of the dead one lives nothing is sent; the queue brings the message when it has ended.
    expect(await s.handle('first', [message!])).toBe(0);
    expect(s.sent).toHaveLength(1);
    s.deps.clock.advance(29 * second);
    await s.work();
    expect(s.sent).toHaveLength(1);
    s.deps.clock.advance(second);
    await s.work();
    expect(s.sent).toHaveLength(2);
    expect(new Set(s.sent.map(({ headers }) => headers['webhook-id'])).size).toBe(1);
    expect(await s.deliveries(id)).toMatchObject([{ state: 'DELIVERED' }]);
  });

  it('brings its messages again when the worker dies before it has sent them', async () => {
    await s.register();
    const event = s.event();
    const { send } = s.first;
    s.first.send = async () => {
      throw new Error('killed');
    };
    expect(await s.deliver(event)).toBe(1);
    s.first.send = send;
    expect(await s.deliver(event)).toBe(0);
    await s.work();
    expect(s.sent).toHaveLength(1);
  });
});

describe('a failed attempt', () => {
  it('is followed by nine more, after 5 s, 5 min, 30 min, 2 h, 5 h, 10 h, 14 h, 20 h and 24 h', async () => {
    const { id, event } = await failedOnce();
    const delays = [
      5 * second,
      5 * minute,
      30 * minute,
      2 * hour,
      5 * hour,
      10 * hour,
      14 * hour,
      20 * hour,
      24 * hour,
    ];
    for (const [at, delay] of delays.entries()) {
      s.deps.clock.advance(delay - 2 * second);
      await s.tick();
      expect(s.sent, `before ${delay}`).toHaveLength(at + 1);
      s.deps.clock.advance(2 * second);
      await s.tick();
      expect(s.sent, `after ${delay}`).toHaveLength(at + 2);
    }
    s.deps.clock.advance(100 * hour);
    await s.tick();
    expect(s.sent).toHaveLength(10);
    expect(new Set(s.sent.map(({ headers }) => headers['webhook-id']))).toEqual(new Set([event.id]));
    expect(new Set(s.sent.map(({ text }) => text)).size).toBe(1);
    const [delivery] = await s.deliveries(id);
    expect(delivery).toMatchObject({ state: 'FAILED', next_attempt_at: null });
    expect(delivery?.attempts.map(({ response_code }) => response_code)).toEqual(Array(10).fill(500));
  });

  it('is tried again after 5 seconds by the queue alone', async () => {
    await failedOnce();
    well();
    s.deps.clock.advance(5 * second);
    await s.work();
    expect(s.sent).toHaveLength(2);
  });

  it('is tried once, although queue and clock both bring it', async () => {
    await failedOnce();
    s.deps.clock.advance(5 * second);
    await s.tick();
    expect(s.sent).toHaveLength(2);
  });

  it.each([
    ['a redirect', () => ({ status: 302 }), 302, 'redirects'],
    ['an error', () => ({ status: 503 }), 503, '503'],
    [
      'silence',
      () => Promise.reject(new OutgoingFailure('did not answer within 10 seconds')),
      null,
      'did not answer within 10 seconds',
    ],
    [
      'a host that has moved into a private network',
      () => Promise.reject(new RefusedAddress('must not point into a private network')),
      null,
      'private network',
    ],
  ])('is %s, and says so', async (_, answer, response_code, error) => {
    const { id } = await s.register();
    s.endpoint.answer = answer;
    await s.deliver(s.event());
    expect(await s.work()).toBe(0);
    const [delivery] = await s.deliveries(id);
    expect(delivery).toMatchObject({ state: 'PENDING', attempts: [{ response_code }] });
    expect(delivery?.attempts[0]?.error).toContain(error);
    expect(delivery?.next_attempt_at).toBe('2027-01-15T03:00:05.000Z');
  });

  it('takes no worker of the endpoints that answer', async () => {
    await failedOnce();
    const healthy = await s.register({ url: 'https://healthy.example.com/' });
    s.endpoint.answer = ({ url }) => ({ status: url.includes('healthy') ? 200 : 500 });
    await s.deliver(s.event());
    s.sent.length = 0;
    await s.handle('first', s.first.take());
    expect(s.sent.map(({ url }) => url)).toEqual(['https://healthy.example.com/']);
    await s.work();
    expect(s.sent).toHaveLength(2);
    expect(await s.deliveries(healthy.id)).toMatchObject([{ state: 'DELIVERED' }]);
  });

  it('is forgotten when the endpoint answers again', async () => {
    const { id } = await failedOnce();
    expect((await s.webhook(id)).failing_since).toBe('2027-01-15T03:00:00.000Z');
    well();
    s.deps.clock.advance(5 * second);
    await s.tick();
    expect(await s.webhook(id)).toMatchObject({ state: 'ACTIVE', failing_since: null });
    await s.deliver(s.event());
    await s.handle('first', s.first.take());
    expect(s.sent).toHaveLength(3);
  });
});

describe('the look for what is due', () => {
  const delivery = async (webhook_id: number, event_id: string) =>
    (await s.deps.table.get(DeliveryEntity, { webhook_id, event_id }))!;

  it('brings a first attempt whose messages were lost, and not before its queue has given up', async () => {
    const { id } = await s.register();
    await s.deliver(s.event());
    expect(s.first.take()).toHaveLength(1);
    s.deps.clock.advance(15 * minute - second);
    await s.tick();
    expect(s.sent).toHaveLength(0);
    s.deps.clock.advance(second);
    await s.tick();
    expect(s.sent).toHaveLength(1);
    expect(await s.deliveries(id)).toMatchObject([{ state: 'DELIVERED' }]);
    s.deps.clock.advance(hour);
    await s.tick();
    expect(s.sent).toHaveLength(1);
  });

  it('puts off what led to no attempt, for longer every time, and continues with the next', async () => {
    const { id } = await s.register();
    const [stuck, next] = [s.event(), s.event()];
    await s.deliver(stuck);
    s.deps.clock.advance(second);
    await s.deliver(next);
    s.first.take();
    s.deps.clock.advance(15 * minute);
    const looked: number[] = [];
    // Its messages are lost again and again.
    const losing = {
      waiting: async () => 0,
      send: async (messages: readonly DeliveryMessage[]) => {
        const own = messages.filter(({ webhook_id }) => webhook_id === id);
        if (own.some(({ event_id }) => event_id === stuck.id)) looked.push(s.deps.clock.now());
        await s.second.send(own.filter(({ event_id }) => event_id !== stuck.id));
      },
    };
    const startedAt = s.deps.clock.now();
    for (let at = 0; at <= 40; at++) {
      await retryWebhooks(() => ({ ...s.deps, queue: losing }))();
      await s.work();
      s.deps.clock.advance(minute);
    }
    expect(looked.map((at) => (at - startedAt) / minute)).toEqual([0, 5, 15, 35]);
    expect(s.sent.map(({ body }) => body.id)).toEqual([next.id]);
    const { version } = await delivery(id, stuck.id);
    s.deps.clock.advance(hour);
    await s.tick();
    expect(s.sent).toHaveLength(2);
    expect(version).toBeGreaterThan(4);
  });

  it('leaves alone an attempt that is under way, and does not unsettle it', async () => {
    const { id } = await s.register();
    const event = s.event();
    await s.deliver(event);
    s.deps.clock.advance(16 * minute);
    s.endpoint.answer = async () => {
      await s.tick();
      return { status: 200 };
    };
    expect(await s.work()).toBe(0);
    expect(s.sent).toHaveLength(1);
    expect(await delivery(id, event.id)).toMatchObject({ state: 'DELIVERED', due_at: null });
  });

  it('finds deliveries of the older form, which knew no time to look', async () => {
    const { id, event } = await failedOnce();
    const { look_at: _, looks: __, ...older } = await delivery(id, event.id);
    await s.deps.table.put(put(DeliveryEntity, older));
    well();
    s.deps.clock.advance(minute);
    s.second.take();
    await s.tick();
    expect(s.sent).toHaveLength(2);
  });

  it('is spread over parts', () => {
    const shards = Array.from({ length: 800 }, () => deliveryShardOf(s.event().id));
    for (let shard = 0; shard < deliveryShards; shard++)
      expect(shards.filter((one) => one === shard).length).toBeGreaterThan(15);
  });
});

describe('an index that lags', () => {
  /** A table whose index of keys shows none of them. */
  const lagging = () =>
    new Proxy(s.deps.table, {
      get: (target, name) => {
        const method: unknown = Reflect.get(target, name);
        if (typeof method !== 'function') return method;
        const call = method.bind(target) as (...args: unknown[]) => Promise<unknown>;
        if (name !== 'queryAll') return call;
        return (...args: unknown[]) => {
          const [, asked] = args as [object, { index?: string }];
          return asked.index === 'by_team' ? Promise.resolve([]) : call(...args);
        };
      },
    });
  const deliverLagging = async () => {
    const [message] = s.first.take();
    const given = { ...s.deps, post: s.post, signingClock: machineClock, second: s.second };
    await deliver({ ...given, table: lagging(), lane: 'first' }, message!);
  };

  it('neither disables a webhook nor cancels a delivery', async () => {
    const { id } = await s.register();
    const next = await rotateKey(s.deps, 'test', { key_id: s.key.key.key_id, overlapHours: 1 });
    s.deps.clock.advance(2 * hour);
    await s.deliver(s.event());
    await deliverLagging();
    expect(s.sent).toHaveLength(1);
    expect((await s.webhook(id)).state).toBe('ACTIVE');
    await revokeKey(s.deps, next);
    await s.deliver(s.event());
    await deliverLagging();
    expect(s.sent).toHaveLength(1);
    expect(await s.webhook(id)).toMatchObject({ state: 'DISABLED', problem: 'its API key has ended' });
  });
});

describe('a webhook whose retries have run out', () => {
  const exhausted = async () => {
    const { id } = await failedOnce();
    for (let at = 0; at < 9; at++) {
      s.deps.clock.advance(24 * hour);
      await s.tick();
    }
    expect(s.sent).toHaveLength(10);
    return id;
  };
  const bodies = async (id: number) =>
    (await eventsOf(s.deps.table, `WEBHOOK#${id}`)).filter(
      ({ event_type }) => event_type === 'webhook.failing',
    );

  it('is FAILING, and one event reports it', async () => {
    const id = await exhausted();
    expect(await s.webhook(id)).toMatchObject({ state: 'FAILING', problem: 'answers with status 500' });
    expect(await bodies(id)).toMatchObject([
      {
        team_id: s.team_id,
        actor: 'system:webhook',
        data: { id, url: 'https://partner.example.com/hooks', team_ids: [s.team_id] },
      },
    ]);
  });

  it('is sent each event once, until one arrives', async () => {
    const id = await exhausted();
    await s.deliver(s.event());
    await s.work();
    s.deps.clock.advance(24 * hour);
    await s.tick();
    expect(s.sent).toHaveLength(11);
    expect((await s.deliveries(id))[0]).toMatchObject({ state: 'FAILED', next_attempt_at: null });
    well();
    await s.deliver(s.event());
    await s.work();
    expect(await s.webhook(id)).toMatchObject({ state: 'ACTIVE', problem: null, failing_since: null });
    expect(await bodies(id)).toHaveLength(1);
  });

  it('is ACTIVE again, with all its retries, when the partner says so', async () => {
    const id = await exhausted();
    const asked = { params: { webhook_id: id }, body: { state: 'ACTIVE' } };
    expect(await s.ok(s.caller, 'updateWebhook', asked)).toMatchObject({
      state: 'ACTIVE',
      problem: null,
      failing_since: null,
    });
    await s.deliver(s.event());
    await s.work();
    expect((await s.deliveries(id))[0]).toMatchObject({ state: 'PENDING' });
  });

  it.each([
    [23, 1],
    [24, 2],
  ])('is reported again no sooner than a day later: after %d hours, %d in all', async (hours, times) => {
    const id = await exhausted();
    const webhook_id = id;
    await s.ok(s.caller, 'updateWebhook', { params: { webhook_id }, body: { state: 'ACTIVE' } });
    await s.deliver(s.event());
    await s.work();
    for (let at = 0; at < 9; at++) {
      s.deps.clock.advance(24 * hour);
      // As if another delivery had been reported to the owners meanwhile.
      const notified_at = s.deps.clock.now() - hours * hour;
      const ids = { key_id: s.caller.key_id, webhook_id };
      await s.deps.table.transact([
        change(WebhookEntity, ids, { set: { notified_at } }, { when: present() }),
      ]);
      await s.tick();
    }
    expect((await s.webhook(id)).state).toBe('FAILING');
    expect(await bodies(id)).toHaveLength(times);
  });
});

describe('nothing more is sent', () => {
  const waiting = async () => {
    const { id } = await failedOnce();
    well();
    return id;
  };
  const expectSilence = async (id: number) => {
    s.deps.clock.advance(hour);
    await s.deliver(s.event());
    await s.tick();
    expect(s.sent).toHaveLength(1);
    return id;
  };

  it('after 410 Gone, which disables the webhook', async () => {
    const { id } = await s.register();
    failing(410);
    await s.deliver(s.event());
    await s.work();
    expect(await s.webhook(id)).toMatchObject({
      state: 'DISABLED',
      problem: 'answers 410 Gone: the endpoint wants no more events',
    });
    expect(await s.deliveries(id)).toMatchObject([{ state: 'FAILED', next_attempt_at: null }]);
    await expectSilence(id);
  });

  it('while the partner has disabled it; what waits is cancelled', async () => {
    const id = await waiting();
    await s.ok(s.caller, 'updateWebhook', { params: { webhook_id: id }, body: { state: 'DISABLED' } });
    await expectSilence(id);
    expect(await s.deliveries(id)).toMatchObject([{ state: 'CANCELLED', next_attempt_at: null }]);
    await s.ok(s.caller, 'updateWebhook', { params: { webhook_id: id }, body: { state: 'ACTIVE' } });
    await s.deliver(s.event());
    await s.work();
    expect(s.sent).toHaveLength(2);
  });

  it('after it was deleted', async () => {
    const id = await waiting();
    await s.ok(s.caller, 'deleteWebhook', { params: { webhook_id: id } });
    await expectSilence(id);
  });

  it('after the key was revoked, and the webhook says why', async () => {
    const id = await waiting();
    await revokeKey(s.deps, s.key.key);
    await expectSilence(id);
    expect(await s.webhook(id)).toMatchObject({ state: 'DISABLED', problem: 'its API key has ended' });
  });

  it('after the key has expired', async () => {
    s = await webhookScene();
    await waiting();
    const { key_id } = s.key.key;
    await rotateKey(s.deps, 'test', { key_id, overlapHours: 0 }).then((next) => revokeKey(s.deps, next));
    await expectSilence(0);
  });
});

it('the rotation of the key changes nothing', async () => {
  await s.register();
  const next = await rotateKey(s.deps, 'test', { key_id: s.key.key.key_id, overlapHours: 1 });
  s.deps.clock.advance(2 * hour);
  await s.deliver(s.event());
  await s.work();
  expect(s.sent).toHaveLength(1);
  await revokeKey(s.deps, next);
  await s.deliver(s.event());
  await s.work();
  expect(s.sent).toHaveLength(1);
});

describe('a secret that is rotated', () => {
  it('signs along for 24 hours, and then no more', async () => {
    const { id, secret } = await s.register();
    const params = { webhook_id: id };
    const next = await s.ok(s.caller, 'rotateWebhookSecret', { params });
    expect(next.secret).not.toBe(secret);
    expect(next.old_secret_signs_until).toBe('2027-01-16T03:00:00.000Z');
    await s.deliver(s.event());
    await s.work();
    const { headers, text } = s.sent[0]!;
    expect(headers['webhook-signature']?.split(' ')).toHaveLength(2);
    for (const one of [secret, next.secret])
      expect(() => new Verifier(one).verify(text, headers)).not.toThrow();
    s.deps.clock.advance(24 * hour);
    await s.deliver(s.event());
    await s.work();
    const later = s.sent[1]!;
    expect(later.headers['webhook-signature']?.split(' ')).toHaveLength(1);
    expect(() => new Verifier(secret).verify(later.text, later.headers)).toThrow();
    expect(() => new Verifier(next.secret).verify(later.text, later.headers)).not.toThrow();
  });

  it('keeps five at most, however often it is rotated', async () => {
    const { id } = await s.register();
    for (let at = 0; at < 7; at++)
      await s.ok(s.caller, 'rotateWebhookSecret', { params: { webhook_id: id } });
    await s.deliver(s.event());
    await s.work();
    expect(s.sent[0]?.headers['webhook-signature']?.split(' ')).toHaveLength(5);
  });
});
