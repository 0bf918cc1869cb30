import { searchIndexWorker } from '../../../functions/workers/search-index/index.ts';
import { webhookWorker } from '../../../functions/workers/webhook/index.ts';
import type { Listing } from '../../../shared/domain/listing/listing.entity.ts';
import { CellReader, searchListings } from '../../../shared/domain/search/index.ts';
import { SearchQuery } from '../../../shared/domain/search/search.schema.ts';
import { readEvents } from '../../../shared/domain/webhook/read-events.ts';
import { SubscriberEntity } from '../../../shared/domain/webhook/webhook.store.ts';
import { instantText } from '../../../shared/platform/time/clock.ts';
import type { Dependencies } from '../../../shared/platform/context.ts';
import type { EventMessage } from '../../../shared/platform/events/index.ts';
import type { QueueHandler } from '../../../shared/platform/events/handle-messages.ts';
import { newEventId } from '../../../shared/platform/ids.ts';
import { put, type Write } from '../../../shared/platform/table/index.ts';
import {
  searchIndexSubscription,
  type Subscription,
  webhookSubscription,
} from '../../../shared/subscriptions.ts';
import { queueEvent } from '../../support/events.ts';
import { sendAs } from '../schedule/handlers.ts';
import { listingWrites, person, plainListing, start } from '../schedule/scene.ts';
import { makeVirtual, runVirtual, seeded } from '../schedule/virtual.ts';
import { ways } from './crowds.ts';
import { forgetIds, simulatedDependencies, tableOf } from './simulated-dependencies.ts';
import type { Manners } from './manners.ts';
import { SimulatedQueue } from './simulated-queue.ts';
import { SimulatedTable } from './simulated-table.ts';
import { SimulatedTime } from './simulated-time.ts';

/** Events that arrive at a steady rate at the queue of one consumer. */
interface Flow {
  perSecond: number;
  seconds: number;
  manners: Manners;
}

interface FlowReport {
  /** Messages that a worker returned as failed. */
  failures: number;
  /** Milliseconds from an event to the end of its handling. */
  p50_ms: number;
  p99_ms: number;
  problems: string[];
}

interface Playing {
  flow: Flow;
  seed: number;
  subscription: Subscription;
  writes: readonly Write[];
  handler: (deps: Dependencies) => QueueHandler;
  /** What happens before each event, which it returns. */
  happen: (deps: Dependencies, number: number) => Promise<EventMessage>;
  /** What has to be prepared in the table before. */
  prepare?: (deps: Dependencies) => Promise<void>;
  /** What is wrong when all events are handled. */
  check: (deps: Dependencies) => Promise<string[]>;
}

const play = async ({ flow, seed, ...playing }: Playing): Promise<FlowReport> => {
  makeVirtual();
  const time = new SimulatedTime(start);
  const random = seeded(seed);
  const rows = (await tableOf(playing.writes)).rows();
  const calm = new SimulatedTable({ rows });
  forgetIds();
  const virtual = { random, pause: (ms: number) => time.sleep(ms) };
  await runVirtual(virtual, () => playing.prepare?.(simulatedDependencies(calm, time)));
  const table = new SimulatedTable({ time, random, manners: flow.manners, rows: calm.rows() });
  const deps = simulatedDependencies(table, time);
  const queue = new SimulatedQueue(time, playing.subscription, () =>
    playing.handler(simulatedDependencies(table, time)),
  );
  const happen = async (number: number): Promise<void> => {
    await time.sleep((number * 1000) / flow.perSecond);
    queue.send(await playing.happen(deps, number));
  };
  const count = flow.perSecond * flow.seconds;
  runVirtual(virtual, () => {
    queue.start();
    void Promise.all(Array.from({ length: count }, (_, number) => happen(number))).then(() => queue.close());
  });
  await time.toEnd();
  const lags = queue.lags.toSorted((one, other) => one - other);
  const at = (part: number) => Math.round(lags[Math.floor(part * (lags.length - 1))] ?? 0);
  const problems = lags.length === count ? [] : [`${lags.length} of ${count} events were handled`];
  const settled = simulatedDependencies(new SimulatedTable({ rows: table.rows() }), time);
  return {
    failures: queue.failures,
    p50_ms: at(0.5),
    p99_ms: at(0.99),
    problems: [...problems, ...(await playing.check(settled))],
  };
};

