import * as z from 'zod';
import { ServiceEnv } from '../environment/env.ts';
import { once } from '../once.ts';

const loopbackHosts = new Set(['127.0.0.1', '[::1]', 'localhost']);

const isSafeAddress = (address: string | undefined, stage: string): boolean => {
  if (address === undefined) return true;
  const { protocol, hostname } = new URL(address);
  return protocol === 'https:' || (stage === 'local' && protocol === 'http:' && loopbackHosts.has(hostname));
};

/** The issuer whose tokens are accepted (D11). Plain http is for the local identity provider only. */
const tokenEnv = () => {
  const address = z.url({ protocol: /^https?$/ });
  return z
    .object({
      STAGE: ServiceEnv.shape.STAGE,
      /** As in the tokens' `iss`, with a trailing slash. */
      ISSUER: address.endsWith('/'),
      AUDIENCE: z.string().min(1),
      /** The address of the issuer's keys, if not the standard one. */
      JWKS_URI: address.optional(),
    })
    .refine(({ ISSUER, STAGE }) => isSafeAddress(ISSUER, STAGE), {
      path: ['ISSUER'],
      error: 'must be https',
    })
    .refine(({ JWKS_URI, STAGE }) => isSafeAddress(JWKS_URI, STAGE), {
      path: ['JWKS_URI'],
      error: 'must be https',
    });
};

/**
 * The service's client at the identity provider. Its secret is in Secrets Manager, or a variable on a laptop. The schema is created
 * at its first use.
 */
export const IdentityEnv = once(() =>
  tokenEnv()
    .safeExtend({
      IDP_CLIENT_ID: z.string().min(1),
      IDENTITY_SECRET_ARN: z.string().min(1).optional(),
      IDP_CLIENT_SECRET: z.string().min(1).optional(),
      /** The database connection that holds the customers. */
      IDP_CONNECTION: z.string().min(1).default('Username-Password-Authentication'),
      /** The audience of the Management API, if not the standard one. */
      IDP_MANAGEMENT_AUDIENCE: z.string().min(1).optional(),
      /** The public client (PKCE) of the service's own pages; absent where a stage has none. */
      PAGES_CLIENT_ID: z.string().min(1).optional(),
    })
    .refine(
      ({ IDENTITY_SECRET_ARN, IDP_CLIENT_SECRET }) =>
        (IDENTITY_SECRET_ARN ?? IDP_CLIENT_SECRET) !== undefined,
      { path: ['IDENTITY_SECRET_ARN'], error: 'is required, or IDP_CLIENT_SECRET' },
    ),
);
export type IdentityEnv = z.infer<ReturnType<typeof IdentityEnv>>;
