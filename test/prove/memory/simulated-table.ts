import { BatchWriteCommand, DeleteCommand, ScanCommand, TransactGetCommand } from '@aws-sdk/lib-dynamodb';
import {
  BatchGetCommand,
  DescribeTableCommand,
  GetCommand,
  PutCommand,
  QueryCommand,
  TransactWriteCommand,
  UpdateCommand,
} from '../../../shared/platform/dynamodb/index.ts';
import { Core } from './core.ts';
import { ItemStore } from './item-store.ts';
import type { Row } from './key-schema.ts';
import { calm, Fate, type Manner, type Manners } from './manners.ts';
import { Reads } from './reads.ts';
import { SteppedTime, type Time } from './simulated-time.ts';
import { type SimulatedStream, streamArn } from './stream.ts';
import type { Item } from './values.ts';
import { Writes } from './writes.ts';

export type Command =
  | GetCommand
  | BatchGetCommand
  | QueryCommand
  | ScanCommand
  | TransactGetCommand
  | PutCommand
  | UpdateCommand
  | DeleteCommand
  | BatchWriteCommand
  | TransactWriteCommand
  | DescribeTableCommand;

/** Something that runs the commands of the Table. */
export interface Backend {
  execute(command: Command): Promise<object>;
}

interface Options {
  /** Time that the table waits in and reads; default: time that stands still. */
  time?: Time;
  /** Draws what happens; default: always the middle. */
  random?: () => number;
  /** What happens besides the answers; default {@link calm}. */
  manners?: Partial<Manners>;
  /** Whether changes go to {@link SimulatedTable.stream}. */
  hasStream?: boolean;
  /** Items that are there from the beginning, of {@link SimulatedTable.rows} of another table. */
  rows?: Iterable<Row>;
}

/**
 * Our DynamoDB table in memory: its keys, its indexes, its validation and errors, and its manners, each of which can be turned
 * on with a rate and is drawn from one seed. The document client's commands go to `execute`; `sdkClient` sends them as the SDK
 * does, with its retries. Nothing waits for real time.
 */
export class SimulatedTable implements Backend {
  readonly #store: ItemStore;
  readonly #fate: Fate;
  readonly #core: Core;
  readonly #reads: Reads;
  readonly #writes: Writes;

  constructor({
    time = new SteppedTime(),
    random = () => 0.5,
    manners,
    hasStream = false,
    rows,
  }: Options = {}) {
    const all = { ...calm, ...manners };
    this.#fate = new Fate(random);
    this.#store = new ItemStore({ time, fate: this.#fate, manners: all, hasStream });
    this.#core = new Core(this.#store, time, this.#fate, all);
    this.#reads = new Reads(this.#core);
    this.#writes = new Writes(this.#core);
    if (rows) this.#store.load(rows);
  }

  async execute(command: Command): Promise<object> {
    if (command instanceof GetCommand) return this.#reads.get(command.input);
    if (command instanceof BatchGetCommand) return this.#reads.batchGet(command.input);
    if (command instanceof QueryCommand) return this.#reads.query(command.input);
    if (command instanceof ScanCommand) return this.#reads.scan(command.input);
    if (command instanceof TransactGetCommand) return this.#reads.transactGet(command.input);
    if (command instanceof PutCommand) return this.#writes.one('Put', command.input);
    if (command instanceof UpdateCommand) return this.#writes.one('Update', command.input);
    if (command instanceof DeleteCommand) return this.#writes.one('Delete', command.input);
    if (command instanceof BatchWriteCommand) return this.#writes.batch(command.input);
    if (command instanceof TransactWriteCommand) return this.#writes.transact(command.input);
    if (command instanceof DescribeTableCommand)
      return { Table: { TableId: 'simulated', LatestStreamArn: streamArn } };
    throw new TypeError('the simulated table does not know this command');
  }

  /** Deletes expired items, as TTL does, in any order and perhaps late; returns their number. `now` in epoch milliseconds. */
  expire(now: number): number {
    const due = this.#store.expired(now).filter(({ id }) => !this.#core.held.has(id));
    for (const { id } of due) this.#store.change(id, undefined, true);
    return due.length;
  }

  /** The stream of changes. */
  get stream(): SimulatedStream {
    if (!this.#store.stream) throw new TypeError('this table has no stream');
    return this.#store.stream;
  }

  /** Returns every item, in the order of keys, as a consistent read sees them now. They are not copies: change none. */
  items(): readonly Item[] {
    return this.#store.rows().map(({ item }) => item);
  }

  /** Returns the sort key of the first item of a partition of the table, or of an index as it is at present. */
  firstSortKey(pk: string, index?: string): string | undefined {
    return this.#store.partition(index, pk, true)[0]?.sk;
  }

  /** Returns every row, for another table. */
  rows(): readonly Row[] {
    return this.#store.rows();
  }

  /** Returns the number of committed transactions. */
  commits(): number {
    return this.#writes.commits;
  }

  /** Returns the most units of one second, by `read` or `write` and partition; nothing without `partitionLimits`. */
  busiest(): [partition: string, units: number][] {
    return this.#core.busiest();
  }

  /** Returns how often each manner was seen. */
  counts(): ReadonlyMap<Manner, number> {
    return this.#fate.counts;
  }
}
