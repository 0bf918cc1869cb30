import type { Context } from '../../shared/platform/context.ts';
import type { Table, Write } from '../../shared/platform/table/index.ts';
import { besideFunctions } from './rights/as-function.ts';

/**
 * When something else happens: before the first transaction, after the first page that is not empty, before the first whole
 * list of a kind, or after the first that is not empty, or before the first transaction or put with these writes.
 */
type Moment =
  | 'transact'
  | 'query'
  | { before: string }
  | { listed: string }
  | ((writes: readonly Write[]) => boolean);

/** Before the first write of an item of a kind. */
export const writing =
  (kind: string) =>
  (writes: readonly Write[]): boolean =>
    writes.some(({ entity }) => entity === kind);

const isVerb = <Verbs extends object>(name: PropertyKey, verbs: Verbs): name is keyof Verbs =>
  Object.hasOwn(verbs, name);

/** A table that something else happens to, once. */
export const interruptedTable = (table: Table, at: Moment, meanwhile: () => Promise<unknown>): Table => {
  let isOver = false;
  const once = async (): Promise<void> => {
    if (isOver) return;
    isOver = true;
    await besideFunctions(meanwhile);
  };
  const isNow = (writes: readonly Write[]): boolean => typeof at === 'function' && at(writes);
  const before = typeof at === 'object' && 'before' in at ? at.before : undefined;
  const listed = typeof at === 'object' && 'listed' in at ? at.listed : undefined;
  let isListed: Promise<undefined> = Promise.resolve(undefined);
  const verbs: Pick<Table, 'get' | 'transact' | 'put' | 'query' | 'queryAll' | 'joiningReads'> = {
    // A read that is sent beside the list may be answered after what happens meanwhile.
    get: async (kind, key, options) => {
      await Promise.resolve();
      await isListed;
      return table.get(kind, key, options);
    },
    joiningReads: (joins) => over(table.joiningReads(joins)),
    transact: async (writes) => {
      if (at === 'transact' || isNow(writes)) await once();
      return table.transact(writes);
    },
    put: async (write) => {
      if (isNow([write])) await once();
      return table.put(write);
    },
    query: async (kind, range) => {
      const page = await table.query(kind, range);
      if (at === 'query' && page.items.length > 0) await once();
      return page;
    },
    queryAll: async (kind, range) => {
      if (kind.name === before) await once();
      const { promise, resolve } = Promise.withResolvers<undefined>();
      if (kind.name === listed) isListed = Promise.all([isListed, promise]).then(() => undefined);
      try {
        const items = await table.queryAll(kind, range);
        if (kind.name === listed && items.length > 0) await once();
        return items;
      } finally {
        resolve(undefined);
      }
    },
  };
  const over = (target: Table): Table =>
    new Proxy(target, {
      get: (_, name) => {
        if (isVerb(name, verbs)) return verbs[name];
        const value: unknown = Reflect.get(target, name, target);
        return typeof value === 'function' ? (value.bind(target) as unknown) : value;
      },
    });
  return over(table);
};

/** The context of a verb between whose reads and writes something else happens, once. */
export const interrupted = <C extends Context>(
  ctx: C,
  meanwhile: () => Promise<unknown>,
  at: Moment = 'transact',
): C => {
  const table = interruptedTable(ctx.table, at, meanwhile);
  const commit: Context['commit'] = async (writes, body) => {
    await table.transact(writes);
    return body;
  };
  return { ...ctx, table, commit, recordStart: (writes) => table.transact(writes) };
};
