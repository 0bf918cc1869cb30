import { errors } from 'oidc-provider';

/** Returns an error of the token endpoint with Auth0's status instead of 400. */
export const tokenError = (status: number, error: string, description: string): Error =>
  Object.assign(new errors.CustomOIDCProviderError(error, description), { status, statusCode: status });
