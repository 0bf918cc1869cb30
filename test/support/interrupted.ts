import type { Context } from '../../shared/platform/context.ts';
import type { Table } from '../../shared/platform/table/index.ts';

/** A table that something else happens to, once: before its first transaction, or after the first list that is not empty. */
export const interruptedTable = (
  table: Table,
  at: 'transact' | 'query',
  meanwhile: () => Promise<unknown>,
): Table => {
  let isOver = false;
  const once = async (): Promise<void> => {
    if (isOver) return;
    isOver = true;
    await meanwhile();
  };
  const verbs: Pick<Table, 'transact' | 'query'> = {
    transact: async (writes) => {
      if (at === 'transact') await once();
      return table.transact(writes);
    },
    query: async (kind, range) => {
      const page = await table.query(kind, range);
      if (at === 'query' && page.items.length > 0) await once();
      return page;
    },
  };
  return new Proxy(table, {
    get: (target, name) => {
      if (name === 'transact' || name === 'query') return verbs[name];
      const value: unknown = Reflect.get(target, name, target);
      return typeof value === 'function' ? (value.bind(target) as unknown) : value;
    },
  });
};

/** The context of a verb between whose reads and writes something else happens, once. */
export const interrupted = <C extends Context>(ctx: C, meanwhile: () => Promise<unknown>): C => {
  const table = interruptedTable(ctx.table, 'transact', meanwhile);
  const commit: Context['commit'] = async (writes, body) => {
    await table.transact(writes);
    return body;
  };
  return { ...ctx, table, commit };
};
