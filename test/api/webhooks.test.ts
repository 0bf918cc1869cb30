import { Webhook as Verifier } from 'standardwebhooks';
import { beforeEach, describe, expect, it } from 'vitest';
import { webhooksRoutes } from '../../functions/webhooks/routes.ts';
import { DeliveryEntity } from '../../shared/domain/webhook/delivery.store.ts';
import { rotateKey } from '../../shared/domain/people/keys.ts';
import { SubscriberEntity } from '../../shared/domain/webhook/webhook.store.ts';
import { OutgoingFailure } from '../../shared/platform/outgoing/index.ts';
import { put } from '../../shared/platform/table/index.ts';
import { freshId, testKey, testTeam } from '../support/table.ts';
import { type WebhookScene, webhookScene } from '../support/webhook-scene.ts';

let s: WebhookScene;
beforeEach(async () => {
  s = await webhookScene();
});

const at = (webhook_id: number, delivery_id?: string) => ({
  params: { webhook_id, ...(delivery_id === undefined ? {} : { delivery_id }) },
});
/** Webhooks of other partners in the team. */
const others = (count: number): Promise<void> => {
  const ids = Array.from({ length: count }, () => ({ webhook_id: freshId(), key_id: freshId() }));
  const made = ids.map((one) => ({ ...one, team_id: s.team_id, team_ids: [s.team_id], event_types: [] }));
  return s.deps.table.transact(made.map((one) => put(SubscriberEntity, one)));
};
const sentOnce = async () => {
  const hook = await s.register();
  const event = s.event();
  await s.deliver(event);
  await s.work();
  return { ...hook, event_id: event.id };
};

describe('a webhook', () => {
  it('is registered for the teams of the key, and shows its secret once', async () => {
    const made = await s.register({
      event_types: ['booking.created', 'booking.created'],
      description: ' CM ',
    });
    expect(made).toMatchObject({
      url: 'https://partner.example.com/hooks',
      event_types: ['booking.created'],
      description: 'CM',
      team_ids: [s.team_id],
      state: 'ACTIVE',
      problem: null,
      failing_since: null,
    });
    expect(made.secret).toMatch(/^whsec_[A-Za-z0-9+/]{43}=$/);
    const { secret, ...shown } = made;
    const list = await s.call(s.caller, 'listWebhooks');
    expect(JSON.parse(list.text)).toEqual({ items: [shown] });
    expect(await s.webhook(made.id)).toEqual(shown);
    for (const text of [list.text, (await s.call(s.caller, 'getWebhook', at(made.id))).text])
      expect(text).not.toContain(secret);
  });

  it('is one, and its secret the same, when the request is repeated with its key', async () => {
    const asked = {
      body: { url: 'https://partner.example.com/', event_types: ['listing.created'] },
      headers: { 'Idempotency-Key': 'register' },
    };
    const [one, other] = [
      await s.call(s.caller, 'createWebhook', asked),
      await s.call(s.caller, 'createWebhook', asked),
    ];
    expect(one.status).toBe(201);
    expect(other).toMatchObject({ status: 201, text: one.text });
    expect(other.headers['Idempotent-Replayed']).toBe('true');
    expect((await s.ok(s.caller, 'listWebhooks')).items).toHaveLength(1);
  });

  it('is changed where something is given', async () => {
    const { id } = await s.register();
    s.deps.clock.advance(1000);
    const changed = await s.ok(s.caller, 'updateWebhook', {
      ...at(id),
      body: { url: 'https://other.example.com/', event_types: ['booking.cancelled'], description: 'Other' },
    });
    expect(changed).toMatchObject({
      url: 'https://other.example.com/',
      event_types: ['booking.cancelled'],
      description: 'Other',
      state: 'ACTIVE',
      updated_at: '2027-01-15T03:00:01.000Z',
    });
    await s.deliver(s.event(), s.event({ event_type: 'booking.cancelled' }));
    await s.work();
    expect(s.sent.map(({ url, body }) => [url, body.event_type])).toEqual([
      ['https://other.example.com/', 'booking.cancelled'],
    ]);
    expect(await s.ok(s.caller, 'updateWebhook', { ...at(id), body: { description: null } })).toMatchObject({
      description: null,
      event_types: ['booking.cancelled'],
    });
  });

  it('is gone when it was deleted', async () => {
    const { id } = await s.register();
    expect(await s.ok(s.caller, 'deleteWebhook', at(id))).toEqual({ message: 'The webhook is deleted.', id });
    expect((await s.refusal(s.caller, 'getWebhook', at(id))).code).toBe('NOT_FOUND');
    expect((await s.refusal(s.caller, 'deleteWebhook', at(id))).code).toBe('NOT_FOUND');
    expect(await s.deps.table.get(SubscriberEntity, { team_id: s.team_id, webhook_id: id })).toBeUndefined();
  });

  it('is the partner’s after the key was rotated', async () => {
    const { id } = await s.register();
    const rotated = await rotateKey(s.deps, 'test', { key_id: s.key.key.key_id, overlapHours: 0 });
    expect(rotated.key_id).not.toBe(s.key.key.key_id);
    // The new key’s caller is the same partner: its id is the first key’s.
    expect(s.caller.key_id).toBe(s.key.key.partner_key_id);
    expect(await s.webhook(id)).toMatchObject({ id });
  });
});

