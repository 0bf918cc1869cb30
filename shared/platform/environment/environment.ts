import { systemClock } from '../time/clock.ts';
import type { Dependencies } from '../context.ts';
import { readEnv, ServiceEnv } from './env.ts';
import { log } from '../metrics/log.ts';
import { once } from '../once.ts';
import { recordCheck } from './record-check.ts';
import { checkEveryRecord, connectTable, type TableConnection } from '../table/index.ts';

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
    identity: () => {
      throw new Error('This function knows nothing of accounts: it has no identity provider.');
    },
    payments: () => {
      throw new Error('This function takes no payments: it has no gateway.');
    },
    sealing: () => {
      throw new Error('This function shows nothing that is encrypted: it has no data key.');
    },
  };
};

/** Returns the dependencies of this process, created from its environment at the first call. */
export const environment = once(() => dependenciesFrom(process.env));
