import { systemClock } from './clock.ts';
import type { Dependencies } from './context.ts';
import { IdentityEnv, readEnv, ServiceEnv } from './env.ts';
import { createAuth0 } from './identity/auth0.ts';
import type { IdentityProvider } from './identity/index.ts';
import { log } from './log.ts';
import { once } from './once.ts';
import { connectTable } from './table/index.ts';

/** Dependencies from the variables given; for an operator's program, which reads them from elsewhere. */
export const dependenciesFrom = (variables: Record<string, string | undefined>): Dependencies => {
  return {
    table: connectTable(readEnv(ServiceEnv, variables).TABLE_NAME),
    clock: systemClock,
    log,
    identity: once(() => identityFrom(variables)),
    payments: () => {
      throw new Error('This function takes no payments: it has no gateway.');
    },
  };
};

/** The dependencies of a function in its process, made at the first call from its environment. */
export const environment = once(() => dependenciesFrom(process.env));

const identityFrom = (variables: Record<string, string | undefined>): IdentityProvider => {
  const env = readEnv(IdentityEnv, variables);
  return createAuth0(
    {
      issuer: env.ISSUER,
      audience: env.AUDIENCE,
      client_id: env.IDP_CLIENT_ID,
      client_secret: env.IDP_CLIENT_SECRET,
      connection: env.IDP_CONNECTION,
      management_audience: env.IDP_MANAGEMENT_AUDIENCE ?? `${env.ISSUER}api/v2/`,
    },
    { clock: systemClock },
  );
};
