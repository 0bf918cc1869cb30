/** Creates a table with the records that the sample events speak of. */
import { fillWorld } from '../infra/samples/world.ts';
import { testTableName } from '../support/table.ts';
import { answerCalls } from './processes.ts';

export interface WorldCalls {
  /** Returns the name of the table. */
  fill: (settings: Record<string, string>) => Promise<string>;
  [name: string]: (argument: never) => unknown;
}

answerCalls({
  fill: async (settings) => {
    Object.assign(process.env, settings);
    await fillWorld();
    return testTableName();
  },
} satisfies WorldCalls);
