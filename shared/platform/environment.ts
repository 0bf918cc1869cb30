import { systemClock } from './clock.ts';
import type { Dependencies } from './context.ts';
import { IdentityEnv, readEnv, ServiceEnv } from './env.ts';
import { createAuth0 } from './identity/auth0.ts';
import type { IdentityProvider } from './identity/index.ts';
import { log } from './log.ts';
import { once } from './once.ts';
import { recordCheck } from './record-check.ts';
import { checkEveryRecord, connectTable, type TableConnection } from './table/index.ts';

/** Returns dependencies made from given variables. */
export const dependenciesFrom = (
  variables: Record<string, string | undefined>,
  connection?: TableConnection,
): Dependencies => {
  const { TABLE_NAME, STAGE } = readEnv(ServiceEnv, variables);
  return {
    table: connectTable(TABLE_NAME, STAGE === 'local' ? checkEveryRecord : recordCheck(log), connection),
    clock: systemClock,
    log,
    identity: once(() => identityFrom(variables)),
    payments: () => {
      throw new Error('This function takes no payments: it has no gateway.');
    },
  };
};

/** Returns the dependencies of this process, created from its environment at the first call. */
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
