import type { Consumption, Table } from '../../shared/platform/table/index.ts';

/** Capacity units are those of the embedded table: another engine may count otherwise. */
export const countsUnits = process.env['NIGHTLATCH_TABLE_FILE'] !== undefined;

/** What one piece of work took of the table. */
interface Cost {
  trips: number;
  rcu: number;
  wcu: number;
}

/** The same table, and what work over it costs, one piece after the other. */
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
