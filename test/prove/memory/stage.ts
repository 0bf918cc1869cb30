import { once } from '../../../shared/platform/once.ts';
import type { Stage } from '../schedule/run.ts';
import { sceneWrites } from '../schedule/scene.ts';
import { TransactWriteCommand } from '@aws-sdk/lib-dynamodb';
import { MemoryTable } from './memory-table.ts';

/** Returns a new scene in memory. */
export const memoryStage = async (tamper?: Stage['tamper']): Promise<Stage> => {
  const table = (await prepared()).copy();
  return {
    backend: table,
    items: () => table.items(),
    itemsAtRest: async () => table.items(),
    effects: () => table.effects(),
    sweep: (now) => table.sweep(now),
    ...(tamper ? { tamper } : {}),
  };
};

const prepare = async (): Promise<MemoryTable> => {
  const table = new MemoryTable();
  const TransactItems = sceneWrites().map((write) => write.render('prove'));
  await table.execute(new TransactWriteCommand({ TransactItems, ClientRequestToken: 'scene' }));
  return table;
};

const prepared = once(prepare);
