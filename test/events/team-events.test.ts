import { beforeEach, describe, expect, it } from 'vitest';
import { EventPageEntity } from '../../shared/domain/webhook/event-page.entity.ts';
import { cursorOf, cursorText } from '../../shared/domain/webhook/feed-part.ts';
import { readTeamEvents } from '../../shared/domain/webhook/read-events.ts';
import type { UserCaller } from '../../shared/platform/auth.ts';
import { remove } from '../../shared/platform/table/index.ts';
import { countingClient, countsUnits, measuredTable } from '../support/costs.ts';
import { Table } from '../../shared/platform/table/index.ts';
import { testContext, testKey, testTableName, testUser } from '../support/table.ts';
import { type WebhookScene, webhookScene } from '../support/webhook-scene.ts';

let s: WebhookScene;
let host: UserCaller;

const member = async (...memberships: UserCaller['memberships']) =>
  (await testUser(s.deps, { memberships })).caller;

beforeEach(async () => {
  s = await webhookScene({ teams: 2 });
  host = await member({ team_id: s.team_id, role: 'STAFF' });
});

const read = (query: Record<string, string> = {}, who: UserCaller = host, team?: number) =>
  s.ok(who, 'readTeamEvents', { query, ...(team ? { headers: { 'X-Team-ID': String(team) } } : {}) });

const refused = (query: Record<string, string>, who: UserCaller = host, team?: number) =>
  s.refusal(who, 'readTeamEvents', { query, ...(team ? { headers: { 'X-Team-ID': String(team) } } : {}) });

const ids = ({ items }: { items: readonly { id: string }[] }) => items.map(({ id }) => id);

/** As many events as fill some pages. */
const deliver = async (count: number, team_id = s.team_id) => {
  const some = Array.from({ length: count }, () => s.event({ team_id }));
  for (const event of some) await s.deliver(event);
  return ids({ items: some });
};

describe('GET /events', () => {
  it.each(['OWNER', 'MANAGER', 'STAFF'] as const)('answers %s what a key of the team gets', async (role) => {
    const expected = await deliver(7);
    const who = await member({ team_id: s.team_id, role });
    const { caller: key } = await testKey(s.deps, { team_ids: [s.team_id] });
    const own = await read({ limit: '5' }, who);
    expect(own).toEqual(await s.ok(key, 'readEvents', { query: { limit: '5' } }));
    expect(own.has_more).toBe(true);
    const rest = await read({ after: own.next_cursor }, who);
    expect([...ids(own), ...ids(rest)]).toEqual(expected);
    expect(rest.has_more).toBe(false);
  });

  it('has nothing of other teams, also of an event that is theirs too', async () => {
    const [mine] = await deliver(1);
    await deliver(1, s.team_ids[1]);
    const shared = s.event({ event_type: 'customer.registered', data: { id: 5, team_ids: s.team_ids } });
    await s.deliver(shared);
    const { items } = await read();
    expect(ids({ items })).toEqual([mine, shared.id]);
    expect(items[1]).toEqual({
      ...{ id: shared.id, event_type: 'customer.registered', occurred_at: shared.occurred_at },
      ...{ team_id: s.team_id, data: { id: 5 } },
    });
  });

  it('is of the acting team, one at a time, and keeps the place in the others', async () => {
    const [mine] = await deliver(1);
    const [theirs] = await deliver(1, s.team_ids[1]);
    const both = await member(...s.team_ids.map((team_id) => ({ team_id, role: 'STAFF' as const })));
    expect((await refused({}, both)).paths).toEqual(['X-Team-ID']);
    const first = await read({}, both, s.team_id);
    const second = await read({ after: first.next_cursor }, both, s.team_ids[1]);
    expect([ids(first), ids(second)]).toEqual([[mine], [theirs]]);
    expect(ids(await read({ after: second.next_cursor }, both, s.team_id))).toEqual([]);
  });

  it('is FORBIDDEN to customers, to members of other teams and to tokens for guests', async () => {
    const customer = await member({ team_id: s.team_id, role: 'CUSTOMER' });
    const other = await member({ team_id: s.team_ids[1]!, role: 'OWNER' });
    expect(await refused({}, customer)).toMatchObject({ status: 403, code: 'FORBIDDEN' });
    expect(await refused({}, other, s.team_id)).toMatchObject({ status: 403, code: 'FORBIDDEN' });
    const guest: UserCaller = { ...host, guest_only: 'APPLICATION' };
    expect(await refused({}, guest)).toMatchObject({ status: 403, code: 'FORBIDDEN' });
    const unproven: UserCaller = { ...host, guest_only: 'MFA' };
    expect(await refused({}, unproven)).toMatchObject({ status: 403, code: 'MFA_REQUIRED' });
  });

  it('refuses cursors that are none with VALIDATION_ERROR, and what has expired with CURSOR_OUT_OF_DATE', async () => {
    expect(await refused({ after: 'bnVsbA' })).toMatchObject({ code: 'VALIDATION_ERROR', paths: ['after'] });
    expect(await refused({ team_ids: '[1]' })).toMatchObject({ code: 'VALIDATION_ERROR' });
    const expected = await deliver(9);
    const { next_cursor } = await read({ limit: '1' });
    const [first, second] = await s.deps.table.queryAll(EventPageEntity, {
      pk: `TEAM#${s.team_id}#EVENTS`,
      prefix: 'PAGE#',
    });
    await s.deps.table.transact([remove(EventPageEntity, first!), remove(EventPageEntity, second!)]);
    const lost = await refused({ after: next_cursor });
    expect(lost).toMatchObject({
      ...{ status: 410, code: 'CURSOR_OUT_OF_DATE' },
      details: { missed_since: s.event().occurred_at },
    });
    const rest = await read({ after: lost.details['cursor'] as string });
    expect(ids(rest)).toEqual(expected.slice(first!.count + second!.count));
  });

  it('with a cursor of another copy of the table is refused, and of one that latest gave', async () => {
    await deliver(1);
    const { next_cursor } = await read({ after: 'latest' });
    const other = cursorText({ ...cursorOf(next_cursor), epoch: 'the table before' });
    expect(await refused({ after: other })).toMatchObject({ code: 'CURSOR_OUT_OF_DATE' });
  });
});

