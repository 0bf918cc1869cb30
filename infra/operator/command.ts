import * as z from 'zod';
import type { Dependencies } from '../../shared/platform/context.ts';
import type { DeadLetters } from './dead-letters.ts';
import type { Outbox } from './outbox.ts';
import type { GatewayLedger } from './restore/gateway-ledger.ts';
import type { TableControl } from './restore/table-control.ts';
import type { AwsAccount } from './stage/check-stage.ts';
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
  /** The account of a deployed stage. */
  account?: AwsAccount;
  /** Returns who runs the command, for the record of changes. */
  operator: () => Promise<string>;
  /** Returns a description of the target for error messages. */
  target: () => Promise<string>;
}

/** The context of a command, with its standard streams. */
export interface CommandPlace extends CommandContext {
  streams: StandardStreams;
  progress: (text: string) => void;
}

interface Flag {
  /** Its name in the input of the command: with underscores for hyphens. */
  field: string;
  type: 'string' | 'boolean';
  multiple: boolean;
  /** One line of `--help`; `<…>` is the value. */
  meaning: string;
  isRequired: boolean;
  /** It is not kept in the record of changes. */
  isPersonal: boolean;
}

/** One `<noun> <verb>` of the operator's tool (D72). */
export interface Command<Input = unknown> {
  summary: string;
  /** Whether it accepts `--dry-run`. */
  changes: boolean;
  /** It needs no service: it prints what is in the project. */
  isOffline?: true;
  /** Its flags: an object of fields, each with its meaning as description. */
  input: z.ZodType<Input>;
  run: (place: CommandPlace, input: Input) => Promise<unknown>;
  /** The result of `--dry-run`, for commands that change something other than the table. */
  dryRun?: (place: CommandPlace, input: Input) => Promise<object>;
}

export type Commands = Record<string, Command>;

/** Returns the command; ties the input type of schema and `run`. */
export const defineCommand = <Input>(command: Command<Input>): Command => command as Command;

interface FieldSchema {
  type?: string;
  const?: unknown;
  description?: string;
  personal?: boolean;
}

/** Returns the flags that a command has of its own, by name. */
export const ownFlags = ({ input }: Command): Record<string, Flag> => {
  const { properties = {}, required = [] } = z.toJSONSchema(input, { io: 'input', unrepresentable: 'any' });
  return Object.fromEntries(
    Object.entries(properties as Record<string, FieldSchema>).map(([field, schema]) => [
      field.replaceAll('_', '-'),
      {
        field,
        type: schema.type === 'boolean' ? 'boolean' : 'string',
        multiple: schema.type === 'array',
        meaning: schema.description ?? '',
        isRequired: required.includes(field),
        isPersonal: schema.personal ?? false,
      },
    ]),
  );
};

/** Returns all flags of a command with their meaning, for `parseArgs` and `--help`. */
export const allFlags = (
  command: Command,
): Record<string, Pick<Flag, 'type' | 'meaning'> & Partial<Flag>> => ({
  ...ownFlags(command),
  ...(command.changes && {
    'dry-run': { type: 'boolean', meaning: 'validate and print what would change, without writing' },
  }),
  stage: { type: 'string', meaning: '<name> of a deployed stage; default: the local service' },
  help: { type: 'boolean', meaning: 'print this help' },
});
