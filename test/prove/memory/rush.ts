import { chatWorker } from '../../../functions/workers/chat/index.ts';
import { icalWorker } from '../../../functions/workers/ical/index.ts';
import { listIndexWorker } from '../../../functions/workers/list-index/index.ts';
import { notificationWorker } from '../../../functions/workers/notification/index.ts';
import { searchIndexWorker } from '../../../functions/workers/search-index/index.ts';
import { webhookWorker } from '../../../functions/workers/webhook/index.ts';
import type { Dependencies } from '../../../shared/platform/context.ts';
import { TransactWriteCommand } from '../../../shared/platform/dynamodb/index.ts';
import type { QueueHandler } from '../../../shared/platform/events/handle-messages.ts';
import { type DomainEvent, EventEntity, type EventMessage } from '../../../shared/platform/events/index.ts';
import { newEventId } from '../../../shared/platform/ids.ts';
import { Table } from '../../../shared/platform/table/index.ts';
import { instantText } from '../../../shared/platform/time/clock.ts';
import { addDays } from '../../../shared/platform/time/time.ts';
import { type Subscription, subscriptions } from '../../../shared/subscriptions.ts';
import { testTeam, testUser } from '../../support/builders.ts';
import { queueEvent } from '../../support/events.ts';
import { sendAs } from '../schedule/handlers.ts';
import { listingWrites, person, plainListing, start } from '../schedule/scene.ts';
import { makeVirtual, runVirtual, seeded } from '../schedule/virtual.ts';
import { ways } from './crowds.ts';
import { type Manners, usual } from './manners.ts';
import { sdkClient } from './sdk-client.ts';
import { forgetIds, simulatedDependencies, tableOf } from './simulated-dependencies.ts';
import { SimulatedQueue } from './simulated-queue.ts';
import { type Command, SimulatedTable } from './simulated-table.ts';
import { SimulatedTime } from './simulated-time.ts';

/** Bookings of many teams at a steady rate, with all that follows them. */
interface Rush {
  perSecond: number;
  seconds: number;
  teams: number;
  /** Homes of each team, which are booked in turn, a night of each. */
  homes: number;
  seed: number;
  manners?: Manners;
  /** What is tried in place of a consumer's subscription. */
  instead?: Record<string, Pick<Partial<Subscription>, 'batchSize' | 'concurrency'>>;
}

/** Milliseconds. */
interface Times {
  p50: number;
  p99: number;
}

interface RushReport {
  /** Answers by status. */
  answers: Record<string, number>;
  answered: Times;
  /** From a booking's event to the end of its handling, by consumer. */
  consumers: Record<string, Times & { failures: number }>;
  /** The most units that one partition key had to take in a second, by kind of key; 1,000 or 3,000 are possible. */
  busiest: { partition: string; units: number }[];
  manners: Record<string, number>;
}

/** What the stream, its publisher and the bus take, which are not played here. */
const busMs = 300;

const workers: Record<string, (deps: Dependencies) => QueueHandler> = {
  notification: (deps) =>
    notificationWorker(() => ({ ...deps, mailer: { send: async () => undefined }, pages: undefined })),
  chat: (deps) => chatWorker(() => deps),
  ical: (deps) => icalWorker(() => deps),
  webhook: (deps) => webhookWorker(() => ({ ...deps, deliveries: { send: async () => undefined } })),
  'search-index': (deps) => searchIndexWorker(() => deps),
  'list-index': (deps) => listIndexWorker(() => deps),
};

/** Plays a rush in simulated time, each worker with the batches and instances that it has on AWS. */
export const playRush = async (rush: Rush): Promise<RushReport> => {
  makeVirtual();
  const time = new SimulatedTime(start);
  const random = seeded(rush.seed);
  const virtual = { random, pause: (ms: number) => time.sleep(ms) };
  forgetIds();
  const { rows, homes } = await runVirtual(virtual, () => prepared(rush, time));
  const table = new SimulatedTable({ time, random, manners: rush.manners ?? usual, rows });
  const listening = subscriptions.filter(({ event_types }) =>
    event_types.some((type) => type === 'booking.created'),
  );
  const queues = listening.map(({ consumer, ...given }) => {
    const worker = workers[consumer];
    if (!worker) throw new Error(`no worker of ${consumer} takes part`);
    const subscription = { consumer, ...given, ...rush.instead?.[consumer] };
    const queue = new SimulatedQueue(time, subscription, () => worker(simulatedDependencies(table, time)));
    return { consumer, queue };
  });
  const publish = async (event: EventMessage): Promise<void> => {
    await time.sleep(busMs);
    for (const { queue } of queues) queue.send(event);
  };
  const answers: { status: number; ms: number }[] = [];
  const published: Promise<void>[] = [];
  const deps = publishing(table, time, (event) => published.push(publish(event)));
  const book = async (number: number): Promise<void> => {
    const at = (number * 1000) / rush.perSecond;
    await time.sleep(at);
    const night = addDays('2027-03-01', Math.floor(number / homes.length));
    const stay = { listing_id: homes[number % homes.length]!, guest_number: 1 };
    const { status } = await sendAs(deps, person(100_000 + number, `buyer-${number}`), {
      ...ways.confirm({ ...stay, check_in_date: night, check_out_date: addDays(night, 1) }),
      key: `buyer-${number}`,
    });
    answers.push({ status, ms: time.now() - start - at });
  };
  runVirtual(virtual, () => {
    for (const { queue } of queues) queue.start();
    const count = rush.perSecond * rush.seconds;
    void Promise.all(Array.from({ length: count }, (_, number) => book(number)))
      .then(() => Promise.all(published))
      .then(() => queues.forEach(({ queue }) => queue.close()));
  });
  await time.toEnd();
  const counts = Map.groupBy(answers, ({ status }) => status);
  return {
    answers: Object.fromEntries([...counts].map(([status, some]) => [status, some.length])),
    answered: timesOf(answers.map(({ ms }) => ms)),
    consumers: Object.fromEntries(
      queues.map(({ consumer, queue }) => [
        consumer,
        { ...timesOf(queue.lags), count: queue.lags.length, failures: queue.failures },
      ]),
    ),
    busiest: busiestOf(table),
    manners: Object.fromEntries(table.counts()),
  };
};

