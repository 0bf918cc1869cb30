import { afterEach } from 'vitest';
import { type Command, DynamoDB } from '../../../shared/platform/dynamodb/index.ts';
import { runningFunction } from './as-function.ts';
import { missingTableRights } from './table-right.ts';

interface Sending {
  send: (command: Command, ...rest: unknown[]) => unknown;
}

const missing = new Set<string>();

/** In tests a function that asks more of the table than its role may is refused, and the test fails. */
const client = DynamoDB.prototype as unknown as Sending;
const { send } = client;
client.send = async function checked(this: Sending, command, ...rest) {
  const folder = runningFunction();
  const refused = folder === undefined ? [] : missingTableRights(folder, command.operation, command.input);
  for (const line of refused) missing.add(line);
  if (refused.length > 0) throw new Error(refused.join('\n'));
  return send.call(this, command, ...rest);
};

afterEach(() => {
  const lines = [...missing];
  missing.clear();
  if (lines.length > 0) throw new Error(`Rights are missing in infra/cloud:\n${lines.join('\n')}`);
});
