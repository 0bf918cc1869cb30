import { IdentityEnv, ServiceEnv } from '../../shared/platform/env.ts';

/** The authorizer's environment: the table, whose tokens count, and the client that reads new callers' accounts (D12). */
export const AuthorizerEnv = IdentityEnv.safeExtend(ServiceEnv.shape);
