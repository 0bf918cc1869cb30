import { describe, expect, it, vi } from 'vitest';
import * as z from 'zod';
import { ignoreConflict } from '../../shared/domain/payment/refunds.ts';
import { fixedClock } from '../../shared/platform/time/clock.ts';
import {
  drainDueList,
  type DueList,
  dueShardOf,
  dueShards,
  longestRunMs,
  retryDelayMs,
} from '../../shared/platform/due/index.ts';
import { ServiceError } from '../../shared/platform/errors.ts';
import { AlreadyInProgress } from '../../shared/platform/events/run-once.ts';
import { dueFields, unsharded } from '../../shared/platform/due/due-list.ts';
import {
  ConflictError,
  type Consumption,
  defineEntity,
  defineRecord,
  maxWrites,
  present,
  put,
  type RecordOf,
  remove,
  TransactionConflictError,
} from '../../shared/platform/table/index.ts';
import { waitingIn } from '../support/due.ts';
import { freshId, testDependencies, testStart } from '../support/table.ts';

const JobRecord = defineRecord(() => ({ ...dueFields(), id: z.int() }));
type Job = RecordOf<typeof JobRecord>;
const start = Date.parse(testStart);
const minute = 60_000;

/** A list of its own, with jobs that each were due a second after the other, the last one now. */
const scene = async (jobs: number) => {
  const clock = fixedClock(testStart);
  const deps = await testDependencies({ clock });
  const partition = `TEST_DUE_${freshId()}`;
  const list: DueList<Job> = {
    partition,
    entity: defineEntity<Job, Job>({
      name: 'TestJob',
      meaning: '',
      patterns: [],
      record: JobRecord,
      key: {
        pk: `${partition}#{shard}`,
        sk: '{due_at:sortable}#{id}',
        derived: { shard: ({ id }) => dueShardOf(id) },
      },
      example: { due_at: 1, id: 1 },
    }),
  };
  const made = Array.from({ length: jobs }, (_, at) => ({ id: (at + 1) * 16, due_at: start - at * 1000 }));
  const write = async (items: Job[], entity = list.entity) => {
    for (let from = 0; from < items.length; from += maxWrites)
      await deps.table.transact(items.slice(from, from + maxWrites).map((item) => put(entity, item)));
  };
  const did = new Map<number, number>();
  /** Does a job and takes it from the list, once over all runs. */
  const work =
    (fails: (job: Job) => boolean = () => false) =>
    async (job: Job): Promise<void> => {
      if (fails(job)) throw new Error('the gateway is down');
      await ignoreConflict(async () => {
        await deps.table.transact([remove(list.entity, job, { when: present() })]);
        did.set(job.id, (did.get(job.id) ?? 0) + 1);
      });
    };
  const run = (given: ReturnType<typeof work> = work(), table = deps.table) =>
    drainDueList({ ...deps, table }, 'test', list, given);
  return { clock, deps, list, made, write, did, work, run, waiting: () => waitingIn(deps.table, list) };
};

const busyFrom = (cause: Error) => new ServiceError('SERVICE_UNAVAILABLE', undefined, {}, { cause });

