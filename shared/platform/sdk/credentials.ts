import { fromEnv } from '@aws-sdk/credential-provider-env';

/**
 * The credentials of a function come from its environment. The bundler replaces the SDK's provider chain (profiles, SSO,
 * metadata servers) with this: a quarter of every bundle.
 */
export const defaultProvider = fromEnv;