describe('a registration is refused', () => {
  it.each([
    ['http', 'http://partner.example.com/'],
    ['loopback', 'https://127.0.0.1/'],
    ['loopback in disguise', 'https://2130706433/'],
    ['IPv6 loopback', 'https://[::1]/'],
    ['a private address', 'https://10.1.2.3/'],
    ['the metadata address', 'https://169.254.169.254/latest/meta-data'],
    ['a mapped private address', 'https://[::ffff:192.168.0.1]/'],
    ['a name that points inside', 'https://inside.example.com/'],
    ['a password', 'https://me:secret@partner.example.com/'],
    ['another scheme', 'file:///etc/passwd'],
    ['no address', 'partner'],
  ])('with %s', async (_, url) => {
    const body = { url, event_types: ['booking.created'] };
    const refused = { code: 'VALIDATION_ERROR', paths: ['url'] };
    expect(await s.refusal(s.caller, 'createWebhook', { body })).toMatchObject(refused);
    const { id } = await s.register();
    expect(await s.refusal(s.caller, 'updateWebhook', { ...at(id), body: { url } })).toMatchObject(refused);
  });

  it.each([
    [{ event_types: [] }, 'event_types'],
    [{ event_types: ['booking.eaten'] }, 'event_types[0]'],
    [{ event_types: ['webhook.failing'] }, 'event_types[0]'],
    [{ event_types: undefined }, 'event_types'],
    [{ url: undefined }, 'url'],
    [{ description: 'x'.repeat(501) }, 'description'],
    [{ secret: 'whsec_mine' }, 'secret'],
  ])('with %j', async (given, path) => {
    const body = { url: 'https://partner.example.com/', event_types: ['booking.created'], ...given };
    expect(await s.refusal(s.caller, 'createWebhook', { body })).toMatchObject({
      code: 'VALIDATION_ERROR',
      paths: [path],
    });
  });

  it('beyond ten of a key, also when many come at once', async () => {
    const body = { url: 'https://partner.example.com/', event_types: ['booking.created'] };
    const replies = await Promise.all(
      Array.from({ length: 13 }, () => s.call(s.caller, 'createWebhook', { body })),
    );
    expect(replies.filter(({ status }) => status === 201)).toHaveLength(10);
    expect(await s.refusal(s.caller, 'createWebhook', { body })).toMatchObject({
      code: 'VALIDATION_ERROR',
      paths: ['url'],
    });
    const { items } = await s.ok(s.caller, 'listWebhooks');
    await s.ok(s.caller, 'deleteWebhook', at(items[0]!.id));
    await s.register();
  });

  it('beyond fifty of a team', async () => {
    await s.register();
    await others(49);
    const body = { url: 'https://partner.example.com/', event_types: ['booking.created'] };
    expect(await s.refusal(s.caller, 'createWebhook', { body })).toMatchObject({
      code: 'VALIDATION_ERROR',
      paths: ['url'],
    });
  });

  it('beyond fifty of a team where a disabled one, which does not count, is to be ACTIVE again', async () => {
    const { id } = await s.register();
    const set = (state: string) => ({ ...at(id), body: { state } });
    await others(49);
    await s.ok(s.caller, 'updateWebhook', set('ACTIVE'));
    await s.ok(s.caller, 'updateWebhook', set('DISABLED'));
    await others(1);
    expect(await s.refusal(s.caller, 'updateWebhook', set('ACTIVE'))).toMatchObject({
      code: 'VALIDATION_ERROR',
      paths: ['state'],
    });
    await s.ok(s.caller, 'updateWebhook', { ...at(id), body: { description: 'still disabled' } });
  });

  it('not for a key of fifty teams', async () => {
    const teams = await Promise.all(Array.from({ length: 50 }, () => testTeam(s.deps)));
    const { caller } = await testKey(s.deps, { team_ids: teams.map(({ team_id }) => team_id) });
    const body = { url: 'https://partner.example.com/', event_types: ['booking.created'] };
    const headers = { 'Idempotency-Key': 'fifty' };
    const { id } = await s.ok(caller, 'createWebhook', { body, headers });
    await s.ok(caller, 'updateWebhook', { ...at(id), body: { state: 'DISABLED' } });
    await s.ok(caller, 'updateWebhook', { ...at(id), body: { state: 'ACTIVE' } });
  });
});

