import { PassThrough, Readable } from 'node:stream';
import { text } from 'node:stream/consumers';
import { expect } from 'vitest';
import type { Recovery } from '../../infra/operator/command.ts';
import type { DeadLetters } from '../../infra/operator/dead-letters.ts';
import { operate, type Outcome } from '../../infra/operator/operate.ts';
import { createOutbox } from '../../infra/operator/outbox.ts';
import { createStoredItems } from '../../infra/operator/stored-items.ts';
import type { Dependencies } from '../../shared/platform/context.ts';
import { noRecovery } from './recovery.ts';
import { testTableName } from './table.ts';

interface Played extends Outcome {
  /** What was written to standard output and error while the command ran. */
  output: string;
  progress: string;
}

const noDeadLetters = { rewrite: () => Promise.resolve(0) } as Partial<DeadLetters> as DeadLetters;

interface PlayOptions {
  input?: string;
  stage?: string;
  recovery?: Recovery;
  deadLetters?: DeadLetters;
  /** Default: that of this test. */
  tableName?: string;
}

/** Runs a command of the operator's tool that needs neither queues nor bus, with a text on standard input. */
export const playOperator = async (
  deps: Dependencies,
  args: readonly string[],
  {
    input = '',
    stage = 'local',
    recovery = noRecovery,
    tableName,
    deadLetters = noDeadLetters,
  }: PlayOptions = {},
): Promise<Played> => {
  const [output, error] = [new PassThrough(), new PassThrough()];
  const [written, progress] = [text(output), text(error)];
  const items = createStoredItems(tableName ?? (await testTableName()));
  const outcome = await operate(
    args,
    () => ({
      deps,
      stage,
      apiUrl: () => 'https://api.example.com',
      deadLetters,
      target: () => Promise.resolve('the table of this test'),
      operator: () => Promise.resolve('operator of this test'),
      outbox: createOutbox({ items, busName: 'none' }),
      items,
      recovery,
    }),
    { input: Readable.from([input]), output, error },
  );
  output.end();
  error.end();
  return { ...outcome, output: await written, progress: await progress };
};

/** Returns what a command has printed. */
// oxlint-disable-next-line typescript/no-unnecessary-type-parameters -- the caller knows the command's answer
export const answerOf = <Answer>({ exitCode, stdout, stderr }: Outcome): Answer => {
  expect({ exitCode, stderr }).toEqual({ exitCode: 0, stderr: '' });
  return JSON.parse(stdout) as Answer;
};

/** Returns the error of a command that was refused. */
export const refusalOf = ({ exitCode, stdout, stderr }: Outcome): { code: string; message: string } => {
  expect({ exitCode, stdout }).toEqual({ exitCode: 1, stdout: '' });
  return JSON.parse(stderr) as { code: string; message: string };
};
