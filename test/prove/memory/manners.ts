/** Something that happens to a share of requests. */
interface Chance {
  /** From 0 (never) to 1 (always). */
  rate: number;
}

/** Something that happens to a share of requests or changes, and lasts up to `ms` milliseconds. */
interface Delay extends Chance {
  ms: number;
}

/** What DynamoDB does besides answering. Each is off at rate 0, and drawn from the table's seed. */
export interface Manners {
  /**
   * Round trips in milliseconds, give or take 30 %: of a read or single write, and of a transaction, which holds its items
   * meanwhile. `slow` requests take longer. Undefined: requests take no time, so they do not overlap.
   */
  latency: { requestMs: number; transactionMs: number; slow: Delay } | undefined;
  /** A transaction that is cancelled has held the items that were free, for a part of its time. */
  cancelledHolds: Chance;
  /** A transaction, or a write of one item, meets a conflict with a request from elsewhere. */
  conflicts: Chance;
  /** Items of a committed transaction become visible one after another, within the time. */
  tornCommits: Delay;
  /** A BatchGet reads its items at two moments, as far apart. */
  tornReads: Delay;
  /** A partition key takes 1,000 write units and 3,000 read units a second, in the table and in each index. */
  partitionLimits: boolean;
  /** A request is throttled although its partition key is not hot: its partition is shared, or is being split. */
  throttling: Chance;
  /** A change arrives in an index later. Changes of one item arrive in order. */
  indexLag: Delay;
  /** An eventually consistent read returns items as they were. */
  staleReads: Delay;
  /** A query ends a page early, with a LastEvaluatedKey. */
  shortPages: Chance;
  /** Keys or items of a batch come back unprocessed, one or more. */
  unprocessed: Chance;
  /** TTL deletes an item later than its time. */
  lateExpiry: Delay;
  /** A record arrives in the stream later. Records of one shard arrive in order. */
  streamLag: Delay;
}

export type Manner =
  | 'transaction conflict'
  | 'cancelled hold'
  | 'torn commit'
  | 'torn read'
  | 'throttled'
  | 'partition limit'
  | 'index lag'
  | 'stale read'
  | 'short page'
  | 'unprocessed'
  | 'late expiry'
  | 'stream lag';

const never = { rate: 0 };
const noDelay = { rate: 0, ms: 0 };

/** Nothing happens besides the answer: a table in memory. */
export const calm: Manners = {
  latency: undefined,
  cancelledHolds: never,
  conflicts: never,
  tornCommits: noDelay,
  tornReads: noDelay,
  partitionLimits: false,
  throttling: never,
  indexLag: noDelay,
  staleReads: noDelay,
  shortPages: never,
  unprocessed: never,
  lateExpiry: noDelay,
  streamLag: noDelay,
};

const dayMs = 86_400_000;

/** A usual day on AWS: what a rate is measured by. */
export const usual: Manners = {
  ...calm,
  latency: { requestMs: 6, transactionMs: 20, slow: { rate: 0.001, ms: 100 } },
  cancelledHolds: { rate: 0.5 },
  tornCommits: { rate: 0.5, ms: 4 },
  tornReads: { rate: 0.2, ms: 6 },
  partitionLimits: true,
  indexLag: { rate: 0.5, ms: 100 },
  staleReads: { rate: 0.3, ms: 20 },
};

/** Everything happens, more often than on AWS. */
export const hostile: Manners = {
  latency: { requestMs: 8, transactionMs: 25, slow: { rate: 0.01, ms: 400 } },
  cancelledHolds: { rate: 0.5 },
  conflicts: { rate: 0.01 },
  tornCommits: { rate: 0.5, ms: 4 },
  tornReads: { rate: 0.2, ms: 6 },
  partitionLimits: true,
  throttling: { rate: 0.01 },
  indexLag: { rate: 0.5, ms: 2000 },
  staleReads: { rate: 0.3, ms: 1000 },
  shortPages: { rate: 0.1 },
  unprocessed: { rate: 0.05 },
  lateExpiry: { rate: 0.7, ms: 2 * dayMs },
  streamLag: { rate: 0.5, ms: 3000 },
};

/** Draws what happens from a seed, and counts it. */
export class Fate {
  readonly counts = new Map<Manner, number>();
  readonly random: () => number;

  constructor(random: () => number) {
    this.random = random;
  }

  happens({ rate }: Chance): boolean {
    return rate > 0 && this.random() < rate;
  }

  /** Returns the milliseconds that something lasts; 0 if it does not happen. */
  lasts(delay: Delay): number {
    return this.happens(delay) ? this.random() * delay.ms : 0;
  }

  /** Returns a whole number from 0 up to, and without, `below`. */
  below(below: number): number {
    return Math.floor(this.random() * below);
  }

  shuffled<Value>(values: readonly Value[]): Value[] {
    const result = [...values];
    for (let left = result.length; left > 1; left--) {
      const at = this.below(left);
      [result[at], result[left - 1]] = [result[left - 1]!, result[at]!];
    }
    return result;
  }

  count(manner: Manner, times = 1): void {
    this.counts.set(manner, (this.counts.get(manner) ?? 0) + times);
  }
}