/** Teams with an owner and homes a few streets apart, each team in a town of its own; search knows all of them. */
const prepared = async ({ teams, homes }: Rush, time: SimulatedTime) => {
  const listings = Array.from({ length: teams * homes }, (_, at) => {
    const [team, home] = [Math.floor(at / homes), at % homes];
    return {
      ...plainListing(1000 + at, team + 1, `home-${at}`),
      latitude: 9 + (team % 12) + (home % 10) / 500,
      longitude: 100 + Math.floor(team / 12) + Math.floor(home / 10) / 500,
    };
  });
  const table = new SimulatedTable({ rows: (await tableOf(listings.flatMap(listingWrites))).rows() });
  const deps = simulatedDependencies(table, time);
  for (let team_id = 1; team_id <= teams; team_id++) {
    await testTeam(deps, { team_id });
    await testUser(deps, { memberships: [{ team_id, role: 'OWNER' }] });
  }
  const created = listings.map(({ id, team_id }): EventMessage => ({
    ...{ id: newEventId(deps.clock), event_type: 'listing.created', occurred_at: instantText(start) },
    ...{ team_id, actor: 'user:1', data: { id } },
  }));
  for (let at = 0; at < created.length; at += 100)
    for (const index of [searchIndexWorker, listIndexWorker]) {
      const { batchItemFailures } = await index(() => deps)(queueEvent(...created.slice(at, at + 100)));
      if (batchItemFailures.length > 0) throw new Error('a home could not be indexed');
    }
  return {
    rows: table.rows(),
    homes: shuffledByTeam(
      listings.map(({ id }) => id),
      homes,
    ),
  };
};

/** Homes of all teams in turn: of each its first, then of each its second. */
const shuffledByTeam = (ids: readonly number[], homes: number): number[] =>
  ids.toSorted((one, other) => ((one - 1000) % homes) - ((other - 1000) % homes) || one - other);

/** Returns dependencies that pass on each event they commit. */
const publishing = (
  table: SimulatedTable,
  time: SimulatedTime,
  pass: (event: EventMessage) => void,
): Dependencies => {
  const execute = async (command: Command): Promise<object> => {
    const answer = await table.execute(command);
    if (command instanceof TransactWriteCommand)
      for (const { Put } of command.input.TransactItems ?? [])
        if (Put?.Item?.['entity'] === EventEntity.name) pass(messageOf(Put.Item as never));
    return answer;
  };
  const client = sdkClient({ execute });
  return { ...simulatedDependencies(table, time), table: new Table({ client, tableName: 'prove' }) };
};

const messageOf = ({ id, event_type, occurred_at, team_id, actor, data }: DomainEvent): EventMessage => ({
  ...{ id, event_type, occurred_at, team_id, actor, data },
});

const timesOf = (all: readonly number[]): Times & { count: number } => {
  const sorted = all.toSorted((one, other) => one - other);
  const at = (part: number) => Math.round(sorted[Math.floor(part * (sorted.length - 1))] ?? 0);
  return { count: all.length, p50: at(0.5), p99: at(0.99) };
};

/** The busiest key of each kind, whose name has no numbers, hashes and dates. */
const busiestOf = (table: SimulatedTable): RushReport['busiest'] => {
  const kinds = new Map<string, number>();
  for (const [partition, units] of table.busiest()) {
    const kind = partition.replace(/#[^#\s]*\d[^#\s]*/g, '#…');
    kinds.set(kind, Math.max(kinds.get(kind) ?? 0, units));
  }
  return [...kinds]
    .map(([partition, units]) => ({ partition, units }))
    .toSorted((one, other) => other.units - one.units);
};
