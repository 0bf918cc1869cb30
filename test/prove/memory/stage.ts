import type { Stage } from '../schedule/run.ts';
import { sceneWrites } from '../schedule/scene.ts';
import { TransactWriteCommand } from '@aws-sdk/lib-dynamodb';
import { MemoryTable } from './memory-table.ts';

let prepared: MemoryTable | undefined;

/** A fresh scene in memory. */
export const memoryStage = async (tamper?: Stage['tamper']): Promise<Stage> => {
  prepared ??= await prepare();
  const table = prepared.copy();
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
