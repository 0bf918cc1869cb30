export { createAuth0, type Auth0Config } from './auth0.ts';
export { type IdentityProvider, type IdentityUser, type IssuedTokens } from './identity-provider.ts';
export { createTokenVerifier, type TokenVerifier } from './verify-token.ts';
