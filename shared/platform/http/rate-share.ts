import type { Dependencies } from '../context.ts';
import { ServiceError } from '../errors.ts';
import { RateWindowEntity } from './rate-window.entity.ts';

/** Where a counted request stands in its minute. */
export interface RateStatus {
  limit: number;
  /** What this instance holds and what nobody has taken yet. */
  remaining: number;
  /** Epoch milliseconds at which the next minute begins. */
  resetAt: number;
  refused: boolean;
}

export interface RateLimitBucket {
  /** Whose requests are counted. */
  name: string;
  /** Requests a minute. */
  limit: number;
  /** Without the table: refuse (attempts to log in) instead of letting through. */
  closedWithoutTable?: boolean;
}

type Deps = Pick<Dependencies, 'table' | 'log'>;

export const minuteMs = 60_000;
/** A share is at most this part of what nobody has taken yet, so that little is left unused when an instance falls silent. */
const largestPart = 20;

/**
 * One caller's part of one minute, as this instance holds it. Shares are cut from the table's counter by an unconditional
 * addition: what lies below the limit is ours, so all instances together never hold more than the limit.
 */
export class RateShare {
  readonly #counted: RateLimitBucket;
  readonly #minute: number;
  #left = 0;
  /** What nobody had taken when the table was last asked. */
  #unclaimed: number;
  #answered = 0;
  #waiting = 0;
  /** Let through without the table; the next share pays for them. */
  #owed = 0;
  #pending: Promise<void> | undefined;

  constructor(counted: RateLimitBucket, minute: number) {
    this.#counted = counted;
    this.#minute = minute;
    this.#unclaimed = counted.limit;
  }

  /** Whether others of this instance wait for a share already: then there is a burst, and nothing is read in advance. */
  get isBusy(): boolean {
    return this.#pending !== undefined;
  }

  /** Counts one request; it is refused when the minute is used up. */
  async take(deps: Deps): Promise<RateStatus> {
    this.#waiting += 1;
    try {
      while (this.#left === 0 && this.#unclaimed > 0)
        await (this.#pending ??= this.#extend(deps).finally(() => (this.#pending = undefined)));
      const refused = this.#left === 0;
      if (!refused) {
        this.#left -= 1;
        this.#answered += 1;
      }
      const resetAt = (this.#minute + 1) * minuteMs;
      return { limit: this.#counted.limit, remaining: this.#left + this.#unclaimed, resetAt, refused };
    } finally {
      this.#waiting -= 1;
    }
  }

  /** As many as wait now; else as many as were answered so far, while plenty is left. */
  #wanted(): number {
    const plenty = Math.ceil(this.#unclaimed / largestPart);
    return Math.min(Math.max(this.#waiting, Math.min(this.#answered, plenty)), this.#unclaimed);
  }

  async #extend(deps: Deps): Promise<void> {
    const wanted = this.#wanted();
    try {
      const taken = await this.#addToTable(deps, wanted + this.#owed);
      const { limit } = this.#counted;
      this.#owed = 0;
      this.#left += Math.min(wanted, Math.max(0, limit - (taken - wanted)));
      this.#unclaimed = Math.min(this.#unclaimed, Math.max(0, limit - taken));
    } catch (error) {
      if (this.#counted.closedWithoutTable)
        throw new ServiceError('SERVICE_UNAVAILABLE', undefined, {}, { retryAfterSeconds: 1, cause: error });
      deps.log.warn('requests are let through uncounted', {
        counted: this.#counted.name,
        cause: String(error),
      });
      this.#owed += wanted;
      this.#left += wanted;
      this.#unclaimed -= wanted;
    }
  }

  #addToTable({ table }: Deps, step: number): Promise<number> {
    const first = { counted: this.#counted.name, minute: this.#minute, taken: 0 };
    return table.increase(RateWindowEntity, first, 'taken', step);
  }
}
