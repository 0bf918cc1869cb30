import {
  FetchError,
  JwksValidationError,
  JwtBaseError,
  WaitPeriodNotYetEndedJwkError,
} from 'aws-jwt-verify/error';
import type { Fetcher } from 'aws-jwt-verify/https';
import { assertIsJwks, SimpleJwksCache, type Jwks, type PenaltyBox } from 'aws-jwt-verify/jwk';
import { safeJsonParse } from 'aws-jwt-verify/safe-json-parse';
import { steadyMs } from '../time/clock.ts';
import { hourMs, minuteMs } from '../time/time.ts';

/** No key is cached, and the last fetch failed a moment ago. */
export class ProviderDownError extends JwtBaseError {}

const unknownKidWaitMs = 10_000;
const coldRetryMs = 1000;
const freshMs = hourMs;
const refreshRetryMs = minuteMs;

const parse = (bytes: ArrayBuffer): Jwks => {
  let jwks: ReturnType<typeof safeJsonParse>;
  try {
    jwks = safeJsonParse(new TextDecoder('utf8', { fatal: true }).decode(bytes));
  } catch {
    throw new JwksValidationError('The JWKS is not JSON.');
  }
  assertIsJwks(jwks);
  if (jwks.keys.length === 0) throw new JwksValidationError('The JWKS holds no key.');
  return jwks;
};

type JwkLookup = Parameters<SimpleJwksCache['getJwk']>;

/**
 * The library's cache with three more rules: failed fetches count towards the limit of one fetch in ten seconds; keys are
 * refreshed every hour, so a withdrawn key expires; if the refresh fails, the cached keys stay valid. Time is monotonic system
 * time.
 */
export class StaleIfErrorJwksCache extends SimpleJwksCache {
  #warm = false;
  #blockedUntil = 0;
  #refreshAt = 0;

  constructor(fetcher: Fetcher) {
    const box: PenaltyBox = {
      wait: async () => this.#assertMayFetch(),
      registerFailedAttempt: () => this.#block(unknownKidWaitMs),
      registerSuccessfulAttempt: () => undefined,
    };
    super({ fetcher, penaltyBox: box, jwksParser: parse });
  }

  override async getJwk(...[uri, jwt]: JwkLookup): ReturnType<SimpleJwksCache['getJwk']> {
    if (this.#warm && steadyMs() >= this.#refreshAt) {
      this.#refreshAt = steadyMs() + refreshRetryMs;
      await this.getJwks(uri).catch(() => undefined);
    }
    return super.getJwk(uri, jwt);
  }

  override async getJwks(uri: string): Promise<Jwks> {
    try {
      const jwks = await super.getJwks(uri);
      this.#warm = true;
      this.#refreshAt = steadyMs() + freshMs;
      return jwks;
    } catch (error) {
      this.#block(this.#warm ? unknownKidWaitMs : coldRetryMs);
      throw error instanceof JwtBaseError ? error : new FetchError(uri, error);
    }
  }

  /** Concurrent callers share a running fetch; the wait starts when it ends. */
  #assertMayFetch() {
    if (steadyMs() >= this.#blockedUntil) return;
    const message = 'The JWKS was fetched a moment ago.';
    throw this.#warm ? new WaitPeriodNotYetEndedJwkError(message) : new ProviderDownError(message);
  }

  #block(ms: number) {
    this.#blockedUntil = steadyMs() + ms;
  }
}
