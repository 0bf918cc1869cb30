import type {
  APIGatewayAuthorizerResult,
  APIGatewayProxyEvent,
  APIGatewayRequestAuthorizerEvent,
  DynamoDBBatchResponse,
  DynamoDBStreamEvent,
} from 'aws-lambda';
import { routeGroups } from '../../../functions/routes.ts';
import { createGateway, type Gateway } from '../../../infra/local/gateway/index.ts';
import { dueShards } from '../../../shared/platform/due/index.ts';
import { visibilityTimeoutSeconds } from '../../../shared/platform/events/queues.ts';
import { schedules, workQueues } from '../../../shared/schedules.ts';
import { subscriptions } from '../../../shared/subscriptions.ts';
import { FunctionPool } from './function-pool.ts';
import {
  authorizerFunction,
  groupFunctions,
  type Outside,
  publisherFunction,
  scheduleFunctions,
  workerFunctions,
} from './functions.ts';
import { Queue } from './queue.ts';
import type { Simulation } from './simulation.ts';
import { Stream } from './stream.ts';
import type { DuePartition } from './table.ts';
import type { Weather } from './weather.ts';

const groupTimeoutMs = 28_000;
const authorizerTimeoutMs = 10_000;
const publisherTimeoutMs = 30_000;
/** The clock of an instance is ahead by up to half a second. */
const skewMs = 500;
/** The share of runs that happen although nothing is due. */
const idleShare = { hours: 0.05, days: 0.001 };
/** The audit has no due list; of its runs in a slow history as many happen. */
const auditShare = 1 / 24;

const shardsOf = (prefix: string, index?: string): DuePartition[] =>
  Array.from({ length: dueShards }, (_, shard) => ({
    partition: `${prefix}#${shard}`,
    ...(index === undefined ? {} : { index }),
  }));

/** Calendars are looked at so much less often in a slow history, of which their fetches would be most steps. */
const pollShare = 1 / 15;

/** What each schedule drains; the audit looks at what has moved. */
const dueLists: Partial<Record<string, DuePartition[]>> = {
  'poll-calendars': shardsOf('DUE_FEEDS', 'by_audience'),
  'move-due-bookings': shardsOf('DUE_BOOKINGS'),
  'retry-webhooks': shardsOf('DUE_DELIVERIES', 'by_audience'),
  'reconcile-payments': shardsOf('DUE_PAYMENTS'),
  'send-due-mails': shardsOf('DUE_MAILS'),
};

/** The service as it is deployed: every function, queue, schedule, the bus, the stream, and the gateway before them. */
export class Cloud {
  readonly gateway: Gateway;
  readonly queues = new Map<string, Queue>();
  readonly stream: Stream;
  /** Whether a deployment comes. */
  readonly willDeploy: boolean;
  /** Of every function. */
  readonly #pools: { deploy: () => void }[] = [];
  readonly #sim: Simulation;
  readonly #weather: Weather;
  readonly #idleShare: number;

  constructor(sim: Simulation, weather: Weather, outside: Outside, isSlow: boolean) {
    this.willDeploy = sim.chance(0.4);
    this.#idleShare = isSlow ? idleShare.days : idleShare.hours;
    this.#sim = sim;
    this.#weather = weather;
    // Until the deployment every instance is of the version before.
    const before: Outside = { ...outside, isVersionBefore: true };
    const pool = <Event, Answer>(
      name: string,
      timeoutMs: number,
      make: (machine: never, outside: Outside) => unknown,
    ) => {
      const made = new FunctionPool<Event, Answer>(sim, weather, {
        name,
        timeoutMs,
        make: (machine, release) =>
          make(machine as never, release === 0 && this.willDeploy ? before : outside) as (
            event: Event,
          ) => Promise<Answer>,
      });
      this.#pools.push(made);
      return made;
    };
    const groups = new Map(
      Object.entries(groupFunctions).map(([name, make]) => [
        name,
        pool<APIGatewayProxyEvent, unknown>(name, groupTimeoutMs, make),
      ]),
    );
    const authorizer = pool<APIGatewayRequestAuthorizerEvent, APIGatewayAuthorizerResult>(
      'authorizer',
      authorizerTimeoutMs,
      authorizerFunction,
    );
    this.gateway = createGateway({
      groups: routeGroups,
      functionOf: (name) => {
        const found = groups.get(name);
        return found && ((event) => found.invoke(event));
      },
      authorizer: (event) => authorizer.invoke(event),
    });
    for (const { consumer, batchSize, timeoutSeconds, maxReceives } of [...subscriptions, ...workQueues]) {
      const make = workerFunctions[consumer];
      if (!make) throw new Error(`no worker ${consumer}`);
      const settings = {
        name: consumer,
        batchSize,
        maxReceives,
        visibilityMs: visibilityTimeoutSeconds(timeoutSeconds) * 1000,
        atOnce: 1 + sim.whole(20),
      };
      this.queues.set(
        consumer,
        new Queue(sim, weather, pool(consumer, timeoutSeconds * 1000, make), settings),
      );
    }
    this.stream = new Stream(
      sim,
      () => outside.table.stream,
      pool<DynamoDBStreamEvent, DynamoDBBatchResponse>('publisher', publisherTimeoutMs, publisherFunction),
    );
    for (const { name, everyMinutes, timeoutSeconds } of schedules) {
      const make = scheduleFunctions[name];
      if (!make) throw new Error(`no schedule ${name}`);
      const isDue = (): boolean => {
        const partitions = dueLists[name];
        if (!partitions) return !isSlow || sim.chance(auditShare);
        if (isSlow && name === 'poll-calendars' && !sim.chance(pollShare)) return false;
        return partitions.some((one) => outside.table.isDue(one, sim.now() + skewMs));
      };
      this.#repeat(name, everyMinutes * 60_000, pool(name, timeoutSeconds * 1000, make), isDue);
    }
  }

  /** Deploys every function within a minute, each at its own moment: until then two versions share the table. */
  deploy(): void {
    this.#sim.note('a deployment begins');
    for (const pool of this.#pools) this.#sim.later(this.#sim.between(0, 60_000), () => pool.deploy());
  }

  /** Delivers an event to the queues of its consumers, some of them later. */
  publish(type: string, detail: string): void {
    const body = JSON.stringify({ 'detail-type': type, detail: JSON.parse(detail) as unknown });
    for (const { consumer, event_types } of subscriptions)
      if ((event_types as readonly string[]).includes(type)) this.queues.get(consumer)?.send(body);
  }

  /**
   * Runs a schedule at its rate; a run may still be at work when the next one starts. Most runs that would find nothing due are
   * left out: they only read.
   */
  #repeat(name: string, everyMs: number, pool: FunctionPool<object, unknown>, isDue: () => boolean): void {
    const run = async (): Promise<void> => {
      try {
        await pool.invoke({});
      } catch (error) {
        this.#sim.note(`${name} failed: ${(error as Error).message}`);
      }
    };
    const next = (): void => {
      this.#sim.later(everyMs, next);
      if (!isDue() && !this.#sim.chance(this.#idleShare)) return;
      void run();
      if (this.#weather.happens('a schedule twice', 0.01)) void run();
    };
    this.#sim.later(this.#sim.between(0, everyMs), next);
  }
}
