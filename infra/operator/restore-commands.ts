import * as z from 'zod';
import { tableNameOf } from '../cloud/table-generation.ts';
import { instantText } from '../../shared/platform/time/clock.ts';
import { invalid, ServiceError } from '../../shared/platform/errors.ts';
import { Instant } from '../../shared/platform/schema/schema.ts';
import { dayMs } from '../../shared/platform/time/time.ts';
import { type CommandPlace, defineCommand } from './command.ts';
import { eventCommands, oldestMs } from './event-commands.ts';
import { compareTables } from './restore/compare-tables.ts';
import {
  describeTable,
  missingSettings,
  originOf,
  type Restore,
  requireRestorable,
  requireSame,
  restoreTable,
} from './restore/restore-table.ts';
import { unknownMovements } from './restore/unknown-movements.ts';
import { searchCommands } from './search-commands.ts';

const at = '<instant> such as 2027-01-15T03:00:00Z';
const OptionalAt = z.strictObject({ at: Instant.optional().describe(at) });
type OptionalAt = z.output<typeof OptionalAt>;

/** What follows from an event is done within this time, unless the publisher stood still; the stream keeps no more. */
const republishedMs = dayMs;

export const restoreCommands = {
  start: defineCommand({
    summary: 'Makes a table of a stage as it stood at an instant, with all settings; run again, it continues',
    changes: true,
    input: z.strictObject({ at: Instant.describe(at) }),
    run: async (place, { at }) => {
      const { restore, generation } = await planOf(place, Date.parse(at));
      const table = await restoreTable(place.recovery.control, restore);
      return {
        ...shown(restore),
        put_into_stage_file: {
          table: { generation, stream_arn: table.LatestStreamArn },
          // A gradual release would book in both tables at the same time.
          release: { pace: 'at_once' },
        },
        next: 'docs/operate.md, "Restore the table"',
      };
    },
    dryRun: async (place, { at }) => {
      const { restore, generation } = await planOf(place, Date.parse(at));
      const existing = await describeTable(place.recovery.control, restore.to);
      if (existing) requireSame(existing, restore);
      else await requireRestorable(place.recovery.control, restore);
      return { ...shown(restore), generation, exists: existing !== undefined };
    },
  }),
  compare: defineCommand<OptionalAt>({
    summary:
      'Names what a restored table lacks: records of the table before, and money that the gateway has moved',
    changes: false,
    input: OptionalAt,
    run: async (place, input) => comparisonOf(place, await originFor(place, input)),
  }),
  finish: defineCommand<OptionalAt>({
    summary: 'After the deployment: publishes events again, writes the search index, and compares',
    changes: true,
    input: OptionalAt,
    run: async (place, input) => {
      const origin = await originFor(place, input);
      await requireSettings(place, origin);
      const from = instantText(Math.max(origin.at - republishedMs, place.deps.clock.now() - oldestMs));
      const { published } = (await eventCommands.republish.run(place, { from })) as { published: number };
      const { indexed } = (await searchCommands.reindex.run(place, {})) as { indexed: number };
      return {
        published,
        indexed,
        feed_epoch: await place.deps.table.identity(place.deps.clock.now()),
        ...(await comparisonOf(place, origin)),
      };
    },
    dryRun: async (place, input) => {
      const origin = await originFor(place, input);
      await requireSettings(place, origin);
      return comparisonOf(place, origin);
    },
  }),
};

const shown = ({ from, to, at }: Restore) => ({ table: to, restored_from: from, at: instantText(at) });

/** Returns the restore that is asked for. Where the stage file has its table already, a run that was interrupted is continued. */
const planOf = async (
  { recovery: { tableName, generation, control }, stage }: CommandPlace,
  at: number,
): Promise<{ restore: Restore; generation: number }> => {
  if (generation === undefined)
    throw invalid({
      path: 'stage',
      message: 'A table is restored on AWS: give --stage. On a laptop, copy DATA_DIR while nothing runs.',
    });
  const current = await describeTable(control, tableName);
  const origin = current && originOf(current);
  if (origin && origin.at === Math.floor(at / 1000) * 1000)
    return { restore: { from: origin.from, to: tableName, at }, generation };
  const next = generation + 1;
  return { restore: { from: tableName, to: tableNameOf(stage, next), at }, generation: next };
};

/** The table before, where there is one, and the instant in epoch milliseconds. */
interface Origin {
  from: string | undefined;
  at: number;
}

const originFor = async (
  { recovery: { tableName, control } }: CommandPlace,
  { at }: OptionalAt,
): Promise<Origin> => {
  const table = await describeTable(control, tableName);
  const origin = table && originOf(table);
  if (origin) return origin;
  if (at !== undefined) return { from: undefined, at: Date.parse(at) };
  throw new ServiceError(
    'INVALID_STATE_TRANSITION',
    `${tableName} was not restored by AWS. Write the table that \`restore start\` made into the stage file; or, for a copy of DATA_DIR, give --at.`,
  );
};

const requireSettings = async (
  { recovery: { tableName, control } }: CommandPlace,
  { from }: Origin,
): Promise<void> => {
  const missing = from === undefined ? [] : await missingSettings(control, { from, to: tableName });
  if (missing.length > 0)
    throw new ServiceError(
      'INVALID_STATE_TRANSITION',
      `${tableName} lacks: ${missing.join(', ')}. Run \`restore start\` again with the same instant.`,
    );
};

const comparisonOf = async ({ recovery, items, deps, progress }: CommandPlace, { from, at }: Origin) => {
  const now = deps.clock.now();
  const isKept = from !== undefined && (await describeTable(recovery.control, from)) !== undefined;
  const { payments = [], ...compared } = isKept
    ? await compareTables(recovery.itemsOf(from), items, { now, progress })
    : { records: null, repeat: null };
  const ledger = await recovery.ledger();
  const movements = await unknownMovements(deps.table, await ledger.movementsSince(at, payments, now));
  return {
    restored_from: from ?? null,
    at: instantText(at),
    ...compared,
    gateway: { provider: ledger.provider, lists: ledger.lists, unknown: movements },
  };
};
