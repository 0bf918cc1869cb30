import { ConflictError, itemsOf, readOf, type Table } from '../table/index.ts';
import { idPlane, type Legend, unpackPlane } from './chunk-rows.ts';
import type { ListPlanes, ListRow, Value } from './list-kind.ts';
import { chunkPlace, chunksPartition, type ListChunk, ListChunkEntity } from './list.entity.ts';

/** A Query reads about three chunks for the price of one that is read by its key. */
const chunksPerUnit = 3;

interface LoadedChunk {
  first: number;
  shape: number;
  rows: number;
  planes: Map<string, Record<string, Value[]>>;
}

/**
 * The chunks of a packed list that a request has read, plane by plane. Planes of different shapes are a conflict: read again.
 */
export class LoadedChunks<Row extends ListRow> {
  readonly #table: Table;
  readonly #kind: ListPlanes<Row>;
  readonly #list: string;
  readonly #consistent: boolean;
  readonly #chunks = new Map<number, LoadedChunk>();
  #firsts: number[] | undefined;

  constructor(table: Table, kind: ListPlanes<Row>, list: string, consistent: boolean) {
    this.#table = table;
    this.#kind = kind;
    this.#list = list;
    this.#consistent = consistent;
  }

  /** Adds planes as read from the table. */
  add(chunks: readonly ListChunk[], legend: Legend): void {
    this.#firsts = undefined;
    for (const chunk of chunks) {
      const columns = unpackPlane(this.#kind, chunk, legend);
      const known = this.#chunks.get(chunk.first);
      if (!columns || (known && known.shape !== chunk.shape)) throw new ConflictError('ListChunk');
      const { first, shape } = chunk;
      const rows = Object.values(columns)[0]?.length ?? 0;
      const loaded = known ?? { first, shape, rows, planes: new Map<string, Record<string, Value[]>>() };
      loaded.planes.set(chunk.plane, columns);
      this.#chunks.set(first, loaded);
    }
  }

  /** Reads one plane of some chunks, unless loaded. */
  async load(plane: string, firsts: readonly number[], legend: Legend): Promise<void> {
    const missing = [...new Set(firsts)].filter((first) => !this.#chunks.get(first)?.planes.has(plane));
    if (missing.length === 0) return;
    const [from, to] = [Math.min(...missing), Math.max(...missing)];
    const between = this.firsts.filter((first) => first >= from && first <= to).length;
    if (missing.length > 1 && missing.length * chunksPerUnit >= between) {
      const { entries } = await this.#table.queryAllMixed({
        pk: chunksPartition(this.#list, plane),
        ...{ from: chunkPlace(from), to: chunkPlace(to), consistent: this.#consistent },
      });
      this.add(itemsOf(ListChunkEntity, { entries }), legend);
      if (missing.some((first) => !this.#chunks.get(first)?.planes.has(plane)))
        throw new ConflictError('ListChunk');
      return;
    }
    const reads = missing.map((first) => readOf(ListChunkEntity, { list: this.#list, plane, first }));
    const found = await this.#table.getAll(reads, { consistent: this.#consistent });
    const chunks = found.filter((chunk) => chunk !== undefined);
    if (chunks.length < found.length) throw new ConflictError('ListChunk');
    this.add(chunks, legend);
  }

  /** Reads every chunk of a plane. */
  async readPlane(plane: string): Promise<ListChunk[]> {
    const found = await this.#table.queryAllMixed({
      pk: chunksPartition(this.#list, plane),
      consistent: this.#consistent,
    });
    return itemsOf(ListChunkEntity, found);
  }

  get firsts(): readonly number[] {
    return (this.#firsts ??= [...this.#chunks.keys()].sort((one, other) => one - other));
  }

  /** Returns the chunk whose range contains an id. */
  firstOf(id: number): number | undefined {
    return this.firsts.findLast((first) => first <= id);
  }

  ids(first: number): readonly number[] | undefined {
    return this.#chunks.get(first)?.planes.get(idPlane)?.['id'] as number[] | undefined;
  }

  /** Returns the rows of a chunk with the columns that are loaded; with ids if their plane is loaded. */
  rows(first: number): Partial<Row>[] {
    const chunk = this.#chunks.get(first);
    const columns = Object.assign({}, ...(chunk?.planes.values() ?? [])) as Record<string, Value[]>;
    const names = Object.keys(columns);
    return Array.from({ length: chunk?.rows ?? 0 }, (_, at) => {
      const row: Record<string, Value> = {};
      for (const name of names) row[name] = columns[name]?.[at] ?? null;
      return row as Partial<Row>;
    });
  }
}
