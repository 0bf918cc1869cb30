import type { Dependencies } from '../context.ts';
import { minuteMs } from '../time/time.ts';
import { RateWindowEntity } from './rate-window.entity.ts';

/** The state of a limit after a request was counted. */
export interface RateStatus {
  limit: number;
  /** Requests left in this instance's share and in the counter. */
  remaining: number;
  /** When the next minute starts, in epoch milliseconds. */
  resetAt: number;
  refused: boolean;
}

export interface RateLimitBucket {
  /** The caller. */
  name: string;
  /** Requests a minute. */
  limit: number;
}

type Deps = Pick<Dependencies, 'table' | 'log'>;

/** A share is at most a twentieth of the remaining requests, so little is lost if the instance stops. */
const largestPart = 20;

/**
 * One caller's share of one minute in this instance. Shares are taken by an unconditional addition to the counter: only what
 * is below the limit counts, so all instances together never exceed the limit.
 */
export class RateShare {
  readonly #counted: RateLimitBucket;
  readonly #minute: number;
  #left = 0;
  /** The remaining requests of the counter at the last write. */
  #unclaimed: number;
  #answered = 0;
  #waiting = 0;
  /** Requests that passed without the table; the next share includes them. */
  #uncounted = 0;
  #pending: Promise<void> | undefined;

  constructor(counted: RateLimitBucket, minute: number) {
    this.#counted = counted;
    this.#minute = minute;
    this.#unclaimed = counted.limit;
  }

  /** Whether a share is already being requested, which means a burst. */
  get isBusy(): boolean {
    return this.#pending !== undefined;
  }

  /** Counts one request; it is refused if the minute is used up. */
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

  /**
   * Returns the size of the next share: the waiting requests, or as many as were answered so far up to a twentieth of the
   * remaining ones.
   */
  #wanted(): number {
    const plenty = Math.ceil(this.#unclaimed / largestPart);
    return Math.min(Math.max(this.#waiting, Math.min(this.#answered, plenty)), this.#unclaimed);
  }

  async #extend(deps: Deps): Promise<void> {
    const wanted = this.#wanted();
    try {
      const taken = await this.#addToTable(deps, wanted + this.#uncounted);
      const { limit } = this.#counted;
      this.#uncounted = 0;
      this.#left += Math.min(wanted, Math.max(0, limit - (taken - wanted)));
      this.#unclaimed = Math.min(this.#unclaimed, Math.max(0, limit - taken));
    } catch (error) {
      deps.log.warn('requests are let through uncounted', {
        counted: this.#counted.name,
        cause: String(error),
      });
      this.#uncounted += wanted;
      this.#left += wanted;
      this.#unclaimed -= wanted;
    }
  }

  #addToTable({ table }: Deps, step: number): Promise<number> {
    const first = { counted: this.#counted.name, minute: this.#minute, taken: 0 };
    return table.increase(RateWindowEntity, first, 'taken', step);
  }
}
