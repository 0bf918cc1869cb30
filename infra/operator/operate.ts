import { parseArgs } from 'node:util';
import { invalid, ServiceError } from '../../shared/platform/errors.ts';
import { explained } from './aws-errors.ts';
import { catalogCommands } from './catalog-commands.ts';
import { allOptions, type Command, type Commands, flagName, flagsOf, type Workplace } from './command.ts';
import { deadLetterCommands } from './dead-letter-commands.ts';
import { dryTable } from './dry-table.ts';
import { manual, overview } from './help.ts';
import { eventCommands } from './event-commands.ts';
import { keyCommands } from './key-commands.ts';
import { memberCommands } from './member-commands.ts';
import { refundCommands } from './refund-commands.ts';
import { teamCommands } from './team-commands.ts';
import { userCommands } from './user-commands.ts';

/** Every command of the operator's tool (D72). */
export const nouns: Record<string, Commands> = {
  team: teamCommands,
  member: memberCommands,
  key: keyCommands,
  user: userCommands,
  refund: refundCommands,
  catalog: catalogCommands,
  'dead-letters': deadLetterCommands,
  events: eventCommands,
};

export interface Outcome {
  exitCode: 0 | 1;
  stdout: string;
  stderr: string;
}

type Connect = (stage: string | undefined) => Workplace;

/** Runs one command line: JSON on standard output, `{code, message}` on standard error with exit code 1. */
export const operate = async (args: readonly string[], connect: Connect): Promise<Outcome> => {
  try {
    const answer = await run(args, connect);
    const stdout = typeof answer === 'string' ? answer : JSON.stringify(answer);
    return { exitCode: 0, stdout: `${stdout}\n`, stderr: '' };
  } catch (thrown) {
    const { code, message } = operatorError(thrown);
    return { exitCode: 1, stdout: '', stderr: `${JSON.stringify({ code, message })}\n` };
  }
};

const run = async ([noun, verb, ...flags]: readonly string[], connect: Connect): Promise<unknown> => {
  const isHelp = (word: string | undefined) => word === undefined || word === '--help';
  if (isHelp(noun)) return overview(nouns);
  const verbs = nouns[noun];
  if (verbs && isHelp(verb)) return overview({ [noun]: verbs });
  const command = verbs?.[verb ?? ''];
  if (verb === undefined || !command)
    throw invalid({ path: '', message: `There is no command "${noun} ${verb ?? ''}". Try --help.` });
  const { help, stage, 'dry-run': dryRun, ...values } = readFlags(command, flags);
  if (help === true) return manual(noun, verb, command);
  const input = readInput(command, values);
  const place = connect(stage as string | undefined);
  try {
    return await (dryRun === true ? rehearse(command, place, input) : command.run(place, input));
  } catch (thrown) {
    throw await explained(thrown, place);
  }
};

const readFlags = (command: Command, args: string[]): Record<string, unknown> => {
  try {
    return parseArgs({ args, options: flagsOf(command), strict: true, allowPositionals: false }).values;
  } catch (error) {
    const message = error instanceof Error ? error.message : String(error);
    throw invalid({ path: '', message: message.split('. ')[0] ?? message });
  }
};

const readInput = (command: Command, values: Record<string, unknown>): unknown => {
  for (const [name, { required }] of Object.entries(command.options))
    if (required && values[flagName(name)] === undefined)
      throw invalid({ path: name, message: `--${flagName(name)} is required.` });
  const given = Object.fromEntries(
    Object.keys(allOptions(command)).flatMap((name) => {
      const value = values[flagName(name)];
      return value === undefined ? [] : [[name, value]];
    }),
  );
  const result = command.input.safeParse(given);
  if (result.success) return result.data;
  const issues = result.error.issues.map(({ path, message }) => {
    const [option = '', ...rest] = path.map(String);
    return { path: [option, ...rest].join('.'), message: `--${flagName(option)}: ${message}` };
  });
  throw new ServiceError('VALIDATION_ERROR', issues.map(({ message }) => message).join('; '), { issues });
};

/** Everything but the writes; what it would have answered holds ids and keys that never come to be, so it is not shown. */
const rehearse = async (command: Command, place: Workplace, input: unknown) => {
  if (command.rehearse) return { dry_run: true, ...(await command.rehearse(place, input)) };
  const { table, wouldWrite } = dryTable(place.deps.table);
  await command.run({ ...place, deps: { ...place.deps, table } }, input);
  return { dry_run: true, would_write: wouldWrite };
};

const operatorError = (thrown: unknown): { code: string; message: string } => {
  if (thrown instanceof ServiceError) return thrown;
  return { code: 'INTERNAL_ERROR', message: thrown instanceof Error ? thrown.message : String(thrown) };
};
