import type { ParseArgsConfig } from 'node:util';
import type * as z from 'zod';
import type { Dependencies } from '../../shared/platform/context.ts';
import type { DeadLetters } from './dead-letters.ts';
import type { Outbox } from './outbox.ts';

/** Where a command works: the dependencies, and the stage that keys are made for. */
export interface Workplace {
  deps: Dependencies;
  stage: string;
  deadLetters: DeadLetters;
  outbox: Outbox;
  /** Where it looks, as far as is known, for a person whom nothing answers. */
  whereabouts: () => Promise<string>;
}

interface Option {
  type: 'string' | 'boolean';
  multiple?: true;
  /** One line of `--help`; a value is named in it as `<what>`. */
  meaning: string;
  required?: true;
}

/** One `<noun> <verb>` of the operator's tool (D72). Flags are the options' names with hyphens for underscores. */
export interface Command<Input = unknown> {
  summary: string;
  /** Whether it takes `--dry-run`. */
  changes: boolean;
  options: Record<string, Option>;
  input: z.ZodType<Input>;
  run: (place: Workplace, input: Input) => Promise<unknown>;
  /** What `--dry-run` tells, where it is not the table that changes. */
  rehearse?: (place: Workplace, input: Input) => Promise<object>;
}

export type Commands = Record<string, Command>;

/** Keeps the input's type between schema and verb. */
export const defineCommand = <Input>(command: Command<Input>): Command => command as Command;

/** Flags that every command takes. */
const commonOptions = {
  stage: { type: 'string', meaning: '<name> of a deployed stage; without it, the service running here' },
  help: { type: 'boolean', meaning: 'this text' },
} satisfies Record<string, Option>;

const dryRunOption = {
  'dry-run': { type: 'boolean', meaning: 'check and tell, but write nothing' },
} as const;

/** The flags of a command as `parseArgs` takes them. */
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
