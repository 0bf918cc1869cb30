import * as z from 'zod';
import { ServiceEnv } from '../../shared/platform/env.ts';
import { IdentityEnv } from '../../shared/platform/identity/env.ts';

/** The authorizer's environment: the table, whose tokens count, and the client that reads new callers' accounts (D12). */
export const AuthorizerEnv = IdentityEnv().safeExtend({
  ...ServiceEnv.shape,
  /** The secret of CloudFront's requests, where it is before the gateway. */
  EDGE_SECRET_ARN: z.string().min(1).optional(),
});
