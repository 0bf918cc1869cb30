import { randomInt } from 'node:crypto';
import { setTimeout as pause } from 'node:timers/promises';
import type { Sender } from '../../../shared/platform/dynamodb/index.ts';
import { requestAttempts } from '../../../shared/platform/table/client.ts';
import type { Backend, Command } from './simulated-table.ts';
import { senderOf } from '../../support/sender.ts';

const throttlings = new Set([
  'ProvisionedThroughputExceededException',
  'ThrottlingException',
  'TransactionInProgressException',
]);
const firstPauseMs = 1000;

/** Sends a request as the SDK does: a throttled one again, after up to 1, 2 and 4 seconds. */
export const withSdkRetries = async <Reply>(send: () => Promise<Reply>): Promise<Reply> => {
  for (let attempt = 1; ; attempt++) {
    try {
      return await send();
    } catch (error) {
      if (attempt === requestAttempts || !throttlings.has((error as Error).name)) throw error;
      await pause(randomInt(0, firstPauseMs * 2 ** (attempt - 1)));
    }
  }
};

/** Returns a client for Table that sends commands to a simulated table, with the SDK's retries. */
export const sdkClient = (backend: Backend): Sender => {
  const send = (command: Command) => withSdkRetries(() => backend.execute(command));
  return senderOf(send);
};
