import type { Table, Write } from '../../shared/platform/table/index.ts';

interface DryTable {
  table: Table;
  /** What would have been written, as entity names. */
  wouldWrite: string[];
}

/** A table that reads as ever and writes nothing (`--dry-run`). */
export const dryTable = (table: Table): DryTable => {
  const wouldWrite: string[] = [];
  const transact = async (writes: readonly Write[]): Promise<void> => {
    wouldWrite.push(...writes.map(({ entity }) => entity));
  };
  const proxy = new Proxy(table, {
    get: (target, name) => {
      if (name === 'transact') return transact;
      const value: unknown = Reflect.get(target, name, target);
      return typeof value === 'function' ? (value.bind(target) as unknown) : value;
    },
  });
  return { table: proxy, wouldWrite };
};
