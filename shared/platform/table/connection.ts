import type { ConsumedCapacity } from '@aws-sdk/client-dynamodb';
import { isTransactionConflict, type Sender } from '../dynamodb/index.ts';
import { afterConflict, busy } from './attempts.ts';
import { toServiceError } from './to-service-error.ts';

/** The cost of a request, for tests, benchmarks and metrics. */
export interface Consumption {
  operation: Operation;
  readUnits: number;
  writeUnits: number;
}

/** The time that a request has left. */
export interface TimeLimit {
  /** Milliseconds. */
  leftMs: () => number;
  /** Aborted at the end of the time. */
  signal: AbortSignal;
}

/** A write is started only with time for a whole attempt, so that its outcome is known before the response. */
const writeMs = 3000;

type Operation = 'get' | 'batch-get' | 'query' | 'transact' | 'put' | 'update';
const writes: readonly Operation[] = ['transact', 'put', 'update'];

export interface ConnectionConfig {
  client: Sender;
  tableName: string;
  onConsumed?: (consumption: Consumption) => void;
  /** Resolves if the request is allowed; rejects otherwise. */
  passed?: () => Promise<void>;
  limit?: TimeLimit;
}

interface Reply {
  ConsumedCapacity?: ConsumedCapacity | ConsumedCapacity[] | undefined;
}

type Request<R> = (client: Sender, options: { abortSignal?: AbortSignal }) => Promise<R>;

/** Sends the requests of a table, within its time limit, and reports what they cost. */
export class Connection {
  readonly #config: ConnectionConfig;

  constructor(config: ConnectionConfig) {
    this.#config = config;
  }

  /** The parameter of a request that asks for its cost, if it is reported. */
  get capacity(): { ReturnConsumedCapacity?: 'INDEXES' } {
    return this.#config.onConsumed ? { ReturnConsumedCapacity: 'INDEXES' } : {};
  }

  async send<R extends Reply>(operation: Operation, request: Request<R>): Promise<R> {
    const { client, limit, onConsumed } = this.#config;
    const isWrite = writes.includes(operation);
    const passed = this.#config.passed?.() ?? Promise.resolve();
    try {
      if (isWrite) await passed;
      if (limit && limit.leftMs() < (isWrite ? writeMs : 0)) throw busy();
      const sent = request(client, limit ? { abortSignal: limit.signal } : {});
      const [reply] = await Promise.all([sent, passed]);
      const units = unitsOf(reply);
      onConsumed?.({ operation, readUnits: isWrite ? 0 : units, writeUnits: isWrite ? units : 0 });
      return reply;
    } catch (error) {
      throw toServiceError(error);
    }
  }

  /** Sends a write of one item; waits while a transaction holds the item. */
  async sendAlone<R extends Reply>(operation: Operation, request: Request<R>): Promise<R> {
    for (let attempt = 1; ; attempt++) {
      try {
        return await this.send(operation, request);
      } catch (error) {
        if (!isTransactionConflict(error)) throw error;
        await afterConflict(attempt, error);
      }
    }
  }
}

const unitsOf = ({ ConsumedCapacity: capacity }: Reply): number =>
  [capacity ?? []].flat().reduce((sum, part) => sum + (part.CapacityUnits ?? 0), 0);
