import { beforeEach, describe, expect, it } from 'vitest';
import { deliver } from '../../shared/domain/webhook/deliver.ts';
import { disableWebhook, recordHealth, WebhookEntity } from '../../shared/domain/webhook/webhook.store.ts';
import { machineClock } from '../../shared/platform/time/clock.ts';
import { change, present } from '../../shared/platform/table/index.ts';
import { interruptedTable } from '../support/interrupted.ts';
import { type WebhookScene, webhookScene } from '../support/webhook-scene.ts';

let s: WebhookScene;
let id: number;
beforeEach(async () => {
  s = await webhookScene();
  ({ id } = await s.register());
});

const at = () => ({ params: { webhook_id: id } });
const read = async () =>
  (await s.deps.table.get(WebhookEntity, { key_id: s.caller.key_id, webhook_id: id }))!;
const update = (body: object) => s.ok(s.caller, 'updateWebhook', { ...at(), body });

describe('what its partner changes meanwhile', () => {
  it('keeps a webhook from being disabled', async () => {
    const before = await read();
    await update({ url: 'https://partner.example.com/new' });
    await disableWebhook(s.deps, before, 'is gone (410)');
    expect((await s.webhook(id)).state).toBe('ACTIVE');
  });

  it('keeps a webhook disabled that recovers', async () => {
    const failing = { state: 'FAILING' as const, troubled_since: '2027-01-15T01:00:00.000Z' };
    const ids = await read();
    await s.deps.table.transact([change(WebhookEntity, ids, { set: failing }, { when: present() })]);
    const before = await read();
    await update({ state: 'DISABLED' });
    await recordHealth(s.deps, before, true);
    expect((await s.webhook(id)).state).toBe('DISABLED');
  });

  it('keeps a webhook disabled whose retries run out', async () => {
    s.endpoint.answer = () => ({ status: 500 });
    await s.deliver(s.event());
    const [message] = s.first.take();
    const attempt = (table = s.deps.table) => {
      s.deps.clock.advance(24 * 3_600_000);
      const given = { ...s.deps, table, post: s.post, signingClock: machineClock };
      return deliver({ ...given, lane: 'second', second: s.second }, message!);
    };
    for (let tries = 1; tries < 10; tries++) await attempt();
    await attempt(interruptedTable(s.deps.table, 'transact', () => update({ state: 'DISABLED' })));
    expect((await s.deliveries(id))[0]).toMatchObject({ state: 'FAILED' });
    expect((await s.webhook(id)).state).toBe('DISABLED');
  });
});

describe('a test', () => {
  /** Tests under way, each with the function that answers it. */
  const underway = () => {
    const answers: (() => void)[] = [];
    let arrived: () => void = () => undefined;
    s.endpoint.answer = () =>
      new Promise((resolve) => {
        answers.push(() => resolve({ status: 200 }));
        arrived();
      });
    const start = async () => {
      const sent = new Promise<void>((resolve) => (arrived = resolve));
      const tested = s.ok(s.caller, 'testWebhook', at());
      await sent;
      return { tested, answer: answers.pop()! };
    };
    return start;
  };

  it('that outlives its time does not end that of the next', async () => {
    const start = underway();
    const first = await start();
    s.deps.clock.advance(15_000);
    const second = await start();
    first.answer();
    await first.tested;
    expect(await s.refusal(s.caller, 'testWebhook', at())).toMatchObject({ code: 'RATE_LIMIT_EXCEEDED' });
    second.answer();
    await second.tested;
    s.endpoint.answer = () => ({ status: 200 });
    expect(await s.ok(s.caller, 'testWebhook', at())).toMatchObject({ state: 'DELIVERED' });
  });
});
