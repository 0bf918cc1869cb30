import { beforeEach, describe, expect, it } from 'vitest';
import { EventPageEntity, type EventPage } from '../../shared/domain/webhook/event-page.entity.ts';
import { enterEvent } from '../../shared/domain/webhook/index.ts';
import type { PartnerCaller } from '../../shared/platform/auth.ts';
import type { EventMessage } from '../../shared/platform/events/index.ts';
import type { Table } from '../../shared/platform/table/index.ts';
import { remove } from '../../shared/platform/table/index.ts';
import { testKey } from '../support/table.ts';
import { type WebhookScene, webhookScene } from '../support/webhook-scene.ts';

let s: WebhookScene;
beforeEach(async () => {
  s = await webhookScene({ teams: 2 });
});

const read = (query: Record<string, string> = {}, who: PartnerCaller = s.caller) =>
  s.ok(who, 'readEvents', { query });

/** A partner that reads on from where it was. */
const reader = (limit = 100, who: PartnerCaller = s.caller) => {
  const seen: string[] = [];
  let after: string | undefined;
  const poll = async () => {
    const part = await read({ limit: String(limit), ...(after === undefined ? {} : { after }) }, who);
    seen.push(...part.items.map(({ id }) => id));
    after = part.next_cursor;
    return part;
  };
  return {
    seen,
    poll,
    toTheEnd: async () => {
      while ((await poll()).has_more);
      return seen;
    },
  };
};

const events = (count: number, given: (at: number) => Partial<EventMessage> = () => ({})) =>
  Array.from({ length: count }, (_, at) => s.event(given(at)));
const pagesOf = async (team_id: number) =>
  (await s.deps.table.queryAll({ pk: `TEAM#${team_id}#EVENTS`, prefix: 'PAGE#' }))
    .items as unknown as EventPage[];

describe('the feed', () => {
  it('tells events as webhooks do', async () => {
    const event = s.event();
    await s.tell(event);
    const { items, has_more } = await read();
    const { id, event_type, data, occurred_at } = event;
    expect(items).toEqual([{ event_type, data, id, occurred_at, team_id: s.team_id }]);
    expect(has_more).toBe(false);
  });

  it('goes on after a cursor, which an empty page has too', async () => {
    const partner = reader();
    expect(await partner.poll()).toMatchObject({ items: [], has_more: false });
    const all = events(7);
    for (const event of all) {
      await s.tell(event);
      await partner.poll();
    }
    expect(partner.seen).toEqual(all.map(({ id }) => id));
    expect((await partner.poll()).items).toEqual([]);
  });

  it.each([1, 2, 3, 100])('comes in parts of %d, each event once', async (limit) => {
    const all = events(25, (at) => ({ team_id: s.team_ids[at % 2]! }));
    for (const event of all) await s.tell(event);
    const partner = reader(limit);
    expect(await partner.toTheEnd()).toEqual(all.map(({ id }) => id));
  });

  it('tells of the teams of the key alone, and of those named', async () => {
    const [one, other] = events(2, (at) => ({ team_id: s.team_ids[at]! }));
    const strange = s.event({ team_id: 12 });
    await s.tell(one!, other!, strange);
    expect((await read()).items.map(({ id }) => id).sort()).toEqual([one!.id, other!.id].sort());
    const named = await read({ team_ids: JSON.stringify([s.team_ids[1], 12]) });
    expect(named.items.map(({ id }) => id)).toEqual([other!.id]);
    // The place of a team that was not asked about is kept.
    const rest = await read({ after: named.next_cursor });
    expect(rest.items.map(({ id }) => id)).toEqual([one!.id]);
  });

  it('tells an event of several teams once, to whoever holds one of them', async () => {
    const event = s.event({
      event_type: 'customer.registered',
      data: { id: 5, team_ids: s.team_ids },
    });
    await s.tell(event);
    expect(await reader(1).toTheEnd()).toEqual([event.id]);
    const { caller } = await testKey(s.deps, { team_ids: [s.team_ids[1]!] });
    const { items } = await read({}, caller);
    expect(items).toMatchObject([{ id: event.id, team_id: s.team_ids[1] }]);
    const hooks = [await s.register({ event_types: ['customer.registered'] })];
    const next = s.event({ event_type: 'customer.registered', data: { id: 6, team_ids: s.team_ids } });
    await s.tell(next);
    await s.work();
    expect(s.sent).toHaveLength(hooks.length);
  });

  it('does not tell what concerns no team, nor what the service tells itself', async () => {
    await s.tell(
      s.event({ event_type: 'customer.registered', team_id: null, data: { id: 5, team_ids: [] } }),
      s.event({ event_type: 'webhook.failing' }),
    );
    expect((await read()).items).toEqual([]);
  });
});

