import { type Caller, callerRef } from '../auth.ts';
import type { Dependencies } from '../context.ts';
import { rateLimits } from '../settings.ts';
import { ServiceError } from '../errors.ts';
import { minuteMs } from '../time/time.ts';
import { type RateLimitBucket, RateShare, type RateStatus } from './rate-share.ts';

type Deps = Pick<Dependencies, 'table' | 'clock' | 'log'>;

/**
 * The rate limits of one function instance (D10). It takes shares of the minute's requests from a counter in the table, one
 * write for each share, so the limit holds across all instances and most requests write nothing. Never more than the limit
 * pass in a minute. Fewer may pass if an instance stops with an unused share, which is at most a twentieth of the remaining
 * requests and never more than it has answered. While the table cannot be written, an instance allows up to the limit by
 * itself, but rejects attempts to log in or register.
 */
export class RateLimiter {
  #minute = 0;
  #shares = new Map<string, RateShare>();

  /** Counts a request of a caller; anonymous callers, and callers whose limit is off, are not counted. */
  check(deps: Deps, caller: Caller): RateLimitCheck {
    const check = new RateLimitCheck(deps, this);
    check.countFor(caller);
    return check;
  }

  take(deps: Deps, counted: RateLimitBucket): { status: Promise<RateStatus>; isBurst: boolean } {
    const minute = Math.floor(deps.clock.now() / minuteMs);
    if (minute !== this.#minute) this.#shares.clear();
    this.#minute = minute;
    const share = this.#shares.get(counted.name) ?? new RateShare(counted, minute);
    this.#shares.set(counted.name, share);
    const isBurst = share.isBusy;
    return { status: share.take(deps), isBurst };
  }
}

/** The rate-limit check of one request; it completes when its share has arrived. */
export class RateLimitCheck {
  readonly #deps: Deps;
  readonly #limiter: RateLimiter;
  #statuses: Promise<RateStatus>[] = [];
  #isBurst = false;

  constructor(deps: Deps, limiter: RateLimiter) {
    this.#deps = deps;
    this.#limiter = limiter;
  }

  /** Counts the request for a caller; not for an anonymous one, nor where the limit is off. Links to one stay count together. */
  countFor(caller: Caller): void {
    const limit = limitOf(caller);
    const name = caller.kind === 'guest' ? `guest:${caller.reservation_id}` : callerRef(caller);
    if (limit !== null) this.count({ name, limit });
  }

  count(counted: RateLimitBucket): void {
    const { status, isBurst } = this.#limiter.take(this.#deps, counted);
    this.#isBurst ||= isBurst;
    // The rejection is reported to those who await it; there may be none yet.
    status.catch(() => undefined);
    this.#statuses.push(status);
  }

  /**
   * Resolves at once, so that the verb's first read runs in parallel with the counter; in a burst it resolves like {@link
   * allowed}.
   */
  async waitInBurst(): Promise<void> {
    if (this.#isBurst) await this.allowed();
  }

  /** Resolves if the request is within its limits; rejects with RATE_LIMIT_EXCEEDED otherwise. */
  async allowed(): Promise<void> {
    for (const { refused, resetAt } of await Promise.all(this.#statuses))
      if (refused) throw limitExceeded(resetAt, this.#deps.clock.now());
  }

  /** Has this one request find its limits used up, and returns its error; what its caller has left is unchanged. */
  exhaust(): ServiceError {
    this.#statuses = this.#statuses.map(async (status) => ({
      ...(await status),
      remaining: 0,
      refused: true,
    }));
    const now = this.#deps.clock.now();
    return limitExceeded((Math.floor(now / minuteMs) + 1) * minuteMs, now);
  }

  /** Returns the rate-limit headers; of several limits, those with the fewest remaining requests. */
  async headers(): Promise<Record<string, string>> {
    const settled = await Promise.allSettled(this.#statuses);
    const statuses = settled.flatMap((one) => (one.status === 'fulfilled' ? [one.value] : []));
    const [tightest] = statuses.sort((one, other) => one.remaining - other.remaining);
    if (!tightest) return {};
    return {
      'X-RateLimit-Limit': String(tightest.limit),
      'X-RateLimit-Remaining': String(tightest.remaining),
      'X-RateLimit-Reset': String(tightest.resetAt / 1000),
    };
  }
}

const limitOf = (caller: Caller): number | null => {
  const { key, user, guest } = rateLimits();
  if (caller.kind === 'partner' || caller.kind === 'publishable') return caller.rate_limit ?? key;
  if (caller.kind === 'guest') return guest;
  return caller.kind === 'user' ? user : null;
};

const limitExceeded = (resetAt: number, now: number): ServiceError =>
  new ServiceError(
    'RATE_LIMIT_EXCEEDED',
    undefined,
    {},
    { retryAfterSeconds: Math.max(1, Math.ceil((resetAt - now) / 1000)) },
  );