describe('another key', () => {
  it('is answered NOT_FOUND on every route with an id, and changes nothing', async () => {
    const { id, event_id } = await sentOnce();
    const other = await webhookScene();
    s.sent.length = 0;
    const rows = Object.entries(webhooksRoutes.routes).filter(([, { path }]) => path.includes('{'));
    expect(rows).toHaveLength(7);
    for (const [row, { examples }] of rows) {
      const body = 'body' in examples ? examples.body : undefined;
      const params = at(id, row === 'redeliverWebhook' ? event_id : undefined);
      const asked = { ...params, ...(body === undefined ? {} : { body }) };
      const refusal = await s.refusal(other.caller, row as keyof typeof webhooksRoutes.routes, asked);
      expect(refusal, row).toMatchObject({ status: 404, code: 'NOT_FOUND' });
    }
    expect(s.sent).toEqual([]);
    expect((await s.webhook(id)).state).toBe('ACTIVE');
    expect((await s.ok(other.caller, 'listWebhooks')).items).toEqual([]);
  });
});

describe('a test', () => {
  it('is sent now, signed, and its outcome is the answer', async () => {
    const { id, secret } = await s.register();
    const tested = await s.ok(s.caller, 'testWebhook', at(id));
    expect(tested).toMatchObject({
      event_type: 'webhook.test',
      state: 'DELIVERED',
      next_attempt_at: null,
      attempts: [{ kind: 'manual', response_code: 204, error: null }],
    });
    const { text, headers, body } = s.sent[0]!;
    expect(new Verifier(secret).verify(text, headers)).toEqual(body);
    expect(body).toMatchObject({
      event_type: 'webhook.test',
      data: { id },
      id: tested.id,
      team_id: s.team_id,
    });
    expect(await s.deliveries(id)).toEqual([tested]);
  });

  it('that fails is not tried again', async () => {
    const { id } = await s.register();
    s.endpoint.answer = () => Promise.reject(new OutgoingFailure('cannot be reached (ECONNREFUSED)'));
    expect(await s.ok(s.caller, 'testWebhook', at(id))).toMatchObject({
      state: 'FAILED',
      next_attempt_at: null,
      attempts: [{ response_code: null, error: 'cannot be reached (ECONNREFUSED)' }],
    });
    s.deps.clock.advance(86_400_000);
    await s.tick();
    expect(s.sent).toHaveLength(1);
    expect(await s.webhook(id)).toMatchObject({ state: 'ACTIVE', failing_since: null });
  });

  it('waits for no other: RATE_LIMIT_EXCEEDED while one is under way, and free again after', async () => {
    const { id } = await s.register();
    let answer: (reply: { status: number }) => void = () => undefined;
    const asked = new Promise<void>((arrived) => {
      s.endpoint.answer = () => {
        arrived();
        return new Promise((resolve) => (answer = resolve));
      };
    });
    const first = s.ok(s.caller, 'testWebhook', at(id));
    await asked;
    expect(await s.refusal(s.caller, 'testWebhook', at(id))).toMatchObject({
      status: 429,
      code: 'RATE_LIMIT_EXCEEDED',
    });
    answer({ status: 200 });
    expect(await first).toMatchObject({ state: 'DELIVERED' });
    s.endpoint.answer = () => ({ status: 200 });
    expect(await s.ok(s.caller, 'testWebhook', at(id))).toMatchObject({ state: 'DELIVERED' });
  });

  it('reaches a disabled webhook too, which stays so', async () => {
    const { id } = await s.register();
    await s.ok(s.caller, 'updateWebhook', { ...at(id), body: { state: 'DISABLED' } });
    expect(await s.ok(s.caller, 'testWebhook', at(id))).toMatchObject({ state: 'DELIVERED' });
    expect((await s.webhook(id)).state).toBe('DISABLED');
  });
});

