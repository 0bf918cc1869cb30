import { JwtVerifier } from 'aws-jwt-verify';
import { FetchError, JwksValidationError, JwtBaseError, JwtParseError } from 'aws-jwt-verify/error';
import { type Fetcher, SimpleFetcher } from 'aws-jwt-verify/https';
import { decomposeUnverifiedJwt } from 'aws-jwt-verify/jwt';
import type { JwtPayload } from 'aws-jwt-verify/jwt-model';
import { ServiceError } from '../errors.ts';
import { StaleIfErrorJwksCache, ProviderDownError } from './jwks-cache.ts';
import { loopbackFetcher } from './loopback-fetcher.ts';

interface TokenVerifierConfig {
  /** As in the tokens' `iss`, with a trailing slash. */
  issuer: string;
  /** The audience that a token must have; an ID token has the client's instead. */
  audience: string;
  jwksUri: string;
  /** Allows plain http, for a provider on this machine. */
  allowHttp: boolean;
  /** Fetches the JWKS; for tests. */
  fetcher?: Fetcher;
}

/** The claims of a verified token; `exp` and `iat` are epoch seconds by the provider's clock. */
export type TokenClaims = JwtPayload & { sub: string; exp: number };

interface VerifiedToken {
  subject: string;
  claims: TokenClaims;
}

/** Returns the identity of the bearer. Throws UNAUTHORIZED, or IDENTITY_PROVIDER_UNAVAILABLE if no key could be fetched. */
export type TokenVerifier = (token: string) => Promise<VerifiedToken>;

/** Tokens are 1 to 2 KB; larger ones are rejected unread. */
const maxTokenBytes = 8192;

const isMachine = (claims: JwtPayload) =>
  claims['gty'] === 'client-credentials' || (claims.sub ?? '').endsWith('@clients');

const assertCustomerClaims = ({ payload }: { payload: JwtPayload }) => {
  if (payload.exp === undefined) throw new JwtParseError('exp is missing');
  if (payload.sub === undefined || payload.sub === '') throw new JwtParseError('sub is missing');
  if (isMachine(payload)) throw new JwtParseError('not a token of a person');
};

/** Rejects what needs no key to judge, so that malformed tokens cause no JWKS fetch. */
const assertHeader = (token: string) => {
  if (Buffer.byteLength(token) > maxTokenBytes) throw new JwtParseError('too large');
  const { header } = decomposeUnverifiedJwt(token);
  if (header.alg !== 'RS256') throw new JwtParseError('only RS256 is accepted');
  if ('crit' in header) throw new JwtParseError('critical extensions are not understood');
};

const refusal = (cause: unknown): unknown => {
  if (
    cause instanceof FetchError ||
    cause instanceof JwksValidationError ||
    cause instanceof ProviderDownError
  )
    return new ServiceError('IDENTITY_PROVIDER_UNAVAILABLE', undefined, {}, { cause });
  if (cause instanceof JwtBaseError) return new ServiceError('UNAUTHORIZED', undefined, {}, { cause });
  return cause;
};

const chooseFetcher = (config: TokenVerifierConfig): Fetcher => {
  if (config.fetcher) return config.fetcher;
  if (new URL(config.jwksUri).protocol === 'https:') return new SimpleFetcher();
  if (!config.allowHttp) throw new Error('The JWKS address has to be https.');
  return loopbackFetcher;
};

/**
 * Returns a verifier of access tokens: RS256 signature, iss, aud, exp, nbf. Lifetimes use the system clock, never the test
 * clock (D74). Create one for each process: it caches the keys.
 */
export const createTokenVerifier = (config: TokenVerifierConfig): TokenVerifier => {
  const { issuer, audience, jwksUri } = config;
  const verifier = JwtVerifier.create(
    { issuer, audience, jwksUri, customJwtCheck: assertCustomerClaims },
    { jwksCache: new StaleIfErrorJwksCache(chooseFetcher(config)) },
  );
  return async (token) => {
    try {
      assertHeader(token);
      const claims = (await verifier.verify(token)) as TokenClaims;
      return { subject: claims.sub, claims };
    } catch (error) {
      throw refusal(error);
    }
  };
};
