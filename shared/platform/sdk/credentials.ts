import { fromEnv } from '@aws-sdk/credential-provider-env';

/**
 * Where a function's AWS credentials come from: Lambda puts them into the environment. The bundler puts this in the place
 * of the SDK's search through profiles, sign-in and metadata servers: a quarter of every bundle that no function uses.
 */
export const defaultProvider = fromEnv;
