import type { Table, Write } from '../../shared/platform/table/index.ts';

interface DryRunTable {
  table: Table;
  /** The entity names of the skipped writes. */
  wouldWrite: string[];
}

/** Returns a table that reads but does not write (`--dry-run`). */
export const dryRunTable = (table: Table): DryRunTable => {
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
