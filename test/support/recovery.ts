import { DescribeTableCommand, DynamoDBClient, type TableDescription } from '@aws-sdk/client-dynamodb';
import type { Recovery } from '../../infra/operator/command.ts';
import { sandboxLedger } from '../../infra/operator/restore/gateway-ledger.ts';
import type { TableControl } from '../../infra/operator/restore/table-control.ts';
import { createStoredItems } from '../../infra/operator/stored-items.ts';
import type { TestGateway } from './sandbox.ts';

/** For commands that restore nothing. */
export const noRecovery = {} as Recovery;

interface RestoredTable {
  tableName: string;
  /** As DynamoDB says of a restored table. */
  summary: TableDescription['RestoreSummary'];
  /** Of the table before; undefined: it was deleted. */
  sandbox: TestGateway;
}

/** Returns what a restore needs of a table of the emulator, which restores none itself, and the sandbox gateway. */
export const recoveryOf = ({ tableName, summary, sandbox }: RestoredTable): Recovery => {
  const client = new DynamoDBClient({});
  const send = async (command: unknown): Promise<unknown> => {
    const answer: unknown = await client.send(command as DescribeTableCommand);
    if (!(command instanceof DescribeTableCommand) || command.input.TableName !== tableName) return answer;
    return { Table: { ...(answer as { Table: TableDescription }).Table, RestoreSummary: summary } };
  };
  return {
    tableName,
    generation: 2,
    control: {
      client: { send } as TableControl['client'],
      wait: () => Promise.reject(new Error('nothing is waited for')),
      progress: () => undefined,
    },
    itemsOf: createStoredItems,
    ledger: () =>
      Promise.resolve(
        sandboxLedger(async (path, body) => structuredClone(await sandbox.server.answer(path, body))),
      ),
  };
};