describe('a run over what is due', () => {
  it('does 2,700 of 3,000 jobs although the 300 oldest fail, and those later, each once', async () => {
    const s = await scene(3000);
    await s.write(s.made);
    const oldest = new Set(s.made.slice(-300).map(({ id }) => id));
    const spent: Consumption[] = [];
    const table = s.deps.table.measured((one) => spent.push(one));
    const fails = s.work(({ id }) => oldest.has(id));
    expect(await s.run(fails, table)).toEqual({ done: 2700, failed: 300 });
    const reads = spent.filter(({ operation }) => operation === 'query');
    // A page holds 100: what is read is what is due, and one look into each shard.
    expect(reads.length).toBeLessThanOrEqual(3000 / 100 + 2 * dueShards + 1);
    const waiting = await s.waiting();
    expect(waiting).toHaveLength(300);
    for (const job of waiting) expect(job).toMatchObject({ due_at: start + 5 * minute, attempts: 1 });
    expect(await s.run()).toEqual({ done: 0, failed: 0 });
    s.clock.advance(5 * minute);
    expect(await s.run()).toEqual({ done: 300, failed: 0 });
    expect(s.did.size).toBe(3000);
    expect(new Set(s.did.values())).toEqual(new Set([1]));
  }, 120_000);

  it('does not put off what fails here and was done by another run meanwhile', async () => {
    const s = await scene(1);
    await s.write(s.made);
    const late = async (job: Job) => {
      await s.work()(job);
      throw new Error('the answer was lost');
    };
    expect(await s.run(late)).toEqual({ done: 0, failed: 1 });
    expect(await s.waiting()).toEqual([]);
  });

  it('puts off what keeps failing: 5, 10, 20, 40 minutes, then each hour', async () => {
    const s = await scene(1);
    await s.write(s.made);
    const gaps = [];
    for (let attempt = 1; attempt <= 6; attempt++) {
      await s.run(s.work(() => true));
      const [job] = await s.waiting();
      expect(job?.attempts).toBe(attempt);
      gaps.push(((job?.due_at ?? 0) - s.clock.now()) / minute);
      s.clock.set(new Date(job?.due_at ?? 0).toISOString());
    }
    expect(gaps).toEqual([5, 10, 20, 40, 60, 60]);
    expect(gaps.map((_, at) => retryDelayMs(at + 1) / minute)).toEqual(gaps);
    expect(await s.run()).toEqual({ done: 1, failed: 0 });
  });

  it.each<[string, () => Error]>([
    ['another delivery', () => new AlreadyInProgress({ consumer: 'test', event_id: 'evt_1', recipient: '' })],
    ['another writer', () => new ConflictError('Job')],
    ['many writers', () => busyFrom(new TransactionConflictError(undefined))],
  ])('warns of a job that conflicts with %s, and logs an error the fourth time', async (_, conflict) => {
    const s = await scene(1);
    await s.write(s.made);
    const [error, warn] = [vi.spyOn(s.deps.log, 'error'), vi.spyOn(s.deps.log, 'warn')];
    for (const logged of [
      [0, 1],
      [0, 2],
      [0, 3],
      [1, 3],
    ]) {
      expect(await s.run(() => Promise.reject(conflict()))).toEqual({ done: 0, failed: 1 });
      expect([error.mock.calls.length, warn.mock.calls.length]).toEqual(logged);
      s.clock.set(new Date((await s.waiting())[0]!.due_at).toISOString());
    }
  });

  it.each([
    ['a real failure', () => new Error('the gateway is down')],
    ['a table that does not answer', () => busyFrom(new Error('ECONNRESET'))],
    ['a throttled table', () => busyFrom(new TransactionConflictError(undefined, true))],
  ])('logs %s as an error at once', async (_, failure) => {
    const s = await scene(1);
    await s.write(s.made);
    const [error, warn] = [vi.spyOn(s.deps.log, 'error'), vi.spyOn(s.deps.log, 'warn')];
    expect(await s.run(() => Promise.reject(failure()))).toEqual({ done: 0, failed: 1 });
    expect([error.mock.calls.length, warn.mock.calls.length]).toEqual([1, 0]);
  });

  it('at the same time as another does each job once, and puts each off once', async () => {
    const s = await scene(200);
    await s.write(s.made);
    const fails = s.work(({ id }) => id % 64 === 0);
    const runs = await Promise.all([s.run(fails), s.run(fails)]);
    expect(runs[0].failed + runs[1].failed).toBeGreaterThanOrEqual(50);
    expect(s.did.size).toBe(150);
    expect(new Set(s.did.values())).toEqual(new Set([1]));
    const waiting = await s.waiting();
    expect(waiting).toHaveLength(50);
    expect(new Set(waiting.map(({ attempts }) => attempts))).toEqual(new Set([1]));
  }, 60_000);

  it('does what was written before there were shards, and brings what is not due yet to its shard', async () => {
    const s = await scene(120);
    const old = unsharded(s.list);
    await s.write(s.made, old);
    await s.write([{ id: 5, due_at: start + minute }], old);
    expect(await s.run()).toEqual({ done: 120, failed: 0 });
    expect(await s.waiting()).toEqual([{ id: 5, due_at: start + minute }]);
    expect(await s.deps.table.queryAll(old, { pk: s.list.partition })).toEqual([]);
    s.clock.advance(minute);
    expect(await s.run()).toEqual({ done: 1, failed: 0 });
  }, 60_000);

  it('begins nothing new when its time is over; the next run continues', async () => {
    const s = await scene(200);
    await s.write(s.made);
    let calls = 0;
    const slow = async (job: Job): Promise<void> => {
      if (++calls === 50) s.clock.advance(longestRunMs);
      await s.work()(job);
    };
    const { done } = await s.run(slow);
    expect(done).toBeGreaterThanOrEqual(50);
    // Those under way when the time was over.
    expect(done).toBeLessThan(50 + 2 * dueShards);
    expect(await s.run()).toEqual({ done: 200 - done, failed: 0 });
  }, 60_000);

  it('fails when something could neither be done nor rescheduled, after all the rest', async () => {
    const s = await scene(20);
    await s.write(s.made);
    const broken = new Proxy(s.deps.table, {
      get: (target, name) => {
        if (name === 'transact') return () => Promise.reject(new Error('throttled'));
        const value: unknown = Reflect.get(target, name, target);
        return typeof value === 'function' ? (value.bind(target) as unknown) : value;
      },
    });
    const run = s.run(
      s.work(({ id }) => id === 16),
      broken,
    );
    await expect(run).rejects.toThrow('1 due items');
    expect(s.did.size).toBe(19);
    expect(await s.waiting()).toEqual([{ id: 16, due_at: start }]);
  });
});

describe('the shards', () => {
  it('take orders, whose ids are multiples of 16, and their stays evenly', () => {
    for (const position of [0, 1, 7]) {
      const sizes = new Map<number, number>();
      for (let order = 1; order <= 8000; order++) {
        const shard = dueShardOf(order * 16 + position);
        sizes.set(shard, (sizes.get(shard) ?? 0) + 1);
      }
      expect(sizes.size).toBe(dueShards);
      expect(Math.max(...sizes.values())).toBeLessThan(650);
      expect(Math.min(...sizes.values())).toBeGreaterThan(350);
    }
  });
});