describe('a redelivery', () => {
  it('sends the same again, now', async () => {
    const { id, event_id } = await sentOnce();
    const again = await s.ok(s.caller, 'redeliverWebhook', at(id, event_id));
    expect(again).toMatchObject({ id: event_id, state: 'DELIVERED' });
    expect(again.attempts.map(({ kind }) => kind)).toEqual(['retry', 'manual']);
    expect(s.sent[1]).toMatchObject({ text: s.sent[0]!.text });
    expect(s.sent[1]!.headers['webhook-id']).toBe(event_id);
  });

  it('and a test are sent once for an Idempotency-Key', async () => {
    const { id, event_id } = await sentOnce();
    for (const [row, asked] of [
      ['redeliverWebhook', at(id, event_id)],
      ['testWebhook', at(id)],
    ] as const) {
      const headers = { 'Idempotency-Key': row };
      const before = s.sent.length;
      const first = await s.ok(s.caller, row, { ...asked, headers });
      expect(await s.ok(s.caller, row, { ...asked, headers })).toEqual(first);
      expect(s.sent).toHaveLength(before + 1);
    }
  });

  it('that arrives ends the retries; one that does not changes nothing of them', async () => {
    s.endpoint.answer = () => ({ status: 500 });
    const { id, event_id } = await sentOnce();
    expect(await s.ok(s.caller, 'redeliverWebhook', at(id, event_id))).toMatchObject({
      state: 'PENDING',
      next_attempt_at: '2027-01-15T03:00:05.000Z',
    });
    s.endpoint.answer = () => ({ status: 200 });
    await s.ok(s.caller, 'redeliverWebhook', at(id, event_id));
    s.deps.clock.advance(86_400_000);
    await s.tick();
    expect(s.sent).toHaveLength(3);
    expect(await s.webhook(id)).toMatchObject({ state: 'ACTIVE', failing_since: null });
  });

  it('of what is not there is NOT_FOUND', async () => {
    const { id } = await s.register();
    expect((await s.refusal(s.caller, 'redeliverWebhook', at(id, 'evt_nothing'))).code).toBe('NOT_FOUND');
    expect(await s.refusal(s.caller, 'redeliverWebhook', at(id, 'nothing'))).toMatchObject({
      code: 'VALIDATION_ERROR',
      paths: ['delivery_id'],
    });
  });
});

describe('the deliveries', () => {
  it('come newest first, in parts that fit together', async () => {
    const { id } = await s.register();
    const sentIds: string[] = [];
    for (let n = 0; n < 7; n++) {
      s.deps.clock.advance(1000);
      const event = s.event();
      sentIds.unshift(event.id);
      await s.deliver(event);
    }
    await s.work();
    const seen: string[] = [];
    let cursor: string | null = null;
    do {
      const query: Record<string, string> = { limit: '3', ...(cursor === null ? {} : { cursor }) };
      const part = await s.ok(s.caller, 'listWebhookDeliveries', { ...at(id), query });
      expect(part.items.length).toBeLessThanOrEqual(3);
      seen.push(...part.items.map((one) => one.id));
      cursor = part.next_cursor;
    } while (cursor !== null);
    expect(seen).toEqual(sentIds);
  });

  it('are refused with a cursor that is none', async () => {
    const { id } = await s.register();
    const refusal = await s.refusal(s.caller, 'listWebhookDeliveries', {
      ...at(id),
      query: { cursor: '../x' },
    });
    expect(refusal).toMatchObject({ code: 'VALIDATION_ERROR', paths: ['cursor'] });
  });

  it('are kept 30 days', async () => {
    const { id } = await sentOnce();
    const items = await s.deps.table.queryAll(DeliveryEntity, { pk: `WEBHOOK#${id}` });
    expect(items).toHaveLength(1);
    expect(DeliveryEntity.expiresAt?.(items[0]!)).toBe(Date.parse('2027-02-14T03:00:00Z') / 1000);
  });
});