describe('after=latest', () => {
  it.each([0, 1, 7])('begins now, behind %i events', async (count) => {
    await deliver(count);
    const start = await read({ after: 'latest' });
    expect(start).toMatchObject({ items: [], has_more: false });
    expect(await read({ after: start.next_cursor })).toMatchObject({ items: [], has_more: false });
    const expected = await deliver(7);
    const first = await read({ after: start.next_cursor, limit: '3' });
    const rest = await read({ after: first.next_cursor });
    expect([...ids(first), ...ids(rest)]).toEqual(expected);
  });

  it('of a key is behind the events of all of its teams', async () => {
    await deliver(3);
    await deliver(2, s.team_ids[1]);
    const start = await s.ok(s.caller, 'readEvents', { query: { after: 'latest' } });
    expect(start.items).toEqual([]);
    const expected = [...(await deliver(1)), ...(await deliver(1, s.team_ids[1]))];
    const next = await s.ok(s.caller, 'readEvents', { query: { after: start.next_cursor } });
    expect(ids(next).sort()).toEqual(expected.sort());
  });
});

describe.runIf(countsUnits)('the cost', () => {
  it.each([0, 1, 200])(
    'of a poll with nothing new, and of a beginning, is one read unit after %i events',
    async (count) => {
      await deliver(count);
      const { table, cost } = measuredTable(s.deps.table);
      const ctx = testContext({ ...s.deps, table }, host);
      let cursor = '';
      const start = await cost(
        async () => (cursor = (await readTeamEvents(ctx, { after: 'latest', limit: 20 })).next_cursor),
      );
      const polled = await cost(() => readTeamEvents(ctx, { after: cursor, limit: 20 }));
      for (const spent of [start, polled]) {
        expect(spent).toMatchObject({ trips: 1, wcu: 0 });
        expect(spent.rcu).toBeLessThanOrEqual(1);
      }
      const { client, rounds } = countingClient();
      const counted = new Table({ client, tableName: await testTableName() });
      await counted.identity(s.deps.clock.now());
      const before = rounds.made;
      await readTeamEvents(testContext({ ...s.deps, table: counted }, host), { after: cursor, limit: 20 });
      expect(rounds.made - before).toBe(1);
    },
  );
});
