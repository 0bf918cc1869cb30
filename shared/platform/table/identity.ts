import { DescribeTableCommand, type Sender } from '../dynamodb/index.ts';
import { toServiceError } from './to-service-error.ts';

const knownForMs = 5 * 60_000;
const known = new WeakMap<Sender, { id: string; at: number }>();

/** Returns a value that identifies the table, cached for five minutes of `now` (epoch milliseconds). */
export const tableIdentity = async (client: Sender, TableName: string, now: number): Promise<string> => {
  const before = known.get(client);
  if (before && now >= before.at && now - before.at < knownForMs) return before.id;
  try {
    const { Table } = await client.send(new DescribeTableCommand({ TableName }));
    const id = Table?.TableId ?? String(Table?.CreationDateTime?.getTime());
    known.set(client, { id, at: now });
    return id;
  } catch (error) {
    throw toServiceError(error);
  }
};