describe('a reader that polls all the time sees each event exactly once', () => {
  const all = () => events(60, (at) => ({ team_id: s.team_ids[at % 3 === 0 ? 1 : 0]! }));
  const polling = async (writing: Promise<unknown>, limit: number) => {
    const writers = { atWork: true };
    const done = writing.finally(() => (writers.atWork = false));
    const partner = reader(limit);
    while (writers.atWork) await partner.poll();
    await done;
    return partner.toTheEnd();
  };
  const deliveries = { send: async () => undefined };
  /** Another instance of the worker, which knows nothing of the turns of this one. */
  const elsewhere = (table: Table = s.deps.table) => ({ ...s.deps, table, deliveries });

  it('while several writers enter them at once, twice and in disorder', async () => {
    const told = all();
    const disorder = [...told, ...told.toReversed()];
    const writers = [0, 1, 2, 3].map((writer) =>
      s.tell(...disorder.filter((_, at) => at % 4 === writer)).then((failed) => expect(failed).toBe(0)),
    );
    const seen = await polling(Promise.all(writers), 7);
    expect(seen.toSorted()).toEqual(told.map(({ id }) => id).toSorted());
  });

  it('while writers of different processes race for the same place', async () => {
    const told = all();
    // A table that lets another writer in between reading and writing.
    const slow = new Proxy(s.deps.table, {
      get: (target, name) => {
        const method: unknown = Reflect.get(target, name);
        if (typeof method !== 'function') return method;
        const call = method.bind(target) as (...args: unknown[]) => Promise<unknown>;
        if (name !== 'transact') return call;
        return async (...args: unknown[]) => {
          const [first] = args as [{ key: { pk: string } }[]];
          if (raced.has(first[0]!.key.pk)) return call(...args);
          raced.add(first[0]!.key.pk);
          await enterEvent(elsewhere(), between.pop()!, (_, work) => work());
          return call(...args);
        };
      },
    });
    const raced = new Set<string>();
    const between = told.slice(30);
    const entering = (async () => {
      for (const event of told.slice(0, 30)) await s.tellOver(slow, event);
    })();
    const seen = await polling(entering, 5);
    expect(seen.toSorted()).toEqual(told.map(({ id }) => id).toSorted());
  });

  it('although the writer dies before or after its transaction', async () => {
    const told = all().slice(0, 20);
    for (const [at, event] of told.entries()) {
      const dying = new Proxy(s.deps.table, {
        get: (target, name) => {
          const method: unknown = Reflect.get(target, name);
          if (typeof method !== 'function') return method;
          const call = method.bind(target) as (...args: unknown[]) => Promise<unknown>;
          if (name !== 'transact') return call;
          return async (...args: unknown[]) => {
            if (at % 2 === 0) await call(...args);
            throw new Error('killed');
          };
        },
      });
      await expect(enterEvent(elsewhere(dying), event)).rejects.toThrow('killed');
      if (at % 5 === 0) await s.tell(event);
    }
    const partner = reader(3);
    await partner.toTheEnd();
    for (const event of told) await s.tell(event);
    expect((await partner.toTheEnd()).toSorted()).toEqual(told.map(({ id }) => id).toSorted());
  });
});

describe('what is no longer kept', () => {
  const month = 31 * 86_400_000;
  const swept = async () => {
    for (const page of (await pagesOf(s.team_id)).filter(({ closed_at }) => closed_at !== null))
      await s.deps.table.transact([remove(EventPageEntity, page)]);
  };

  it('expires 30 days after its page has closed; the last page stays', async () => {
    for (const event of events(7)) await s.tell(event);
    const pages = await pagesOf(s.team_id);
    expect(pages.map(({ number }) => number)).toEqual(pages.map((_, at) => at + 1));
    expect(pages.map(({ closed_at }) => closed_at !== null)).toEqual([
      ...pages.slice(1).map(() => true),
      false,
    ]);
    const [first] = pages;
    expect(EventPageEntity.expiresAt?.(first!)).toBe(Date.parse('2027-02-14T03:00:00Z') / 1000);
    expect(EventPageEntity.expiresAt?.(pages.at(-1)!)).toBeUndefined();
  });

  it('is no gap in silence: a cursor that points there is refused', async () => {
    const { next_cursor } = await read();
    const some = events(8);
    for (const event of some.slice(0, 2)) await s.tell(event);
    const early = await read({ limit: '1' });
    for (const event of some.slice(2)) await s.tell(event);
    s.deps.clock.advance(month);
    await swept();
    for (const after of [next_cursor, early.next_cursor]) {
      const refusal = await s.refusal(s.caller, 'readEvents', { query: { after } });
      expect(refusal).toMatchObject({ code: 'VALIDATION_ERROR', paths: ['after'] });
    }
    const left = await read();
    expect(left.items.length).toBeGreaterThan(0);
    expect(left.items.length).toBeLessThan(8);
  });

  it('does not trouble a reader who has read to the end, nor the numbers of pages', async () => {
    for (const event of events(8)) await s.tell(event);
    const partner = reader(3);
    await partner.toTheEnd();
    s.deps.clock.advance(month);
    await swept();
    const next = events(5);
    for (const event of next) await s.tell(event);
    await partner.toTheEnd();
    expect(partner.seen.slice(-5)).toEqual(next.map(({ id }) => id));
    expect(partner.seen).toHaveLength(13);
  });
});

describe('a request to the feed is refused', () => {
  it('with a cursor that is none, or was changed', async () => {
    await s.tell(s.event());
    const { next_cursor } = await read();
    const changed = Buffer.from(
      Buffer.from(next_cursor, 'base64url').toString().replace('[1,1]', '[9,1]'),
    ).toString('base64url');
    expect(changed).not.toBe(next_cursor);
    for (const after of ['x', 'bnVsbA', changed, `${next_cursor}A`.slice(2)]) {
      const refusal = await s.refusal(s.caller, 'readEvents', { query: { after } });
      expect(refusal).toMatchObject({ code: 'VALIDATION_ERROR', paths: ['after'] });
    }
  });

  it('with a limit that is none, and team_ids that are no JSON', async () => {
    for (const limit of ['0', '101', 'x'])
      expect(await s.refusal(s.caller, 'readEvents', { query: { limit } })).toMatchObject({
        code: 'VALIDATION_ERROR',
        paths: ['limit'],
      });
    expect(await s.refusal(s.caller, 'readEvents', { query: { team_ids: '1,2' } })).toMatchObject({
      code: 'EXTERNAL_INVALID_REQUEST',
    });
  });
});
