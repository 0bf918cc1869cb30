import { beforeEach, describe, expect, it } from 'vitest';
import { feedsOf, FollowedFeedEntity } from '../../shared/domain/ical/ical.store.ts';
import { syncFeed } from '../../shared/domain/ical/sync-feed.ts';
import { change, present } from '../../shared/platform/table/index.ts';
import { event, nights } from '../support/calendars.ts';
import { importScene } from '../support/import-scene.ts';

let s: Awaited<ReturnType<typeof importScene>>;
beforeEach(async () => {
  s = await importScene();
  s.publish(nights('a', '2027-02-04', '2027-02-06'));
  await s.follow();
});

const feed = async () => (await feedsOf(s.deps.table, s.listing.id))[0]!;
const taken = ['2027-02-04T14 2027-02-06T12'];

type Table = typeof s.deps.table;

/** Returns the table with another `transact`. */
const tableWith = (transact: (given: Parameters<Table['transact']>) => Promise<void>): Table =>
  new Proxy(s.deps.table, {
    get: (target, name: keyof Table) => {
      if (name === 'transact') return async (...given: Parameters<Table['transact']>) => transact(given);
      return (...given: never[]): unknown => (target[name] as (...all: never[]) => unknown)(...given);
    },
  });

/** A run whose process ends once it has recorded that it reads: nothing after its first transaction happens. */
const dies = async (): Promise<void> => {
  const never = new Promise<void>(() => undefined);
  await new Promise<void>((resolve) => {
    const table = tableWith(async (given) => {
      await s.deps.table.transact(...given);
      resolve();
      await never;
    });
    void feed().then((ids) => syncFeed({ ...s.deps, table, fetchCalendar: s.fetchCalendar }, ids));
  });
};

describe('a calendar whose reading ended the process', () => {
  beforeEach(async () => {
    s.deps.clock.advance(600_000);
    s.publish(nights('a', '2027-02-04', '2027-02-07'));
    await dies();
  });

  it('has its start on record, and is left alone while that run may live', async () => {
    expect(await feed()).toMatchObject({ reading: true, failures: 0 });
    const before = await feed();
    await s.sync();
    expect(await feed()).toEqual(before);
  });

  it('is a failed fetch for the next run, which does not read it again at once', async () => {
    s.deps.clock.advance(61_000);
    const fetched = s.remote.asked.length;
    expect(await s.sync()).toMatchObject({ status: 'FAILING', problem: 'takes too long to read' });
    expect(s.remote.asked).toHaveLength(fetched);
    expect(await feed()).not.toHaveProperty('reading');
    expect((await feed()).next_sync_at).toBe(s.deps.clock.now() + 10 * 60_000);
    expect(await s.blocks()).toEqual(taken);
  });

  it('is read again after the pause, and is well when that ends', async () => {
    s.deps.clock.advance(61_000);
    await s.sync();
    expect(await s.next()).toMatchObject({ status: 'ACTIVE', problem: null });
    expect(await s.blocks()).toEqual(['2027-02-04T14 2027-02-07T12']);
  });

  it('waits longer each time it does so again', async () => {
    for (const minutes of [10, 20, 30, 30]) {
      s.deps.clock.advance(61_000);
      await s.sync();
      expect((await feed()).next_sync_at).toBe(s.deps.clock.now() + minutes * 60_000);
      s.deps.clock.advance(minutes * 60_000);
      await dies();
      expect(await feed()).toMatchObject({ reading: true });
    }
  });
});

describe('a calendar that takes too long', () => {
  it('keeps what it took, is FAILING with the reason, and is read once it is shorter', async () => {
    const rule = 'RRULE:FREQ=DAILY;BYMONTH=2;BYMONTHDAY=30';
    s.publish(
      ...Array.from({ length: 10_000 }, (_, n) => event(`UID:${n}`, 'DTSTART;VALUE=DATE:16010101', rule)),
    );
    expect(await s.next()).toMatchObject({ status: 'FAILING', problem: 'takes too long to read' });
    expect(await feed()).not.toHaveProperty('reading');
    expect(await s.blocks()).toEqual(taken);
    s.publish(nights('a', '2027-02-04', '2027-02-08'));
    expect(await s.next()).toMatchObject({ status: 'ACTIVE' });
  });
});

describe('a reading beside another writer', () => {
  it('leaves the feed due, not failed', async () => {
    s.deps.clock.advance(600_000);
    s.publish(nights('a', '2027-02-04', '2027-02-07'));
    const ids = await feed();
    let writes = 0;
    const contested = tableWith(async (given) => {
      // The feed is written by another before the last write of this run.
      if (++writes === 3) await s.deps.table.transact([bump(await feed())]);
      await s.deps.table.transact(...given);
    });
    await syncFeed({ ...s.deps, table: contested, fetchCalendar: s.fetchCalendar }, ids);
    expect(await feed()).toMatchObject({ failures: 0, problem: null });
  });
});

const bump = (of: Awaited<ReturnType<typeof feed>>) =>
  change(FollowedFeedEntity, of, { set: { version: of.version + 1 } }, { when: present() });
