import * as z from 'zod';
import { ServiceEnv } from '../../shared/platform/environment/env.ts';
import { IdentityEnv } from '../../shared/platform/identity/env.ts';

/**
 * The authorizer's environment: the table, whose tokens count, which of them are for hosts, and the client that reads new
 * callers' accounts (D12).
 */
export const AuthorizerEnv = IdentityEnv()
  .safeExtend({
    ...ServiceEnv.shape,
    /** Client ids of the applications for hosts, separated by commas (D106). */
    HOST_CLIENT_IDS: z.string().regex(/^[^\s,]+(,[^\s,]+)*$/, 'must be client ids separated by commas'),
    /** Whether tokens of hosts need a second factor. */
    HOST_MFA: z.enum(['off', 'required']).default('off'),
    /** The secret of CloudFront's requests, where it is before the gateway. */
    EDGE_SECRET_ARN: z.string().min(1).optional(),
  })
  .refine(({ HOST_CLIENT_IDS, IDP_CLIENT_ID }) => !HOST_CLIENT_IDS.split(',').includes(IDP_CLIENT_ID), {
    path: ['HOST_CLIENT_IDS'],
    error: 'must not contain IDP_CLIENT_ID: logins of partners use it',
  })
  .refine(
    ({ HOST_CLIENT_IDS, PAGES_CLIENT_ID: pages }) =>
      pages === undefined || HOST_CLIENT_IDS.split(',').includes(pages),
    { path: ['PAGES_CLIENT_ID'], error: 'must be one of HOST_CLIENT_IDS' },
  );
