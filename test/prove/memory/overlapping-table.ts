import { TransactionCanceledException, TransactionConflictException } from '@aws-sdk/client-dynamodb';
import { PutCommand, TransactWriteCommand } from '@aws-sdk/lib-dynamodb';
import type { Item } from './expression.ts';
import type { Backend, Command, MemoryTable } from './memory-table.ts';
import type { SimulatedTime } from './simulated-time.ts';

export interface Latency {
  /** Round trip of a read or a single-item write. */
  requestMs: number;
  /** Round trip of a transaction, during which it holds its items. */
  transactionMs: number;
}

interface Options {
  time: SimulatedTime;
  latency: Latency;
  random: () => number;
}

/**
 * The table in memory behind a simulated network: requests take time, so they overlap. A transaction holds its items until it
 * commits; meanwhile other transactions and writes of these items are rejected as DynamoDB does, and reads return the previous
 * items.
 */
export class OverlappingTable implements Backend {
  readonly #memory: MemoryTable;
  readonly #options: Options;
  readonly #held = new Set<string>();
  #conflicts = 0;

  constructor(memory: MemoryTable, options: Options) {
    this.#memory = memory;
    this.#options = options;
  }

  /** Returns how many requests met an item that a transaction held. */
  conflicts(): number {
    return this.#conflicts;
  }

  async execute(command: Command): Promise<object> {
    await this.#travel();
    try {
      if (command instanceof TransactWriteCommand) return await this.#transact(command);
      if (command instanceof PutCommand && this.#isHeld(command.input.Item)) {
        this.#conflicts++;
        throw new TransactionConflictException({ $metadata: {}, message: 'Transaction is ongoing' });
      }
      return await this.#memory.execute(command);
    } finally {
      await this.#travel();
    }
  }

  async #transact(command: TransactWriteCommand): Promise<object> {
    const { TransactItems = [] } = command.input;
    const keys = TransactItems.map(({ Put, Update, Delete, ConditionCheck }) =>
      keyText(Put?.Item ?? (Update ?? Delete ?? ConditionCheck)?.Key),
    );
    const isFree = keys.every((key) => !this.#held.has(key));
    const outcomes = this.#memory.reasons(command.input);
    if (isFree && outcomes.every(({ Code }) => Code === 'None')) return this.#holding(keys, command);
    if (!isFree) this.#conflicts++;
    throw new TransactionCanceledException({
      $metadata: {},
      message: 'Transaction cancelled',
      CancellationReasons: outcomes.map((outcome, at) =>
        this.#held.has(keys[at] ?? '') ? { Code: 'TransactionConflict' } : outcome,
      ),
    });
  }

  async #holding(keys: readonly string[], command: TransactWriteCommand): Promise<object> {
    const { requestMs, transactionMs } = this.#options.latency;
    for (const key of keys) this.#held.add(key);
    try {
      await this.#take(transactionMs - requestMs);
      return await this.#memory.execute(command);
    } finally {
      for (const key of keys) this.#held.delete(key);
    }
  }

  #isHeld(item: unknown): boolean {
    return this.#held.has(keyText(item));
  }

  #travel(): Promise<void> {
    return this.#take(this.#options.latency.requestMs / 2);
  }

  /** Give or take 30 %. */
  #take(ms: number): Promise<void> {
    return this.#options.time.sleep(ms * (0.7 + 0.6 * this.#options.random()));
  }
}

const keyText = (item: unknown): string => {
  const { pk, sk } = item as Item;
  return `${String(pk)}\n${String(sk)}`;
};
