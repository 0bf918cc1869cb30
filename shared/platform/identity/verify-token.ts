import { JwtVerifier } from 'aws-jwt-verify';
import { FetchError, JwksValidationError, JwtBaseError, JwtParseError } from 'aws-jwt-verify/error';
import { type Fetcher, SimpleFetcher } from 'aws-jwt-verify/https';
import { decomposeUnverifiedJwt } from 'aws-jwt-verify/jwt';
import type { JwtPayload } from 'aws-jwt-verify/jwt-model';
import { ServiceError } from '../errors.ts';
import { LastingJwksCache, ProviderDownError } from './jwks-cache.ts';
import { loopbackFetcher } from './loopback-fetcher.ts';

export interface TokenVerifierConfig {
  /** As in the tokens' `iss`: with its trailing slash. */
  issuer: string;
  /** The API the token has to be for; an ID token is for the client instead. */
  audience: string;
  jwksUri: string;
  /** Plain http, for a provider on this machine only. */
  allowHttp: boolean;
  /** Fetches the JWKS; for tests. */
  fetcher?: Fetcher;
}

export type TokenClaims = JwtPayload & { sub: string; exp: number };

export interface VerifiedToken {
  subject: string;
  claims: TokenClaims;
}

/** Answers who the bearer is, or throws UNAUTHORIZED (IDENTITY_PROVIDER_UNAVAILABLE when no key could be fetched). */
export type TokenVerifier = (token: string) => Promise<VerifiedToken>;

/** Real tokens are 1 to 2 KB; more is an attempt to keep us busy. */
const maxTokenBytes = 8192;

const isMachine = (claims: JwtPayload) =>
  claims['gty'] === 'client-credentials' || (claims.sub ?? '').endsWith('@clients');

const assertCustomerClaims = ({ payload }: { payload: JwtPayload }) => {
  if (payload.exp === undefined) throw new JwtParseError('exp is missing');
  if (payload.sub === undefined || payload.sub === '') throw new JwtParseError('sub is missing');
  if (isMachine(payload)) throw new JwtParseError('not a token of a person');
};

/** Refuses what needs no key, so that garbage never causes a JWKS fetch. */
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
 * Checks access tokens: RS256 signature, iss, aud, exp, nbf. Lifetimes are judged by the machine's time, never by the
 * test clock (D74). Make one verifier a process: it holds the keys.
 */
export const createTokenVerifier = (config: TokenVerifierConfig): TokenVerifier => {
  const { issuer, audience, jwksUri } = config;
  const verifier = JwtVerifier.create(
    { issuer, audience, jwksUri, customJwtCheck: assertCustomerClaims },
    { jwksCache: new LastingJwksCache(chooseFetcher(config)) },
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
