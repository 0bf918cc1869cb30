import type { Table, Write } from '../../shared/platform/table/index.ts';

interface DryRunTable {
  table: Table;
  /** The entity names of the skipped writes. */
  wouldWrite: string[];
}

/** Returns a table that reads but does not write (`--dry-run`). */
export const dryRunTable = (table: Table): DryRunTable => {
  const wouldWrite: string[] = [];
  const skipped: Pick<Table, 'transact' | 'put' | 'increase'> = {
    transact: async (writes) => void wouldWrite.push(...writes.map(({ entity }: Write) => entity)),
    put: async ({ entity }) => void wouldWrite.push(entity),
    increase: async ({ name }, first, attribute, step) => {
      wouldWrite.push(name);
      return Number(first[attribute]) + step;
    },
  };
  const proxy = new Proxy(table, {
    get: (target, name) => {
      if (Object.hasOwn(skipped, name)) return skipped[name as keyof typeof skipped];
      const value: unknown = Reflect.get(target, name, target);
      return typeof value === 'function' ? (value.bind(target) as unknown) : value;
    },
  });
  return { table: proxy, wouldWrite };
};
