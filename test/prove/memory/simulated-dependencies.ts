import type { Dependencies } from '../../../shared/platform/context.ts';
import { TransactWriteCommand } from '../../../shared/platform/dynamodb/index.ts';
import { newId } from '../../../shared/platform/ids.ts';
import { noGateway } from '../../../shared/platform/payment/no-gateway.ts';
import { maxWrites, Table, type Write } from '../../../shared/platform/table/index.ts';
import { silentLog } from '../schedule/handlers.ts';
import { start } from '../schedule/scene.ts';
import { sdkClient } from './sdk-client.ts';
import { SimulatedTable } from './simulated-table.ts';
import type { SimulatedTime } from './simulated-time.ts';
import { testSealing } from '../../support/sealing.ts';

/** An id follows the one before of the same moment: without this the ids of an earlier run would go on. */
export const forgetIds = (): void => void newId({ now: () => start - 86_400_000 });

/** Returns a table with the items of some writes. */
export const tableOf = async (writes: readonly Write[]): Promise<SimulatedTable> => {
  const table = new SimulatedTable();
  const items = writes.map((write) => write.render('prove'));
  for (let at = 0; at < items.length; at += maxWrites) {
    const TransactItems = items.slice(at, at + maxWrites);
    await table.execute(new TransactWriteCommand({ TransactItems }));
  }
  return table;
};

/** The dependencies of handlers over a simulated table. */
export const simulatedDependencies = (table: SimulatedTable, time: SimulatedTime): Dependencies => ({
  table: new Table({ client: sdkClient(table), tableName: 'prove' }),
  clock: { now: () => Math.floor(time.now()) },
  log: silentLog,
  payments: () => noGateway,
  sealing: testSealing,
  identity: () => {
    throw new Error('no identity provider takes part in a crowd');
  },
});
