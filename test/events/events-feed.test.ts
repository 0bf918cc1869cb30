import { DescribeTableCommand, DynamoDBClient } from '@aws-sdk/client-dynamodb';
import { beforeEach, describe, expect, it } from 'vitest';
import { appendEvent } from '../../shared/domain/webhook/append-event.ts';
import { DeliveryEntity } from '../../shared/domain/webhook/delivery.store.ts';
import { EventPageEntity } from '../../shared/domain/webhook/event-page.entity.ts';
import { cursorOf, cursorText } from '../../shared/domain/webhook/feed-part.ts';
import { readEvents } from '../../shared/domain/webhook/read-events.ts';
import { SubscriberEntity } from '../../shared/domain/webhook/webhook.store.ts';
import type { PartnerCaller } from '../../shared/platform/auth.ts';
import type { EventMessage } from '../../shared/platform/events/index.ts';
import { newEventId } from '../../shared/platform/ids.ts';
import { put, remove, type Table } from '../../shared/platform/table/index.ts';
import { once } from '../../shared/platform/once.ts';
import { freshId, testKey, testTableName } from '../support/table.ts';
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
const pagesOf = (team_id: number) =>
  s.deps.table.queryAll(EventPageEntity, { pk: `TEAM#${team_id}#EVENTS`, prefix: 'PAGE#' });
/** An event that shares its page with two others, and one that fills a page. */
const small = () => s.event({ event_type: 'customer.registered', data: { id: 5, team_ids: [s.team_id] } });
const big = () =>
  s.event({
    event_type: 'booking.cancelled',
    data: { ...s.event().data, state: 'CANCELLED', reason: 'x'.repeat(500), refund: 0 },
  });
const deliveries = { send: async () => undefined };
/** Another instance of the worker, which knows nothing of what this one is at. */
const elsewhere = (table: Table = s.deps.table.measured(() => undefined)) => ({
  ...s.deps,
  table,
  deliveries,
});

const isQuery = (property: string | symbol): boolean => property === 'query' || property === 'queryMixed';

/** A table with one of its methods replaced, or with all that ask for a page. */
const tableWith = (
  name: 'transact' | 'put' | 'query' | 'every query',
  instead: (call: (...args: unknown[]) => Promise<unknown>, args: unknown[]) => Promise<unknown>,
  table = s.deps.table,
): Table =>
  new Proxy(table, {
    get: (target, property) => {
      const method: unknown = Reflect.get(target, property);
      if (typeof method !== 'function') return method;
      const call = method.bind(target) as (...args: unknown[]) => Promise<unknown>;
      const isMeant = name === 'every query' ? isQuery(property) : property === name;
      return isMeant ? (...args: unknown[]) => instead(call, args) : call;
    },
  });

