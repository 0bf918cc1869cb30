import { errors } from 'oidc-provider';

/** An error of the token call with Auth0's status instead of 400. */
export const tokenError = (status: number, error: string, description: string): Error =>
  Object.assign(new errors.CustomOIDCProviderError(error, description), { status, statusCode: status });
