import {
  absent,
  ConflictError,
  create,
  equals,
  put,
  readOf,
  type Table,
  type Write,
} from '../table/index.ts';
import { idPlane, type Legend, packPlane, planesOf, unpackPlane } from './chunk-rows.ts';
import type { ListPlanes, ListRow, Value } from './list-kind.ts';
import { chunkPlace, chunksPartition, type ListChunk, ListChunkEntity } from './list.entity.ts';

/**
 * Records of a full chunk: each change rewrites its main plane of about a kilobyte, and each chunk costs every reader 160
 * bytes.
 */
const maxRowsPerChunk = 176;
/** A full chunk accepts late records up to this size before it is split. */
const maxRowsBeforeSplit = 200;

/** A chunk in memory: read, changed, and then written if no other write came in between. */
export class ListChunkDraft<Row extends ListRow> {
  readonly #list: string;
  readonly #kind: ListPlanes<Row>;
  readonly #first: number;
  readonly #read: ReadonlyMap<string, ListChunk>;
  readonly #rows: Map<number, Row>;
  /** The first id of the next chunk. */
  readonly end: number;

  private constructor(
    list: string,
    kind: ListPlanes<Row>,
    found: { first: number; end: number; planes: ReadonlyMap<string, ListChunk>; rows: readonly Row[] },
  ) {
    this.#list = list;
    this.#kind = kind;
    this.#first = found.first;
    this.#read = found.planes;
    this.#rows = new Map(found.rows.map((row) => [row.id, row]));
    this.end = found.end;
  }

  /** Reads the chunk whose range contains an id. */
  static async holding<Row extends ListRow>(
    table: Table,
    list: string,
    kind: ListPlanes<Row>,
    { id, legend }: { id: number; legend: Legend },
  ): Promise<ListChunkDraft<Row>> {
    const pk = chunksPartition(list, 'main');
    const before = { pk, from: chunkPlace(0), to: chunkPlace(id), descending: true, limit: 1 };
    // The head of the list sorts after its last chunk.
    const behind = { pk, from: chunkPlace(id + 1), to: chunkPlace(Number.MAX_SAFE_INTEGER), limit: 1 };
    // In this order: a writer that divides the chunk in between changes its version, the condition of the write.
    const found = await table.query(ListChunkEntity, before);
    const next = await table.query(ListChunkEntity, behind);
    const end = next.items[0]?.first ?? Number.MAX_SAFE_INTEGER;
    const [main] = found.items;
    if (!main) return new ListChunkDraft<Row>(list, kind, { first: 0, end, planes: new Map(), rows: [] });
    const { first } = main;
    const others = planesOf(kind).filter((plane) => plane !== 'main');
    const read = await table.getAll(others.map((plane) => readOf(ListChunkEntity, { list, plane, first })));
    const planes = [main, ...read.filter((item) => item !== undefined)];
    const rows = rowsOf(kind, planes, legend);
    const named = new Map(planes.map((plane) => [plane.plane, plane]));
    return new ListChunkDraft(list, kind, { first, end, planes: named, rows });
  }

  set(row: Row): void {
    this.#rows.set(row.id, row);
  }

  delete(id: number): void {
    this.#rows.delete(id);
  }

  /** Returns the writes of the changes, if any. A chunk with too many records is split. */
  writes(legend: Legend): Write[] {
    const [own = [], ...further] = this.#divided();
    const kept = this.#planes(this.#first, own, legend);
    const added = further.map((some) => this.#planes(some[0]?.id ?? 0, some, legend));
    const main = this.#read.get('main');
    const changed = kept.filter(({ plane, packed }) => !same(packed, this.#read.get(plane)?.packed));
    if (changed.length === 0 && added.length === 0) return [];
    const reshaped = main === undefined || added.length > 0 || changed.some(({ plane }) => plane === idPlane);
    const next = {
      version: (main?.version ?? 0) + 1,
      shape: (main?.shape ?? 0) + (reshaped ? 1 : 0),
    };
    const written = kept.filter((one) => reshaped || one.plane === 'main' || changed.includes(one));
    const lost = () => new ConflictError('ListChunk');
    return [
      ...written.map((one) => {
        const chunk = { ...one, ...next };
        if (one.plane !== 'main') return put(ListChunkEntity, chunk);
        const when = main ? equals('version', main.version) : absent();
        return put(ListChunkEntity, chunk, { when, onConflict: lost });
      }),
      ...added.flat().map((one) => create(ListChunkEntity, { ...one, version: 1, shape: 1 })),
    ];
  }

  /** Most records are appended, so the last chunk is filled; others are split evenly. */
  #divided(): Row[][] {
    const rows = [...this.#rows.values()].sort((one, other) => one.id - other.id);
    const isLast = this.end === Number.MAX_SAFE_INTEGER;
    if (rows.length <= (isLast ? maxRowsPerChunk : maxRowsBeforeSplit)) return [rows];
    const parts = Math.ceil(rows.length / maxRowsPerChunk);
    const each = isLast ? maxRowsPerChunk : Math.ceil(rows.length / parts);
    return Array.from({ length: parts }, (_, part) => rows.slice(part * each, (part + 1) * each));
  }

  #planes(first: number, rows: readonly Row[], legend: Legend): Omit<ListChunk, 'version' | 'shape'>[] {
    return planesOf(this.#kind).map((plane) => ({
      list: this.#list,
      plane,
      first,
      packed: packPlane(this.#kind, plane, legend, rows),
    }));
  }
}

const rowsOf = <Row extends ListRow>(
  kind: ListPlanes<Row>,
  planes: readonly ListChunk[],
  legend: Legend,
): Row[] => {
  const unpacked = planes.map((plane) => unpackPlane(kind, plane, legend));
  const whole =
    planes.length === planesOf(kind).length && new Set(planes.map(({ shape }) => shape)).size === 1;
  if (!whole || unpacked.includes(undefined)) throw new ConflictError('ListChunk');
  const columns = Object.assign({}, ...unpacked) as Record<string, Value[]>;
  const names = Object.keys(columns);
  return (columns['id'] ?? []).map((_, position) => {
    const row: object = Object.fromEntries(names.map((name) => [name, columns[name]?.[position]]));
    return row as Row;
  });
};

const same = (one: Uint8Array, other: Uint8Array | undefined): boolean =>
  other !== undefined && Buffer.compare(one, other) === 0;
