import type { TokenClaims } from './verify-token.ts';

/** Returns the client id of the application that a token was issued to: `azp`, else `client_id` (D106). */
export const applicationOf = (claims: TokenClaims): string | undefined =>
  [claims['azp'], claims['client_id']].find((id) => typeof id === 'string');

/**
 * Returns whether the person gave a second factor at sign-in: `amr` contains `mfa` (RFC 8176). Where a provider sets no `amr`
 * in access tokens, its rule sets `<audience>/amr`.
 */
export const hasSecondFactor = (claims: TokenClaims, audience: string): boolean =>
  [claims['amr'], claims[`${audience}/amr`]].some(
    (methods) => Array.isArray(methods) && methods.includes('mfa'),
  );
