import type { ParseArgsConfig } from 'node:util';
import type * as z from 'zod';
import type { Dependencies } from '../../shared/platform/context.ts';
import type { DeadLetters } from './dead-letters.ts';
import type { Outbox } from './outbox.ts';
import type { GatewayLedger } from './restore/gateway-ledger.ts';
import type { TableControl } from './restore/table-control.ts';
import type { StandardStreams } from './standard-streams.ts';
import type { StoredItems } from './stored-items.ts';

/** What a restore needs beside the table of the service. */
export interface Recovery {
  tableName: string;
  /** Of the stage file; undefined: the local service, whose table is never replaced. */
  generation: number | undefined;
  control: TableControl;
  /** Returns the items of another table. */
  itemsOf: (tableName: string) => StoredItems;
  ledger: () => Promise<GatewayLedger>;
}

/** The dependencies of a command and the stage that it runs against. */
export interface CommandContext {
  deps: Dependencies;
  stage: string;
  /** Returns the address of the API, for links in mails; throws VALIDATION_ERROR where it is not known. */
  apiUrl: () => string;
  deadLetters: DeadLetters;
  outbox: Outbox;
  items: StoredItems;
  recovery: Recovery;
  /** Returns who runs the command, for the record of changes. */
  operator: () => Promise<string>;
  /** Returns a description of the target for error messages. */
  target: () => Promise<string>;
}

/** The context of a command, with its standard streams. */
export interface CommandPlace extends CommandContext {
  streams: StandardStreams;
}

interface Option {
  type: 'string' | 'boolean';
  multiple?: true;
  /** One line of `--help`; `<…>` is the value. */
  meaning: string;
  required?: true;
  /** The address of a person: it is not kept in the record of changes. */
  personal?: true;
}

/** One `<noun> <verb>` of the operator's tool (D72). Flags are option names with hyphens for underscores. */
export interface Command<Input = unknown> {
  summary: string;
  /** Whether it accepts `--dry-run`. */
  changes: boolean;
  /** It needs no service: it prints what is in the project. */
  isOffline?: true;
  options: Record<string, Option>;
  input: z.ZodType<Input>;
  run: (place: CommandPlace, input: Input) => Promise<unknown>;
  /** The result of `--dry-run`, for commands that change something other than the table. */
  dryRun?: (place: CommandPlace, input: Input) => Promise<object>;
}

export type Commands = Record<string, Command>;

/** Returns the command; ties the input type of schema and `run`. */
export const defineCommand = <Input>(command: Command<Input>): Command => command as Command;

/** The flags of every command. */
const commonOptions = {
  stage: { type: 'string', meaning: '<name> of a deployed stage; default: the local service' },
  help: { type: 'boolean', meaning: 'print this help' },
} satisfies Record<string, Option>;

const dryRunOption = {
  'dry-run': { type: 'boolean', meaning: 'validate and print what would change, without writing' },
} as const;

/** Returns the flags of a command for `parseArgs`. */
export const flagsOf = (command: Command): NonNullable<ParseArgsConfig['options']> =>
  Object.fromEntries(
    Object.entries(allOptions(command)).map(([name, { type, multiple = false }]) => [
      flagName(name),
      { type, multiple },
    ]),
  );

export const allOptions = (command: Command): Record<string, Option> => ({
  ...command.options,
  ...(command.changes ? dryRunOption : {}),
  ...commonOptions,
});

export const flagName = (option: string): string => option.replaceAll('_', '-');
