export { createAuth0, type Auth0Config } from './auth0.ts';
export { type IdentityProvider, type IdentityUser, type IssuedTokens } from './identity-provider.ts';
export { applicationOf, hasSecondFactor } from './token-claims.ts';
export { createTokenVerifier, type TokenClaims, type TokenVerifier } from './verify-token.ts';