describe('the feed', () => {
  it('shows events as webhooks do', async () => {
    const event = s.event();
    await s.deliver(event);
    const { items, has_more } = await read();
    const { id, event_type, data, occurred_at } = event;
    expect(items).toEqual([{ event_type, data, id, occurred_at, team_id: s.team_id }]);
    expect(has_more).toBe(false);
  });

  it('continues after a cursor, which an empty page has too', async () => {
    const partner = reader();
    expect(await partner.poll()).toMatchObject({ items: [], has_more: false });
    const all = events(7);
    for (const event of all) {
      await s.deliver(event);
      await partner.poll();
    }
    expect(partner.seen).toEqual(all.map(({ id }) => id));
    expect((await partner.poll()).items).toEqual([]);
  });

  it.each([1, 2, 3, 100])('comes in parts of %d, each event once', async (limit) => {
    const all = events(25, (at) => ({ team_id: s.team_ids[at % 2]! }));
    for (const event of all) await s.deliver(event);
    const partner = reader(limit);
    expect(await partner.toTheEnd()).toEqual(all.map(({ id }) => id));
  });

  it('shows events of the teams of the key alone, and of those named', async () => {
    const [one, other] = events(2, (at) => ({ team_id: s.team_ids[at]! }));
    const strange = s.event({ team_id: 12 });
    await s.deliver(one!, other!, strange);
    expect((await read()).items.map(({ id }) => id).sort()).toEqual([one!.id, other!.id].sort());
    const named = await read({ team_ids: JSON.stringify([s.team_ids[1], 12]) });
    expect(named.items.map(({ id }) => id)).toEqual([other!.id]);
    // The place of a team that was not asked about is kept.
    const rest = await read({ after: named.next_cursor });
    expect(rest.items.map(({ id }) => id)).toEqual([one!.id]);
  });

  it('shows an event of several teams once, to every key of one of them', async () => {
    const event = s.event({
      event_type: 'customer.registered',
      data: { id: 5, team_ids: s.team_ids },
    });
    await s.deliver(event);
    expect(await reader(1).toTheEnd()).toEqual([event.id]);
    const { caller } = await testKey(s.deps, { team_ids: [s.team_ids[1]!] });
    const { items } = await read({}, caller);
    expect(items).toMatchObject([{ id: event.id, team_id: s.team_ids[1] }]);
    const hooks = [await s.register({ event_types: ['customer.registered'] })];
    const next = s.event({ event_type: 'customer.registered', data: { id: 6, team_ids: s.team_ids } });
    await s.deliver(next);
    await s.work();
    expect(s.sent).toHaveLength(hooks.length);
  });

  it('shows neither events of no team nor internal ones', async () => {
    const ofNobody = s.event({
      event_type: 'customer.registered',
      team_id: null,
      data: { id: 5, team_ids: [] },
    });
    expect(await s.deliver(ofNobody, s.event({ event_type: 'webhook.failing' }))).toBe(1);
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
  it('while several writers enter them at once, twice and in disorder', async () => {
    const events = all();
    const disorder = [...events, ...events.toReversed()];
    const writers = [0, 1, 2, 3].map((writer) =>
      s.deliver(...disorder.filter((_, at) => at % 4 === writer)).then((failed) => expect(failed).toBe(0)),
    );
    const seen = await polling(Promise.all(writers), 7);
    expect(seen.toSorted()).toEqual(events.map(({ id }) => id).toSorted());
  });

  it('while writers of different processes race for the same place', async () => {
    const events = all();
    // A table that lets another writer in between reading and writing.
    const slow = tableWith('transact', async (call, args) => {
      const [first] = args as [{ key: { pk: string } }[]];
      if (!raced.has(first[0]!.key.pk)) {
        raced.add(first[0]!.key.pk);
        await appendEvent(elsewhere(), between.pop()!);
      }
      return call(...args);
    });
    const raced = new Set<string>();
    const between = events.slice(30);
    const entering = (async () => {
      for (const event of events.slice(0, 30)) await s.deliverOver(slow, event);
    })();
    const seen = await polling(entering, 5);
    expect(seen.toSorted()).toEqual(events.map(({ id }) => id).toSorted());
  });

  it('although the writer dies before or after its transaction', async () => {
    const events = all().slice(0, 20);
    for (const [at, event] of events.entries()) {
      const dying = tableWith('transact', async (call, args) => {
        if (at % 2 === 0) await call(...args);
        throw new Error('killed');
      });
      await expect(appendEvent(elsewhere(dying), event)).rejects.toThrow('killed');
      if (at % 5 === 0) await s.deliver(event);
    }
    const partner = reader(3);
    await partner.toTheEnd();
    for (const event of events) await s.deliver(event);
    expect((await partner.toTheEnd()).toSorted()).toEqual(events.map(({ id }) => id).toSorted());
  });
});

describe('a place that was handed out has nothing before it that could still appear', () => {
  it('although a writer has read the last page before another one closed it', async () => {
    await s.deliver(small(), small());
    const late = small();
    const closing = big();
    let isFirst = true;
    const paused = tableWith('transact', async (call, args) => {
      if (isFirst) {
        isFirst = false;
        await appendEvent(elsewhere(), closing);
        await partner.toTheEnd();
      }
      return call(...args);
    });
    const partner = reader();
    await appendEvent(elsewhere(paused), late);
    expect((await partner.toTheEnd()).slice(-2)).toEqual([closing.id, late.id]);
    const pages = await pagesOf(s.team_id);
    expect(pages.map(({ closed_at }) => closed_at !== null)).toEqual([
      ...pages.slice(1).map(() => true),
      false,
    ]);
  });

  it('nor after it: a page that was open when it was read is the last of that answer', async () => {
    await s.deliver(small());
    const more = [small(), big(), small()];
    let isFirst = true;
    // Between the two requests of one read the page grows and closes, and others follow.
    const growing = tableWith('query', async (call, args) => {
      const [kind, asked] = args as [unknown, { limit?: number }];
      const found = (await call(kind, { ...asked, limit: 1 })) as { next?: unknown };
      if (isFirst) {
        isFirst = false;
        for (const event of more) await appendEvent(elsewhere(), event);
        return {
          ...found,
          next: found.next ?? { pk: `TEAM#${s.team_id}#EVENTS`, sk: 'PAGE#0000000000000001' },
        };
      }
      return found;
    });
    const partner = reader();
    const asked = { limit: 100, teams: [s.team_id] };
    const part = await readEvents({ ...s.deps, table: growing }, { ...asked, after: undefined });
    expect(part.items).toHaveLength(1);
    const rest = await readEvents(s.deps, { ...asked, after: part.next_cursor });
    expect(rest.items.map(({ id }) => id)).toEqual(more.map(({ id }) => id));
    expect(await partner.toTheEnd()).toHaveLength(4);
  });

  it('and pages are read as they stand, not as a replica may have them', async () => {
    const reads: unknown[] = [];
    const watched = tableWith('every query', (call, args) => {
      reads.push(args.at(-1));
      return call(...args);
    });
    await appendEvent(elsewhere(watched), small());
    await readEvents({ ...s.deps, table: watched }, { after: undefined, limit: 5, teams: [s.team_id] });
    expect(reads).toHaveLength(2);
    for (const one of reads as { consistent?: boolean; index?: string }[]) {
      expect(one.consistent ?? true).toBe(true);
      expect(one.index).toBeUndefined();
    }
  });
});

describe('events that one worker has at once', () => {
  it('enter in one transaction, the earliest first, each once', async () => {
    const all = Array.from({ length: 10 }, (_, at) =>
      s.event({ occurred_at: `2027-01-15T02:00:0${at}.000Z` }),
    );
    let transactions = 0;
    const counting = tableWith('transact', (call, args) => {
      transactions++;
      return call(...args);
    });
    const worker = elsewhere(counting);
    await Promise.all(all.toReversed().map((event) => appendEvent(worker, event)));
    expect(transactions).toBe(1);
    await Promise.all([...all, ...all].map((event) => appendEvent(worker, event)));
    expect(await reader().toTheEnd()).toEqual(all.map(({ id }) => id));
  });

  it('write their deliveries once although the page was written by another worker meanwhile', async () => {
    await s.register();
    const [event, between] = events(2);
    let puts = 0;
    const counting = tableWith('put', (call, args) => {
      puts++;
      return call(...args);
    });
    const overtaken = tableWith(
      'transact',
      async (call, args) => {
        await appendOnce();
        return call(...args);
      },
      counting,
    );
    const appendOnce = once(() => appendEvent(elsewhere(), between!));
    await appendEvent(elsewhere(overtaken), event!);
    expect(puts).toBe(1);
    expect(await reader().toTheEnd()).toEqual([between!.id, event!.id]);
  });

  it('fail alone: one that cannot enter holds up no other', async () => {
    const [bad, good] = events(2);
    const picky = tableWith('transact', (call, args) => {
      const [writes] = args as [{ key: { pk: string } }[]];
      return writes.some(({ key }) => key.pk.includes(bad!.id))
        ? Promise.reject(new Error('bad'))
        : call(...args);
    });
    const worker = elsewhere(picky);
    const outcomes = await Promise.allSettled([bad!, good!].map((event) => appendEvent(worker, event)));
    expect(outcomes.map(({ status }) => status)).toEqual(['rejected', 'fulfilled']);
    expect(await reader().toTheEnd()).toEqual([good!.id]);
  });

  it('with more webhooks than a transaction has room for are sent to each', async () => {
    const hooks = Array.from({ length: 120 }, () => freshId());
    for (const webhook_id of hooks)
      await s.deps.table.put(
        put(SubscriberEntity, {
          team_id: s.team_id,
          team_ids: [s.team_id],
          webhook_id,
          key_id: s.caller.key_id,
          event_types: ['booking.created'],
        }),
      );
    const [event] = events(1);
    expect(await s.deliver(event!)).toBe(0);
    expect(
      s.first
        .take()
        .map(({ webhook_id }) => webhook_id)
        .toSorted(),
    ).toEqual(hooks.toSorted());
    for (const webhook_id of [hooks[0]!, hooks[119]!])
      expect(await s.deps.table.get(DeliveryEntity, { webhook_id, event_id: event!.id })).toBeDefined();
    expect(await reader().toTheEnd()).toEqual([event!.id]);
  });
});

describe('what is no longer kept', () => {
  const month = 31 * 86_400_000;
  const swept = async () => {
    for (const page of (await pagesOf(s.team_id)).filter(({ closed_at }) => closed_at !== null))
      await s.deps.table.transact([remove(EventPageEntity, page)]);
  };

  it('expires 30 days after its page has closed; the last page stays', async () => {
    for (const event of events(7)) await s.deliver(event);
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

  const refused = async (after: string) => {
    const refusal = await s.refusal(s.caller, 'readEvents', { query: { after } });
    expect(refusal).toMatchObject({ status: 410, code: 'CURSOR_OUT_OF_DATE' });
    return refusal.details as { cursor: string; missed_since: string | null };
  };

  it('is no gap in silence: a cursor that points there is refused, and the answer says where to begin', async () => {
    const { next_cursor } = await read();
    const some = events(8);
    for (const event of some.slice(0, 2)) await s.deliver(event);
    s.deps.clock.advance(3_600_000);
    const early = await read({ limit: '1' });
    for (const event of some.slice(2)) await s.deliver(event);
    s.deps.clock.advance(month);
    const last = await pagesOf(s.team_id);
    for (const isSwept of [false, true]) {
      if (isSwept) await swept();
      expect((await refused(next_cursor)).missed_since).toBe('2027-01-15T03:00:00.000Z');
      const { cursor, missed_since } = await refused(early.next_cursor);
      expect(missed_since).toBe('2027-01-15T03:00:00.000Z');
      const left = await read({ after: cursor });
      expect(left.items.map(({ id }) => id)).toEqual(last.at(-1)!.entries.map(({ id }) => id));
    }
  });

  it.each([0, 1, 2, 3])(
    'is swept in any order (%d): a reader continues without a gap, or is refused',
    async (order) => {
      const day = 86_400_000;
      for (let at = 0; at < 4; at++) {
        await s.deliver(big());
        s.deps.clock.advance(day);
      }
      const ids = (await reader().toTheEnd()).slice();
      const cursors: string[] = [];
      for (let at = 0; at < 4; at++)
        cursors.push(
          (await read({ limit: '1', ...(at > 0 ? { after: cursors[at - 1]! } : {}) })).next_cursor,
        );
      // By the clock the first two pages are past; either may be gone already.
      s.deps.clock.advance(28.5 * day);
      const pages = await pagesOf(s.team_id);
      expect(pages.map(({ number }) => number)).toEqual([1, 2, 3, 4]);
      for (const [at, page] of pages.slice(0, 2).entries())
        if ((order >> at) % 2 === 1) await s.deps.table.transact([remove(EventPageEntity, page)]);
      const readOn = async (cursor: string) => {
        const seen: string[] = [];
        for (let after = cursor; ;) {
          const part = await read({ after, limit: '2' });
          seen.push(...part.items.map(({ id }) => id));
          if (!part.has_more) return seen;
          after = part.next_cursor;
        }
      };
      expect((await read()).items.map(({ id }) => id)).toEqual(ids.slice(2));
      expect(await readOn((await refused(cursors[0]!)).cursor)).toEqual(ids.slice(2));
      expect(await readOn(cursors[1]!)).toEqual(ids.slice(2));
      expect(await readOn(cursors[2]!)).toEqual(ids.slice(3));
    },
  );

  it('does not trouble a reader who has read to the end, nor the numbers of pages', async () => {
    for (const event of events(8)) await s.deliver(event);
    const partner = reader(3);
    await partner.toTheEnd();
    s.deps.clock.advance(month);
    await swept();
    const next = events(5);
    for (const event of next) await s.deliver(event);
    await partner.toTheEnd();
    expect(partner.seen.slice(-5)).toEqual(next.map(({ id }) => id));
    expect(partner.seen).toHaveLength(13);
  });
});

describe('a clock that is turned back', () => {
  const turned = (days: number) => s.deps.clock.advance(days * 86_400_000);
  const steady = Date.parse('2027-01-15T03:00:00Z');
  let made = 0;
  /** Ids grow although the time of the events does not. */
  const written = (given: Partial<EventMessage> = {}) =>
    s.event({ id: newEventId({ now: () => 0, steady: () => steady + made++ }), ...given });

  it('leaves the events of one batch in the order in which they were written', async () => {
    const ahead = written({ occurred_at: '2030-01-01T00:00:00.000Z' });
    const next = written();
    await s.deliver(next, ahead);
    expect(await reader().toTheEnd()).toEqual([ahead.id, next.id]);
  });

  it('closes the pages in their order all the same', async () => {
    const data = big().data;
    const more = () => written({ event_type: 'booking.cancelled', data });
    turned(1000);
    await s.deliver(more());
    await s.deliver({ ...more(), occurred_at: '2027-01-15T03:00:00.000Z' });
    turned(-1000);
    for (let at = 0; at < 3; at++) await s.deliver(more());
    const closed = (await pagesOf(s.team_id)).flatMap(({ closed_at }) => closed_at ?? []);
    expect(closed).toHaveLength(4);
    expect(closed).toEqual(closed.toSorted((one, other) => one - other));
  });
});

describe('a page that leads on from its cursor, or is the last', () => {
  /** A table that does not show a page of the feed yet. */
  const hiding = (number: number): Table =>
    tableWith('query', async (call, args) => {
      const found = (await call(...args)) as { items: { number?: number }[] };
      return { ...found, items: found.items.filter((page) => page.number !== number) };
    });
  const pagesOfThree = async () => {
    const all = [big(), big(), big()];
    for (const event of all) await s.deliver(event);
    return all.map(({ id }) => id);
  };
  const asked = (after?: string) => ({ limit: 100, teams: [s.team_id], after });

  it.each([1, 2])('where page %d is not visible yet: the next poll has it', async (number) => {
    const ids = await pagesOfThree();
    const table = hiding(number);
    const first = await readEvents({ ...s.deps, table }, asked());
    const again = await readEvents({ ...s.deps, table }, asked(first.next_cursor));
    expect([...first.items, ...again.items].map(({ id }) => id)).toEqual(ids.slice(0, number - 1));
    expect([again.has_more, again.next_cursor]).toEqual([false, first.next_cursor]);
    const rest = await readEvents(s.deps, asked(again.next_cursor));
    expect(rest.items.map(({ id }) => id)).toEqual(ids.slice(number - 1));
  });

  it('where pages between two were deleted: the cursor of the refusal is behind them', async () => {
    const ids = await pagesOfThree();
    const first = await read({ limit: '1' });
    const [, second] = await pagesOf(s.team_id);
    await s.deps.table.transact([remove(EventPageEntity, second!)]);
    const after = await refusedCursor(first.next_cursor);
    const rest = await read({ after });
    expect([rest.items.map(({ id }) => id), rest.has_more]).toEqual([ids.slice(2), false]);
  });

  const refusedCursor = async (after: string): Promise<string> => {
    const refusal = await s.refusal(s.caller, 'readEvents', { query: { after } });
    expect(refusal).toMatchObject({ status: 410, code: 'CURSOR_OUT_OF_DATE' });
    return (refusal.details as { cursor: string }).cursor;
  };

  it('where pages were deleted by a clock that was turned back since', async () => {
    const cursor = (await read()).next_cursor;
    const now = s.deps.clock.now();
    const ids = await pagesOfThree();
    const [first] = await pagesOf(s.team_id);
    await s.deps.table.transact([remove(EventPageEntity, first!)]);
    expect(s.deps.clock.now()).toBe(now);
    expect(await reader().toTheEnd()).toEqual(ids.slice(1));
    const after = await refusedCursor(cursor);
    expect((await read({ after })).items.map(({ id }) => id)).toEqual(ids.slice(1));
  });
});

describe('a cursor of another copy of the table', () => {
  const refusalOf = async (after: string) => {
    const { code, details } = await s.refusal(s.caller, 'readEvents', { query: { after } });
    return { code, details: details as { cursor: string; missed_since: string | null } };
  };

  it('is refused once the older copy stands in its place, and one that names no table is still read', async () => {
    await s.deliver(small(), small());
    const { next_cursor } = await read();
    const cursor = cursorOf(next_cursor);
    const restored = cursorText({ ...cursor, epoch: 'the table before' });
    const refusal = await refusalOf(restored);
    expect(refusal).toMatchObject({
      code: 'CURSOR_OUT_OF_DATE',
      details: { missed_since: '2027-01-15T03:00:00.000Z' },
    });
    expect((await read({ after: refusal.details.cursor })).items).toHaveLength(2);
    expect((await read({ after: cursorText({ at: cursor.at }) })).items).toEqual([]);
  });

  it.each([
    ['beyond the last page', [2, 0]],
    ['beyond the entries of the last page', [1, 3]],
  ] as const)('that leads %s is refused, also when it names no table', async (_, place) => {
    await s.deliver(small(), small());
    const refusal = await refusalOf(cursorText({ at: { [s.team_id]: [...place] } }));
    expect(refusal).toMatchObject({ code: 'CURSOR_OUT_OF_DATE', details: { missed_since: null } });
    const next = small();
    await s.deliver(next);
    expect((await read({ after: refusal.details.cursor })).items.map(({ id }) => id)).toContain(next.id);
  });

  it('names the table itself, which a restored copy under the same name is not', async () => {
    const { next_cursor } = await read();
    const client = new DynamoDBClient({});
    const { Table: described } = await client.send(
      new DescribeTableCommand({ TableName: await testTableName() }),
    );
    expect(cursorOf(next_cursor).epoch).toBe(described?.TableId);
  });
});

describe('a request to the feed is refused', () => {
  it('with a cursor that is none, or was changed', async () => {
    await s.deliver(s.event());
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