const message = (
  deps: Dependencies,
  data: { id: number; listing_id: number } & Record<string, unknown>,
): EventMessage => ({
  id: newEventId(deps.clock),
  event_type: 'booking.created',
  occurred_at: instantText(deps.clock.now()),
  team_id: 1,
  actor: 'user:1',
  data: {
    master_reservation_id: data.id,
    state: 'CONFIRMED',
    payment_status: 'PENDING',
    check_in_date: '2027-03-01',
    check_out_date: '2027-03-02',
    guest_number: 1,
    total_price: 3_300_000,
    currency: 'VND',
    external_system: null,
    external_booking_id: null,
    ...data,
  },
});

const cityId = 1000;
const night = { check_in_date: '2027-03-01', check_out_date: '2027-03-02' };

/** Plays bookings in one city, each of another home, and the worker of the search index. */
export const playBookings = async (flow: Flow, seed: number): Promise<FlowReport> => {
  const count = flow.perSecond * flow.seconds;
  const homes = Array.from({ length: count }, (_, at): Listing => ({
    ...plainListing(cityId + at, 1, `home-${at}`),
    latitude: 16 + (at % 40) / 1000,
    longitude: 108 + Math.floor(at / 40) / 1000,
  }));
  const worker = (deps: Dependencies) => searchIndexWorker(() => deps);
  const found = async (deps: Dependencies): Promise<number> => {
    const query = SearchQuery.parse({
      ...{ location: '16.02,108.02', radius_km: '20', guests: '1' },
      ...{ check_in: night.check_in_date, check_out: night.check_out_date },
    });
    const ctx = { ...deps, caller: person(1, 'an') } as never;
    return (await searchListings(ctx, query, { cells: new CellReader({ keepMs: 0 }) })).total;
  };
  return play({
    ...{ flow, seed, subscription: searchIndexSubscription, handler: worker },
    writes: homes.flatMap(listingWrites),
    prepare: async (deps) => {
      for (let at = 0; at < count; at += 100) {
        const some = homes.slice(at, at + 100);
        await worker(deps)(queueEvent(...some.map(({ id }) => message(deps, { id, listing_id: id }))));
      }
      const before = await found(deps);
      if (before !== count) throw new Error(`search finds ${before} of ${count} homes before the bookings`);
    },
    happen: async (deps, number) => {
      const listing_id = cityId + number;
      const request = ways.confirm({ listing_id, ...night, guest_number: 1 });
      const answer = await sendAs(deps, person(5000 + number, `buyer-${number}`), {
        ...request,
        key: `buyer-${number}`,
      });
      if (answer.status !== 201) throw new Error(`booking ${number}: ${answer.status} ${answer.body}`);
      return message(deps, { id: number + 1, listing_id });
    },
    check: async (deps) => {
      const after = await found(deps);
      return after === 0 ? [] : [`search finds ${after} booked homes`];
    },
  });
};

const webhooks = 50;

/** Plays events of one team with 50 webhooks, and the worker of feed and deliveries. */
export const playFeed = async (flow: Flow, seed: number): Promise<FlowReport> => {
  const count = flow.perSecond * flow.seconds;
  const sent = new Set<string>();
  const subscribers = Array.from({ length: webhooks }, (_, at) =>
    put(SubscriberEntity, {
      ...{ team_id: 1, webhook_id: at + 1, key_id: 4, team_ids: [1], event_types: ['booking.created'] },
    } as never),
  );
  const deliveries = {
    waiting: async () => 0,
    send: async (messages: readonly object[]) => {
      for (const one of messages) sent.add(JSON.stringify(one));
    },
  };
  return play({
    ...{ flow, seed, subscription: webhookSubscription, writes: subscribers },
    handler: (deps) => webhookWorker(() => ({ ...deps, deliveries })),
    happen: async (deps, number) => message(deps, { id: number + 1, listing_id: cityId }),
    check: async (deps) => {
      const ids = new Set<number>();
      let after: string | undefined;
      for (let more = true; more;) {
        const page = await readEvents(deps, { after, limit: 100, teams: [1] });
        for (const { data } of page.items) ids.add((data as { id: number }).id);
        [after, more] = [page.next_cursor, page.has_more];
      }
      const problems: string[] = [];
      if (ids.size !== count) problems.push(`the feed has ${ids.size} of ${count} events`);
      if (sent.size !== count * webhooks) problems.push(`${sent.size} deliveries of ${count * webhooks}`);
      return problems;
    },
  });
};
