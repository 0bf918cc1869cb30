import { BatchGetCommand, DynamoDB } from '../../shared/platform/dynamodb/index.ts';
import { requestLimits } from '../../shared/platform/table/client.ts';
import { Table } from '../../shared/platform/table/index.ts';
import { besideFunctions } from './rights/as-function.ts';
import { testTableName } from './table.ts';
import { senderOf } from './sender.ts';

type Key = Record<string, unknown>;

/**
 * The test table, whose first BatchGet of such a key leaves it unprocessed; something else happens before it is asked for again.
 * `asked` has the keys of each BatchGet.
 */
export const leavingUnprocessed = async (
  isLeft: (key: Key) => boolean,
  meanwhile: () => Promise<unknown> = async () => undefined,
): Promise<{ table: Table; asked: Key[][] }> => {
  const tableName = await testTableName();
  const client = new DynamoDB(requestLimits);
  const asked: Key[][] = [];
  let isOver = false;
  const send = async (command: object, options?: object): Promise<unknown> => {
    if (!(command instanceof BatchGetCommand)) return client.send(command as never, options);
    const { RequestItems: wanted = {}, ...others } = command.input;
    const { Keys = [], ...how } = wanted[tableName] ?? {};
    asked.push(Keys);
    const left = isOver ? [] : Keys.filter(isLeft);
    if (left.length === 0) return client.send(command, options);
    isOver = true;
    const now = Keys.filter((key) => !left.includes(key));
    const rest = new BatchGetCommand({ ...others, RequestItems: { [tableName]: { ...how, Keys: now } } });
    const reply = now.length === 0 ? { Responses: {} } : await client.send(rest, options);
    await besideFunctions(meanwhile);
    return { ...reply, UnprocessedKeys: { [tableName]: { ...how, Keys: left } } };
  };
  return { table: new Table({ client: senderOf(send), tableName }), asked };
};
