import { beforeEach, describe, expect, it } from 'vitest';
import { appendEvent } from '../../shared/domain/webhook/append-event.ts';
import { deliver } from '../../shared/domain/webhook/deliver.ts';
import { readEvents } from '../../shared/domain/webhook/read-events.ts';
import type { EventOf, PublicEventType } from '../../shared/events.ts';
import { machineClock } from '../../shared/platform/time/clock.ts';
import type { Consumption } from '../../shared/platform/table/index.ts';
import { countsUnits } from '../support/costs.ts';
import { type WebhookScene, webhookScene } from '../support/webhook-scene.ts';

// DynamoDB Local reports 4 units for a transactional put of a small item; the DynamoDB documentation says 2, as the emulator does.

let s: WebhookScene;
beforeEach(async () => {
  s = await webhookScene();
});

const spending = async (work: (table: WebhookScene['deps']['table']) => Promise<unknown>) => {
  const spent: Consumption[] = [];
  await work(s.deps.table.measured((one) => spent.push(one)));
  const sum = (units: (one: Consumption) => number) => spent.reduce((total, one) => total + units(one), 0);
  return {
    requests: spent.map(({ operation }) => operation),
    wcu: sum(({ writeUnits }) => writeUnits),
    rcu: sum(({ readUnits }) => readUnits),
  };
};
const entering = (event: EventOf<PublicEventType>) =>
  spending((table) => appendEvent({ ...s.deps, table, deliveries: s.first }, event));
const delivering = async () => {
  const [message] = s.first.take();
  return spending((table) =>
    deliver(
      { ...s.deps, table, post: s.post, signingClock: machineClock, lane: 'first', second: s.second },
      message!,
    ),
  );
};

describe.runIf(countsUnits)('an event', () => {
  it.each([
    [0, 4, 1],
    [1, 6, 1],
    [3, 10, 1],
    [10, 24, 2],
  ])('for %d webhooks takes %d write units; reads: %d', async (hooks, wcu, reads) => {
    for (let at = 0; at < hooks; at++) await s.register();
    await s.deliver(s.event());
    const { rcu, ...spent } = await entering(s.event());
    expect(spent).toEqual({
      requests: [...Array<string>(reads).fill('query'), ...Array<string>(hooks).fill('put'), 'transact'],
      wcu,
    });
    expect(rcu).toBeLessThanOrEqual(2 * reads);
  });

  it('costs two units more where the page of the feed is full, the thousandth what the first did', async () => {
    const costs: number[] = [];
    for (let at = 0; at < 30; at++) costs.push((await entering(s.event())).wcu);
    expect([...new Set(costs)].toSorted()).toEqual([4, 6]);
    expect(costs.filter((cost) => cost === 6).length).toBeLessThanOrEqual(15);
    expect((await entering(s.event())).rcu).toBe(1);
  });

  it('without a subscriber costs no more for webhooks of other types', async () => {
    await s.register({ event_types: ['listing.updated'] });
    await s.deliver(s.event());
    expect(await entering(s.event())).toMatchObject({ wcu: 4 });
  });

  it('that comes again writes nothing, and leaves its deliveries as they are', async () => {
    const { id } = await s.register();
    const event = s.event();
    await s.deliver(event);
    await s.work();
    const before = await s.deliveries(id);
    expect(before).toMatchObject([{ state: 'DELIVERED' }]);
    expect((await entering(event)).requests).toEqual(['query']);
    expect(await s.deliveries(id)).toEqual(before);
    await s.work();
    expect(s.sent).toHaveLength(1);
  });
});

describe.runIf(countsUnits)('an attempt', () => {
  it('that arrives reads once and writes twice: the claim and what came of it', async () => {
    await s.register();
    await s.deliver(s.event());
    const { requests, wcu, rcu } = await delivering();
    expect(requests.toSorted()).toEqual(['batch-get', 'put', 'put', 'query']);
    // Each with its place among the due ones, which the outcome takes away.
    expect(wcu).toBe(4);
    expect(rcu).toBeLessThanOrEqual(3);
  });

  it('that fails takes another place among the due ones', async () => {
    await s.register();
    s.endpoint.answer = () => ({ status: 500 });
    await s.deliver(s.event());
    const { wcu } = await delivering();
    // Its place moves, and the start of the webhook's failures is recorded.
    expect(wcu).toBeLessThanOrEqual(7);
  });
});

describe.runIf(countsUnits)('a poll of the feed', () => {
  it('that finds nothing new is one read, and a hundred events a handful', async () => {
    for (let at = 0; at < 100; at++) await s.deliver(s.event());
    const asked = { teams: s.team_ids, limit: 100 };
    const { next_cursor } = await readEvents(s.deps, { ...asked, after: undefined });
    expect(
      await spending((table) => readEvents({ ...s.deps, table }, { ...asked, after: next_cursor })),
    ).toMatchObject({
      requests: ['query'],
      rcu: 1,
    });
    const { rcu } = await spending((table) =>
      readEvents({ ...s.deps, table }, { ...asked, after: undefined }),
    );
    expect(rcu).toBeLessThanOrEqual(15);
  });
});
