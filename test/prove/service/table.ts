import { TransactWriteCommand } from '../../../shared/platform/dynamodb/index.ts';
import { sortable } from '../../../shared/platform/table/index.ts';
import { hostile } from '../memory/manners.ts';
import { type Command, SimulatedTable } from '../memory/simulated-table.ts';
import type { Item } from '../memory/values.ts';
import type { Simulation } from './simulation.ts';
import type { Weather } from './weather.ts';

export const tableName = 'service';

/** A shard of a due list. */
export interface DuePartition {
  partition: string;
  index?: string;
}

/** Changes a command before it arrives: a planted bug. */
export type Tamper = (command: Command) => Command;

/**
 * The one table of the service, with DynamoDB's manners while the world is hostile: overlapping transactions, lagging indexes,
 * stale reads, short pages, throttling, a stream with shards.
 */
export class ServiceTable {
  readonly #table: SimulatedTable;
  readonly #onWrite: () => void;

  constructor(sim: Simulation, weather: Weather, onWrite: () => void) {
    this.#onWrite = onWrite;
    this.#table = new SimulatedTable({
      time: { now: () => sim.now(), sleep: (ms) => sim.sleep(ms) },
      // Nothing happens to a request that draws a number near 1.
      random: () => (weather.isCalm ? 1 - Number.EPSILON : sim.random()),
      manners: hostile,
      hasStream: true,
    });
  }

  get stream(): SimulatedTable['stream'] {
    return this.#table.stream;
  }

  /** How often each of its manners was seen. */
  get counts(): ReadonlyMap<string, number> {
    return this.#table.counts();
  }

  /** Whether the first item of a partition, in the order of time, is due; `index` if it is one of an index. */
  isDue({ partition, index }: DuePartition, now: number): boolean {
    const first = this.#table.firstSortKey(partition, index);
    return first !== undefined && Number(first.slice(0, sortable(0).length)) <= now;
  }

  /** Deletes items whose time is over. */
  expire(now: number): void {
    this.#table.expire(now);
  }

  items(): readonly Item[] {
    return this.#table.items();
  }

  async execute(command: Command): Promise<object> {
    const reply = await this.#table.execute(command);
    if (command instanceof TransactWriteCommand) this.#onWrite();
    return reply;
  }
}
