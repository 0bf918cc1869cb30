import { parseArgs } from 'node:util';
import { invalid, ServiceError } from '../../shared/platform/errors.ts';
import { validationMessage } from '../../shared/platform/http/validation-messages.ts';
import { explainError } from './aws-errors.ts';
import { auditCommands } from './audit-commands.ts';
import { bookingCommands } from './booking-commands.ts';
import { canaryCommands } from './canary-commands.ts';
import { changeCommands } from './change-commands.ts';
import { catalogCommands } from './catalog-commands.ts';
import {
  allFlags,
  type Command,
  type CommandContext,
  type CommandPlace,
  type Commands,
  ownFlags,
} from './command.ts';
import { deadLetterCommands } from './dead-letter-commands.ts';
import { dryRunTable } from './dry-run-table.ts';
import { commandHelp, helpOverview } from './help.ts';
import { eventCommands } from './event-commands.ts';
import { keyCommands } from './key-commands.ts';
import { memberCommands } from './member-commands.ts';
import { personCommands } from './person-commands.ts';
import { runRecorded } from './record-change.ts';
import { refundCommands } from './refund-commands.ts';
import { restoreCommands } from './restore-commands.ts';
import { runbookCommands } from './runbook-commands.ts';
import { searchCommands } from './search-commands.ts';
import { stageCommands } from './stage-commands.ts';
import { processStreams, progressOn } from './standard-streams.ts';
import { tableCommands } from './table-commands.ts';
import { teamCommands } from './team-commands.ts';
import { userCommands } from './user-commands.ts';

/** Every command of the operator's tool (D72). */
export const commandGroups: Record<string, Commands> = {
  team: teamCommands,
  member: memberCommands,
  key: keyCommands,
  user: userCommands,
  person: personCommands,
  booking: bookingCommands,
  refund: refundCommands,
  canary: canaryCommands,
  catalog: catalogCommands,
  changes: changeCommands,
  'dead-letters': deadLetterCommands,
  events: eventCommands,
  audit: auditCommands,
  search: searchCommands,
  table: tableCommands,
  restore: restoreCommands,
  runbook: runbookCommands,
  stage: stageCommands,
};

export interface Outcome {
  exitCode: 0 | 1;
  stdout: string;
  stderr: string;
}

type Connect = (stage: string | undefined) => CommandContext;

/** Runs one command line. Prints JSON on standard output, or `{code, message}` on standard error with exit code 1. */
export const operate = async (
  args: readonly string[],
  connect: Connect,
  streams = processStreams,
): Promise<Outcome> => {
  try {
    const answer = await run(args, (stage) => ({
      ...connect(stage),
      streams,
      progress: progressOn(streams),
    }));
    const text = typeof answer === 'string' ? answer : JSON.stringify(answer);
    return { exitCode: 0, stdout: answer === undefined ? '' : `${text}\n`, stderr: '' };
  } catch (thrown) {
    const { code, message } = operatorError(thrown);
    return { exitCode: 1, stdout: '', stderr: `${JSON.stringify({ code, message })}\n` };
  }
};

const run = async (
  [noun, verb, ...flags]: readonly string[],
  connect: (stage: string | undefined) => CommandPlace,
): Promise<unknown> => {
  const isHelp = (word: string | undefined) => word === undefined || word === '--help';
  if (isHelp(noun)) return helpOverview(commandGroups);
  const verbs = commandGroups[noun];
  if (verbs && isHelp(verb)) return helpOverview({ [noun]: verbs });
  const command = verbs?.[verb ?? ''];
  if (verb === undefined || !command)
    throw invalid({ path: '', message: `There is no command "${noun} ${verb ?? ''}". Try --help.` });
  const { help, stage, 'dry-run': dryRun, ...values } = readFlags(command, flags);
  if (help === true) return commandHelp(noun, verb, command);
  const input = readInput(command, values);
  // A runbook must be readable while nothing else works.
  if (command.isOffline) return command.run(undefined as never, input);
  const context = connect(stage as string | undefined);
  try {
    if (dryRun === true) return await runDry(command, context, input);
    const run = (): Promise<unknown> => command.run(context, input);
    const ran = { name: `${noun} ${verb}`, command, values };
    return await (command.changes ? runRecorded(context, ran, run) : run());
  } catch (thrown) {
    throw await explainError(thrown, context);
  }
};

const readFlags = (command: Command, args: string[]): Record<string, unknown> => {
  try {
    return parseArgs({ args, options: allFlags(command) }).values;
  } catch (error) {
    const message = error instanceof Error ? error.message : String(error);
    throw invalid({ path: '', message: `${message.split('. ')[0] ?? message}. Try --help.` });
  }
};

const readInput = (command: Command, values: Record<string, unknown>): unknown => {
  const flags = Object.entries(ownFlags(command));
  for (const [name, { field, isRequired }] of flags)
    if (isRequired && values[name] === undefined)
      throw invalid({ path: field, message: `--${name} is required.` });
  const result = command.input.safeParse(
    Object.fromEntries(flags.map(([name, { field }]) => [field, values[name]])),
  );
  if (result.success) return result.data;
  const issues = result.error.issues.map((issue) => {
    const [option = '', ...rest] = issue.path.map(String);
    return {
      path: [option, ...rest].join('.'),
      message: `--${option.replaceAll('_', '-')}: ${validationMessage(issue)}`,
    };
  });
  throw new ServiceError('VALIDATION_ERROR', issues.map(({ message }) => message).join('; '), { issues });
};

/** Runs a command without its writes. Its result would contain ids and keys that are never created, so it is not shown. */
const runDry = async (command: Command, context: CommandPlace, input: unknown) => {
  if (command.dryRun) return { dry_run: true, ...(await command.dryRun(context, input)) };
  const { table, wouldWrite } = dryRunTable(context.deps.table);
  await command.run({ ...context, deps: { ...context.deps, table } }, input);
  return { dry_run: true, would_write: wouldWrite };
};

const operatorError = (thrown: unknown): { code: string; message: string } => {
  if (thrown instanceof ServiceError) return thrown;
  return { code: 'INTERNAL_ERROR', message: thrown instanceof Error ? thrown.message : String(thrown) };
};
