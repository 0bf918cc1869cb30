import type { Clock } from '../time/clock.ts';
import { absent, equals, ConflictError, put, type Table, retryOnConflict } from '../table/index.ts';
import { ListChunkDraft } from './chunk-draft.ts';
import { missingIn } from './chunk-rows.ts';
import { changedSince, type ListKind, type ListRow, type Owner, queryOf } from './list-kind.ts';
import { type ListHead, ListHeadEntity } from './list.entity.ts';

interface Deps {
  table: Table;
  clock: Clock;
}

/** Returns the name of an owner's list in the table. */
export const listName = (kind: { name: string }, owner: Owner): string => `${kind.name}-${owner.name}`;

/** Requests end earlier, so after this time every write with an older timestamp is visible. */
const inFlightMs = 60_000;
/** The interval between moves of the watermark. */
const watermarkIntervalMs = 30_000;
/** Until then a reader may combine an older copy of a chunk with a newer head. */
export const replicationLagMs = 10_000;
/** Records packed in one step: their chunks fit one transaction. */
const recordsPerStep = 1000;

/**
 * Updates the packed list of an owner: the given records and, when its watermark moves, all that have changed since. Repeated,
 * late and concurrent runs have the same result: records are read after the chunk, and a chunk is written only if no other
 * write came in between. A list that is long enough and not packed yet is packed whole.
 */
export const packList = async <Row extends ListRow, Item extends object>(
  deps: Deps,
  kind: ListKind<Row, Item>,
  owner: Owner,
  named: readonly number[],
): Promise<void> => {
  const { table, clock } = deps;
  const list = listName(kind, owner);
  const head = (await table.get(ListHeadEntity, { list })) ?? (await startPacking(deps, kind, owner));
  if (!head) return;
  if (head.packing) return packWhole(deps, kind, owner);
  const now = clock.now();
  const watermark = now - inFlightMs;
  // Until the next move of the watermark, readers read other changes unpacked.
  if (watermark < head.watermark + watermarkIntervalMs || now < head.moved_at + replicationLagMs)
    return packRecords(table, kind, owner, named);
  const changed = await table.queryAll(kind.entity, {
    ...queryOf(owner),
    from: changedSince(head.watermark),
  });
  await packRecords(table, kind, owner, [...named, ...changed.map((item) => kind.rowOf(item).id)]);
  await writeHead(table, { ...head, watermark, earlier: head.watermark, moved_at: now });
};

/** Returns the head of a list to be packed for the first time; undefined while the list is short. */
const startPacking = async <Row extends ListRow, Item extends object>(
  { table, clock }: Deps,
  kind: ListKind<Row, Item>,
  owner: Owner,
): Promise<ListHead | undefined> => {
  const { items } = await table.query(kind.entity, { ...queryOf(owner), limit: kind.packedFrom });
  if (items.length < kind.packedFrom) return undefined;
  const watermark = clock.now() - inFlightMs;
  const list = listName(kind, owner);
  const head = { list, version: 1, watermark, earlier: watermark, moved_at: clock.now(), legend: {} };
  const started: ListHead = { ...head, packing: { after: 0 } };
  await table.put(
    put(ListHeadEntity, started, { when: absent(), onConflict: () => new ConflictError('ListHead') }),
  );
  return started;
};

/** Packs in the order of ids, from where the last attempt stopped; later changes are after the watermark. */
const packWhole = async <Row extends ListRow, Item extends object>(
  { table }: Deps,
  kind: ListKind<Row, Item>,
  owner: Owner,
): Promise<void> => {
  const list = listName(kind, owner);
  const ids = (await readIds(table, kind, owner)).sort((one, other) => one - other);
  for (;;) {
    const head = await table.get(ListHeadEntity, { list });
    const after = head?.packing?.after;
    if (after === undefined) return;
    const some = ids.filter((id) => id > after).slice(0, recordsPerStep);
    await packRecords(table, kind, owner, some);
    const current = await table.get(ListHeadEntity, { list });
    if (!current?.packing) return;
    const { packing: _, ...packed } = current;
    const last = some.at(-1);
    await writeHead(table, last === undefined ? packed : { ...current, packing: { after: last } });
  }
};

const readIds = async <Row extends ListRow, Item extends object>(
  table: Table,
  kind: ListKind<Row, Item>,
  owner: Owner,
): Promise<number[]> => {
  const ids: number[] = [];
  let after: Record<string, unknown> | undefined;
  do {
    const { items, next } = await table.query(kind.entity, { ...queryOf(owner), after });
    for (const item of items) ids.push(kind.rowOf(item).id);
    after = next;
  } while (after);
  return ids;
};

/** Concurrent writers have continued from the same place, so either write is correct. */
const writeHead = async (table: Table, head: ListHead): Promise<void> => {
  const next = { ...head, version: head.version + 1 };
  try {
    await table.put(put(ListHeadEntity, next, { when: equals('version', head.version) }));
  } catch (error) {
    if (!(error instanceof ConflictError)) throw error;
  }
};

const packRecords = async <Row extends ListRow, Item extends object>(
  table: Table,
  kind: ListKind<Row, Item>,
  owner: Owner,
  ids: readonly number[],
): Promise<void> => {
  let left = [...new Set(ids)].sort((one, other) => one - other);
  while (left.length > 0) {
    const done = await retryOnConflict(() => packRange(table, kind, owner, left.slice(0, recordsPerStep)));
    left = left.filter((id) => id > done);
  }
};

/** Packs the records that belong to the chunk of the first one; returns the last packed id. */
const packRange = async <Row extends ListRow, Item extends object>(
  table: Table,
  kind: ListKind<Row, Item>,
  owner: Owner,
  ids: readonly number[],
): Promise<number> => {
  const list = listName(kind, owner);
  const head = await table.get(ListHeadEntity, { list });
  if (!head) throw new Error(`the list ${list} has no head`);
  const draft = await ListChunkDraft.holding(table, list, kind, { id: ids[0] ?? 0, legend: head.legend });
  const held = ids.filter((id) => id < draft.end);
  const items = await table.getAll(held.map((id) => ({ entity: kind.entity, key: kind.keyOf(id) })));
  const rows: Row[] = [];
  held.forEach((id, position) => {
    const item = items[position];
    if (!item || !kind.belongs(item, owner)) {
      draft.delete(id);
      return;
    }
    const row = kind.rowOf(item);
    rows.push(row);
    draft.set(row);
  });
  const legend = await extendLegend(table, kind, head, rows);
  const writes = draft.writes(legend);
  const [only] = writes;
  // A single write needs no transaction, which costs twice as much.
  if (only && writes.length === 1) await table.put(only);
  else await table.transact(writes);
  return held.at(-1) ?? Number.MAX_SAFE_INTEGER;
};

/** The legend is written before the chunk that needs it. */
const extendLegend = async <Row extends ListRow, Item extends object>(
  table: Table,
  kind: ListKind<Row, Item>,
  head: ListHead,
  rows: readonly Row[],
): Promise<ListHead['legend']> => {
  const missing = Object.entries(missingIn(kind, head.legend, rows));
  if (missing.length === 0) return head.legend;
  const added = missing.map(([name, values]) => [name, [...(head.legend[name] ?? []), ...values]] as const);
  const legend = { ...head.legend, ...Object.fromEntries(added) };
  const next = { ...head, legend, version: head.version + 1 };
  await table.put(put(ListHeadEntity, next, { when: equals('version', head.version) }));
  return legend;
};
