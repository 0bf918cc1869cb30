import { createHash } from 'node:crypto';
import { type Caller, callerRef } from '../auth.ts';
import type { Dependencies } from '../context.ts';
import { rateLimits } from '../settings.ts';
import { ServiceError } from '../errors.ts';
import type { Attempts } from './route.ts';
import { type RateLimitBucket, minuteMs, RateShare, type RateStatus } from './rate-share.ts';

type Deps = Pick<Dependencies, 'table' | 'clock' | 'log'>;

/**
 * The rate limits of one function instance (D10). It answers out of shares that it cuts from the table's counter of the
 * minute, one write a share, so the limit holds across all instances and most requests write nothing. Within a minute never
 * more than the limit pass; fewer do when an instance falls silent over its share, which is at most a twentieth of what was
 * left, and never more than it had answered before. While the table cannot be written, an instance lets a caller through up
 * to the limit by itself; attempts to log in or register are refused then.
 */
export class RateLimiter {
  #minute = 0;
  #shares = new Map<string, RateShare>();

  /** Counts a request of a caller; nothing is counted of nobody, or where the limit is off. */
  check(deps: Deps, caller: Caller): RateLimitCheck {
    const limit = limitOf(caller);
    const admission = new RateLimitCheck(deps, this);
    if (limit !== null) admission.count({ name: callerRef(caller), limit });
    return admission;
  }

  take(deps: Deps, counted: RateLimitBucket): { standing: Promise<RateStatus>; isBurst: boolean } {
    const minute = Math.floor(deps.clock.now() / minuteMs);
    if (minute !== this.#minute) this.#shares.clear();
    this.#minute = minute;
    const share = this.#shares.get(counted.name) ?? new RateShare(counted, minute);
    this.#shares.set(counted.name, share);
    const isBurst = share.isBusy;
    return { standing: share.take(deps), isBurst };
  }
}

/** Whether one request may go on: known as soon as its share has come. */
export class RateLimitCheck {
  readonly #deps: Deps;
  readonly #limiter: RateLimiter;
  readonly #standings: Promise<RateStatus>[] = [];
  #isBurst = false;

  constructor(deps: Deps, limiter: RateLimiter) {
    this.#deps = deps;
    this.#limiter = limiter;
  }

  count(counted: RateLimitBucket): void {
    const { standing, isBurst } = this.#limiter.take(this.#deps, counted);
    this.#isBurst ||= isBurst;
    // Whoever waits for it is told; nobody may be waiting yet.
    standing.catch(() => undefined);
    this.#standings.push(standing);
  }

  /** Counts an attempt of a caller with a value: 10 a minute (D10). The value itself is kept nowhere. */
  countAttempt({ of, by }: Attempts, caller: Caller, body: unknown): void {
    const { attempts: limit } = rateLimits();
    if (limit === null) return;
    const value = String((body as Record<string, unknown>)[by]);
    const digest = createHash('sha256').update(value).digest('base64url').slice(0, 22);
    this.count({ name: `${of}#${callerRef(caller)}#${digest}`, limit, closedWithoutTable: true });
  }

  /** Ends when the verb may begin: at once, so that its first read travels beside the share, but not in a burst. */
  async waitInBurst(): Promise<void> {
    if (this.#isBurst) await this.allowed();
  }

  /** Ends when the request may go on; RATE_LIMIT_EXCEEDED when it may not. */
  async allowed(): Promise<void> {
    for (const { refused, resetAt } of await Promise.all(this.#standings))
      if (refused)
        throw new ServiceError(
          'RATE_LIMIT_EXCEEDED',
          undefined,
          {},
          { retryAfterSeconds: secondsUntil(resetAt, this.#deps.clock.now()) },
        );
  }

  /** The headers of the answer: where several limits count, those of the one that ends first. */
  async headers(): Promise<Record<string, string>> {
    const settled = await Promise.allSettled(this.#standings);
    const standings = settled.flatMap((one) => (one.status === 'fulfilled' ? [one.value] : []));
    const [tightest] = standings.sort((one, other) => one.remaining - other.remaining);
    if (!tightest) return {};
    return {
      'X-RateLimit-Limit': String(tightest.limit),
      'X-RateLimit-Remaining': String(tightest.remaining),
      'X-RateLimit-Reset': String(tightest.resetAt / 1000),
    };
  }
}

const limitOf = (caller: Caller): number | null => {
  const { key, user } = rateLimits();
  if (caller.kind === 'partner') return caller.rate_limit ?? key;
  return caller.kind === 'user' ? user : null;
};

const secondsUntil = (instant: number, now: number): number => Math.max(1, Math.ceil((instant - now) / 1000));
