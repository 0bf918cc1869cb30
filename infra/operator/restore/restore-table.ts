import {
  DescribeContinuousBackupsCommand,
  DescribeTableCommand,
  ResourceInUseException,
  ResourceNotFoundException,
  RestoreTableToPointInTimeCommand,
  type TableDescription,
} from '@aws-sdk/client-dynamodb';
import { instantText } from '../../../shared/platform/time/clock.ts';
import { ServiceError } from '../../../shared/platform/errors.ts';
import type { TableControl } from './table-control.ts';
import { type TableSetting, tableSettings } from './table-settings.ts';

/** A restore: the table, the name of its copy, and the instant as epoch milliseconds. */
export interface Restore {
  from: string;
  to: string;
  at: number;
}

/** Returns a table; undefined if there is none of that name. */
export const describeTable = async (
  { client }: Pick<TableControl, 'client'>,
  TableName: string,
): Promise<TableDescription | undefined> => {
  try {
    return (await client.send(new DescribeTableCommand({ TableName }))).Table;
  } catch (error) {
    if (error instanceof ResourceNotFoundException) return undefined;
    throw error;
  }
};

/** Returns the name of the table that one was restored from, and the instant; undefined if it was not restored. */
export const originOf = ({ RestoreSummary }: TableDescription): { from: string; at: number } | undefined => {
  const { SourceTableArn, RestoreDateTime } = RestoreSummary ?? {};
  const from = SourceTableArn?.split(':table/')[1];
  return from === undefined || RestoreDateTime === undefined
    ? undefined
    : { from, at: RestoreDateTime.getTime() };
};

const refused = (message: string): ServiceError => new ServiceError('INVALID_STATE_TRANSITION', message);

const required = async (control: TableControl, name: string): Promise<TableDescription> => {
  const table = await describeTable(control, name);
  if (!table) throw new ServiceError('NOT_FOUND', `There is no table ${name}.`);
  return table;
};

/** Throws unless the table can be restored to the instant. */
export const requireRestorable = async (
  { client }: Pick<TableControl, 'client'>,
  { from, at }: Restore,
): Promise<void> => {
  const { ContinuousBackupsDescription } = await client.send(
    new DescribeContinuousBackupsCommand({ TableName: from }),
  );
  const { EarliestRestorableDateTime: earliest, LatestRestorableDateTime: latest } =
    ContinuousBackupsDescription?.PointInTimeRecoveryDescription ?? {};
  if (!earliest || !latest) throw refused(`${from} has no point-in-time recovery.`);
  if (at < earliest.getTime() || at > latest.getTime())
    throw refused(
      `${from} can be restored to instants from ${instantText(earliest.getTime())} to ${instantText(latest.getTime())}, not to ${instantText(at)}.`,
    );
};

/** Throws if a table of the name exists that is not this restore: another run may have made it for another instant. */
export const requireSame = (table: TableDescription, { from, to, at }: Restore): void => {
  const origin = originOf(table);
  if (origin?.from === from && secondsOf(origin.at) === secondsOf(at)) return;
  const what = origin
    ? `is ${origin.from} as it stood at ${instantText(origin.at)}`
    : 'was not restored from another table';
  throw refused(
    `${to} exists already and ${what}. Give that instant to continue, or delete ${to} first if no stage uses it.`,
  );
};

/** DynamoDB takes instants of a restore to the second. */
const secondsOf = (ms: number): number => Math.floor(ms / 1000);

/**
 * Restores a table to an instant under another name, and gives the copy what a restore leaves out, as the table has it. Each
 * step looks before it changes something, so a run that was interrupted is continued by the next one with the same instant.
 */
export const restoreTable = async (control: TableControl, restore: Restore): Promise<TableDescription> => {
  const source = await required(control, restore.from);
  const before = await describeTable(control, restore.to);
  if (!before) {
    await requireRestorable(control, restore);
    await begin(control, restore);
  }
  const copy = await active(control, restore.to);
  requireSame(copy, restore);
  for (const setting of tableSettings(control, source)) await make(control, restore.to, setting);
  return active(control, restore.to);
};

/** Makes a setting unless it is right. It is refused while another one is being made, also by another run. */
const make = async (
  control: TableControl,
  name: string,
  { name: what, isRight, apply }: TableSetting,
): Promise<void> => {
  for (;;) {
    const copy = await active(control, name);
    if (await isRight(copy)) return;
    control.progress(`${name}: ${what}`);
    try {
      await apply(copy);
      return;
    } catch (error) {
      if (!(error instanceof ResourceInUseException)) throw error;
      await control.wait();
    }
  }
};

const begin = async ({ client }: TableControl, { from, to, at }: Restore): Promise<void> => {
  try {
    await client.send(
      new RestoreTableToPointInTimeCommand({
        ...{ SourceTableName: from, TargetTableName: to },
        RestoreDateTime: new Date(secondsOf(at) * 1000),
      }),
    );
  } catch (error) {
    // Made by another run, or by a call whose answer was lost: its description says to which instant.
    if ((error as Error).name !== 'TableAlreadyExistsException') throw error;
  }
};

/** Waits until a table and its indexes are active. */
const active = async (control: TableControl, name: string): Promise<TableDescription> => {
  for (;;) {
    const table = await describeTable(control, name);
    // A table that was just asked for may not be visible yet.
    const states = table
      ? [table.TableStatus, ...(table.GlobalSecondaryIndexes ?? []).map(({ IndexStatus }) => IndexStatus)]
      : ['CREATING'];
    const isRestoring = table?.RestoreSummary?.RestoreInProgress ?? false;
    if (table && !isRestoring && states.every((state) => state === 'ACTIVE')) return table;
    const waited = ['CREATING', 'UPDATING', 'ACTIVE'];
    if (states.some((state) => state !== undefined && !waited.includes(state)))
      throw refused(`${name} is ${states.join(', ')}.`);
    control.progress(`${name} is ${isRestoring ? 'being restored' : states.join(', ')}`);
    await control.wait();
  }
};

/** Returns the settings that a table lacks which its origin has. */
export const missingSettings = async (
  control: TableControl,
  { from, to }: Pick<Restore, 'from' | 'to'>,
): Promise<string[]> => {
  const [source, copy] = [await required(control, from), await required(control, to)];
  const missing: string[] = [];
  for (const { name, isRight } of tableSettings(control, source))
    if (!(await isRight(copy))) missing.push(name);
  return missing;
};
