export { createAuth0, type Auth0Config, type Auth0Dependencies } from './auth0.ts';
export {
  type IdentityProvider,
  type IdentityUser,
  type IssuedTokens,
  type PasswordLogin,
  type SignUp,
} from './identity-provider.ts';
export {
  createTokenVerifier,
  type TokenClaims,
  type TokenVerifier,
  type TokenVerifierConfig,
  type VerifiedToken,
} from './verify-token.ts';
