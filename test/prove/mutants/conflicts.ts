import { DynamoDB } from '../../../shared/platform/dynamodb/index.ts';

interface Sending {
  send: (command: unknown, ...rest: unknown[]) => Promise<unknown>;
}

/** Tests and their runner have modules of their own: what they share is global. */
const home = globalThis as { __hadConflict?: boolean };

/** Notices every condition of a write that does not hold, in this process. */
export const noticeConflicts = (): void => {
  const client = DynamoDB.prototype as unknown as Sending;
  const { send } = client;
  client.send = async function noticing(this: Sending, command, ...rest) {
    try {
      return await send.call(this, command, ...rest);
    } catch (error) {
      if (/ConditionalCheckFailed/.test(`${(error as Error).name} ${(error as Error).message}`))
        home.__hadConflict = true;
      throw error;
    }
  };
};

/** Returns whether a condition failed since the last call. */
export const takeConflict = (): boolean => {
  const was = home.__hadConflict === true;
  home.__hadConflict = false;
  return was;
};

/** A condition of a write that always holds makes no difference where no condition fails; the filter of a query does. */
export const isWeaker = (site: string): boolean =>
  /→ (always|overwrites)( \(\d+\))?$/.test(site) && !/\bfilter: /.test(site);
