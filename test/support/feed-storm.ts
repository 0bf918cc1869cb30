import { appendEvent } from '../../shared/domain/webhook/append-event.ts';
import { readEvents } from '../../shared/domain/webhook/read-events.ts';
import type { EventOf, PublicEventType } from '../../shared/events.ts';
import { instantText } from '../../shared/platform/time/clock.ts';
import { newEventId } from '../../shared/platform/ids.ts';
import { Table } from '../../shared/platform/table/index.ts';
import { subscriptions } from '../../shared/subscriptions.ts';
import { hostile } from '../prove/memory/manners.ts';
import { sdkClient } from '../prove/memory/sdk-client.ts';
import { SimulatedTable } from '../prove/memory/simulated-table.ts';
import { SimulatedTime } from '../prove/memory/simulated-time.ts';
import { silentLog } from '../prove/schedule/handlers.ts';
import { makeVirtual, runVirtual, seeded } from '../prove/schedule/virtual.ts';

const start = Date.parse('2027-01-15T03:00:00.000Z');
const { batchSize } = subscriptions.find(({ consumer }) => consumer === 'webhook')!;
const team_id = 7;

interface Storm {
  seed: number;
  events: number;
  workers: number;
  /** The page limits of readers that poll continuously. */
  limits: readonly number[];
}

/**
 * Runs workers that enter one team's events concurrently, over overlapping transactions, while partners read, in simulated
 * time.
 */
export const feedStorm = async ({ seed, events, workers, limits }: Storm) => {
  makeVirtual();
  const time = new SimulatedTime(start);
  const random = seeded(seed);
  const simulated = new SimulatedTable({ time, random, manners: hostile });
  const clock = { now: () => Math.floor(time.now()) };
  /** Each instance has its own Table over the same items. */
  const instance = () => ({
    clock,
    log: silentLog,
    deliveries: { send: async () => undefined },
    table: new Table({ client: sdkClient(simulated), tableName: 'storm' }),
  });
  const all = Array.from({ length: events }, (_, at) => eventOf(clock, at));
  // The queue delivers every seventh message twice.
  const queue = [...all, ...all.filter((_, at) => at % 7 === 0)];
  let failed = 0;
  let atWork = workers;
  const work = async () => {
    const deps = instance();
    for (let batch = queue.splice(0, batchSize); batch.length > 0; batch = queue.splice(0, batchSize))
      await Promise.all(batch.map((event) => appendEvent(deps, event).catch(() => (failed += 1))));
    atWork--;
  };
  const read = async (limit: number) => {
    const deps = instance();
    const seen: string[] = [];
    let after: string | undefined;
    for (let isLast = false; ;) {
      const part = await readEvents(deps, { after, limit, teams: [team_id] });
      seen.push(...part.items.map(({ id }) => id));
      after = part.next_cursor;
      if (isLast && !part.has_more) return seen;
      isLast = atWork === 0;
    }
  };
  const reading = runVirtual({ random, pause: (ms) => time.sleep(ms) }, () => {
    for (let worker = 0; worker < workers; worker++) void work();
    return limits.map(read);
  });
  const progress = { isOver: false };
  const over = Promise.all(reading).finally(() => (progress.isOver = true));
  over.catch(() => undefined);
  while (!progress.isOver) await time.toEnd();
  return {
    ids: all.map(({ id }) => id),
    seen: await over,
    failed,
    counts: simulated.counts(),
    ms: time.now() - start,
  };
};

/** Returns events of sizes that fill a page alone, by two or by three. */
const eventOf = (clock: { now: () => number }, at: number): EventOf<PublicEventType> => {
  const frame = { id: newEventId(clock), occurred_at: instantText(clock.now()), team_id, actor: 'user:1' };
  const booking = {
    ...{ id: 1000 + at, master_reservation_id: 992, listing_id: 3 },
    payment_status: 'PENDING' as const,
  };
  if (at % 3 === 0)
    return { ...frame, event_type: 'booking.created', data: { ...booking, state: 'CONFIRMED' } };
  if (at % 3 === 1) {
    const reason = 'Khách đổi kế hoạch. '.repeat(1 + (at % 12));
    return {
      ...frame,
      event_type: 'booking.cancelled',
      data: { ...booking, state: 'CANCELLED', reason, refund: 0 },
    };
  }
  return { ...frame, event_type: 'customer.registered', data: { id: at, team_ids: [team_id] } };
};
