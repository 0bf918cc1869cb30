import type { Consumption, Table } from '../../shared/platform/table/index.ts';

/** Capacity units are checked on the embedded table only: another engine may count differently. */
export const countsUnits = process.env['NIGHTLATCH_TABLE_FILE'] !== undefined;

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
