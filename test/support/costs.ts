import { DynamoDB, type Sender } from '../../shared/platform/dynamodb/index.ts';
import { requestLimits } from '../../shared/platform/table/client.ts';
import type { Consumption, Table } from '../../shared/platform/table/index.ts';

/** Capacity units are checked in memory and on the emulator: another engine may count differently. */
export const countsUnits =
  process.env['NIGHTLATCH_TABLE_FILE'] !== undefined || process.env['TEST_TABLE'] === 'memory';

/** The cost of one operation. */
interface Cost {
  trips: number;
  rcu: number;
  wcu: number;
}

/** Returns the table and a function that measures the cost of operations. */
export const measuredTable = (plain: Table) => {
  const spent: Consumption[] = [];
  const table = plain.measured((consumption) => spent.push(consumption));
  const cost = async (work: () => Promise<unknown>): Promise<Cost> => {
    spent.length = 0;
    await work();
    const sum = (units: (one: Consumption) => number) => spent.reduce((total, one) => total + units(one), 0);
    return { trips: spent.length, rcu: sum((one) => one.readUnits), wcu: sum((one) => one.writeUnits) };
  };
  return { table, cost };
};

/**
 * Round trips are rounds in lockstep: requests that wait for no other go out together, and the next ones when all of these are
 * answered. So the count is the longest chain of requests that wait for each other, however fast each of them is.
 */
export const countingClient = () => {
  const client = new DynamoDB(requestLimits);
  const rounds = { made: 0, underWay: 0 };
  const waiting: (() => void)[] = [];
  const begin = () => {
    if (rounds.underWay > 0 || waiting.length === 0) return;
    rounds.made++;
    rounds.underWay = waiting.length;
    for (const send of waiting.splice(0)) send();
  };
  const send: Sender['send'] = async (command, options) => {
    await new Promise<void>((sent) => {
      waiting.push(sent);
      setImmediate(begin);
    });
    try {
      return await client.send(command, options);
    } finally {
      rounds.underWay--;
      setImmediate(begin);
    }
  };
  return { client: { send }, rounds };
};
