import { invalid } from '../errors.ts';
import { ConflictError, type Table } from '../table/index.ts';
import type { Clock } from '../time/clock.ts';
import { idPlane, type Legend, planeOf } from './chunk-rows.ts';
import {
  changedSince,
  type ListKind,
  type ListQuery,
  type ListRow,
  meets,
  type Owner,
  queryOf,
} from './list-kind.ts';
import { splitHead } from './split-head.ts';
import {
  chunkPlace,
  chunksPartition,
  ListChunkEntity,
  type ListHead,
  ListHeadEntity,
} from './list.entity.ts';
import { LoadedChunks } from './loaded-chunks.ts';
import { latestOf, mergeListed } from './merge-listed.ts';
import { type Listed, orderListed, type Place } from './order-listed.ts';
import { replicationLagMs, listName } from './pack-list.ts';

interface Deps {
  table: Table;
  clock: Clock;
}

/** The records of a list after `after`, in order. */
export interface ReadList<Row extends ListRow, Item> {
  listed: Listed<Row, Item>[];
  /** How many of the read records meet the conditions. */
  matching: number;
  /** The id up to which the list was read; absent if it was read to its end. */
  readTo?: number;
  /** Reads the ids of some records. */
  identify: (listed: readonly Listed<Row, Item>[]) => Promise<void>;
  /** Reads the columns of a plane of some records. */
  widen: (listed: readonly Listed<Row, Item>[], plane: string) => Promise<void>;
}

interface Extent {
  after: Place | undefined;
  /** The maximum of records after `after`. */
  shown: number;
  /** The maximum of records that are counted. */
  counted: number;
  /** Whether reading stops after {@link maxChunks}, found or not. */
  bounded: boolean;
  /** Whether reads are strongly consistent, so that planes fit together. */
  consistent: boolean;
}

/** The most chunks that a page in the order of ids reads: about 9 read units. */
const maxChunks = 60;
/** Chunks that hold a page and the thousand that are counted, without a filter. */
const fewChunks = 8;
/** Reads the list of an owner from its packed planes and what has changed since; a list that is not packed is read directly. */
export const readList = <Row extends ListRow, Item extends object>(
  deps: Deps,
  kind: ListKind<Row, Item>,
  owner: Owner,
  query: ListQuery<Row>,
  extent: Extent,
): Promise<ReadList<Row, Item>> => new OwnerList(deps, kind, owner, query, extent).read();

class OwnerList<Row extends ListRow, Item extends object> {
  readonly #deps: Deps;
  readonly #kind: ListKind<Row, Item>;
  readonly #owner: Owner;
  readonly #query: ListQuery<Row>;
  readonly #extent: Extent;
  readonly #list: string;
  readonly #chunks: LoadedChunks<Row>;
  #legend: Legend = {};

  constructor(deps: Deps, kind: ListKind<Row, Item>, owner: Owner, query: ListQuery<Row>, extent: Extent) {
    this.#deps = deps;
    this.#kind = kind;
    this.#owner = owner;
    this.#query = query;
    this.#extent = extent;
    this.#list = listName(kind, owner);
    this.#chunks = new LoadedChunks(deps.table, kind, this.#list, extent.consistent);
  }

  async read(): Promise<ReadList<Row, Item>> {
    const planes = this.#furtherPlanes();
    if (planes.length > 0) return this.#readNarrowed(planes);
    return this.#query.order.by === 'id' ? this.#readFromEnd() : this.#readWhole();
  }

  #furtherPlanes(): string[] {
    const { conditions, order } = this.#query;
    const asked = new Set([...conditions.flatMap(({ columns }) => columns), order.by] as string[]);
    return Object.entries(this.#kind.planes)
      .filter(([plane, columns]) => plane !== 'main' && Object.keys(columns).some((name) => asked.has(name)))
      .map(([plane]) => plane);
  }

  /** Reads in the order of ids: chunk after chunk from the end or the cursor, as far as needed. */
  async #readFromEnd(): Promise<ReadList<Row, Item>> {
    const { after, shown, counted, bounded, consistent } = this.#extent;
    const { descending } = this.#query.order;
    const pk = chunksPartition(this.#list, 'main');
    const begin = descending ? undefined : await this.#covering(after);
    const last = chunkPlace(Number.MAX_SAFE_INTEGER);
    const range = descending
      ? { from: chunkPlace(0), ...(after ? { to: chunkPlace(after.id) } : {}), descending }
      : { from: chunkPlace(begin ?? 0), to: last };
    // Read backwards from its end, a list starts with its head.
    const headFirst = descending && !after;
    let read = 0;
    let fresh: Item[] | undefined;
    let next: Record<string, unknown> | undefined;
    for (;;) {
      const wanted = read === 0 && this.#query.conditions.length === 0 ? fewChunks : maxChunks;
      const limit = bounded ? Math.min(wanted, maxChunks - read) : wanted;
      const [page, given] = await Promise.all([
        this.#deps.table.queryMixed({
          ...{ pk, ...range, consistent, limit: headFirst && read === 0 ? limit + 1 : limit },
          ...(next ? { after: next } : {}),
        }),
        fresh || headFirst ? undefined : this.#readHead(),
      ]);
      const { head = given, chunks } = splitHead(page);
      if (!fresh) {
        if (!head || head.packing) return this.#readUnpacked();
        this.#legend = head.legend;
        fresh = await this.#readFresh(head);
      }
      read += chunks.length;
      this.#chunks.add(chunks, this.#legend);
      next = page.next;
      const reached = next && chunks.at(-1)?.first;
      const readTo = reached === undefined || descending ? reached : reached - 1;
      const result = await this.#merge(fresh, undefined, readTo);
      const isEnough = result.matching >= counted && result.listed.length >= shown;
      if (!next || isEnough || (bounded && read >= maxChunks)) return result;
    }
  }

  /** Returns the first id of the chunk that contains a position. */
  async #covering(after: Place | undefined): Promise<number | undefined> {
    if (!after) return undefined;
    const { items } = await this.#deps.table.query(ListChunkEntity, {
      pk: chunksPartition(this.#list, 'main'),
      from: chunkPlace(0),
      to: chunkPlace(after.id),
      descending: true,
      limit: 1,
      consistent: this.#extent.consistent,
    });
    return items[0]?.first;
  }

  async #readWhole(): Promise<ReadList<Row, Item>> {
    const { shown, consistent } = this.#extent;
    const whole = { pk: chunksPartition(this.#list, 'main'), consistent };
    const page =
      shown === Infinity
        ? { ...(await this.#deps.table.queryAllMixed(whole)), next: undefined }
        : await this.#deps.table.queryMixed(whole);
    if (page.next) throw listTooLong();
    const { head, chunks } = splitHead(page);
    if (!head || head.packing) return this.#readUnpacked();
    this.#legend = head.legend;
    this.#chunks.add(chunks, head.legend);
    return this.#merge(await this.#readFresh(head));
  }

  /** Reads the most selective planes first, then the main plane of the remaining chunks. */
  async #readNarrowed(planes: readonly string[]): Promise<ReadList<Row, Item>> {
    const [head, ...read] = await Promise.all([
      this.#readHead(),
      ...planes.map((plane) => this.#chunks.readPlane(plane)),
    ]);
    if (!head || head.packing) return this.#readUnpacked();
    this.#legend = head.legend;
    for (const chunks of read) this.#chunks.add(chunks, head.legend);
    const { firsts } = this.#chunks;
    const named = this.#namedChunks();
    await this.#chunks.load(idPlane, named, head.legend);
    const loaded = new Set(planes);
    const first = this.#query.conditions.filter(({ columns }) =>
      Object.entries(this.#kind.planes).some(
        ([plane, its]) => loaded.has(plane) && columns.every((column) => column in its),
      ),
    );
    const left = firsts.filter((chunk) => this.#chunks.rows(chunk).some((row) => meets(row as Row, first)));
    const [fresh] = await Promise.all([this.#readFresh(head), this.#chunks.load('main', left, head.legend)]);
    return this.#merge(fresh, left);
  }

  /** Returns the chunks of the ids that a condition names. */
  #namedChunks(): number[] {
    return this.#query.conditions.flatMap(({ orIds }) =>
      orIds ? [orIds.from, orIds.to].flatMap((id) => this.#chunks.firstOf(id) ?? []) : [],
    );
  }

  async #readHead(): Promise<ListHead | undefined> {
    return this.#deps.table.get(
      ListHeadEntity,
      { list: this.#list },
      { consistent: this.#extent.consistent },
    );
  }

  /** Reads the current records that have changed since the watermark. */
  async #readFresh(head: ListHead): Promise<Item[]> {
    if (this.#owner.isEventuallyConsistent) return [];
    const isSettled = this.#deps.clock.now() >= head.moved_at + replicationLagMs;
    const from = changedSince(isSettled ? head.watermark : head.earlier);
    return this.#deps.table.queryAll(this.#kind.entity, { ...queryOf(this.#owner), from });
  }

  async #readUnpacked(): Promise<ReadList<Row, Item>> {
    const items = await this.#deps.table.queryAll(this.#kind.entity, queryOf(this.#owner));
    return this.#ordered(
      latestOf(this.#kind, items).map((one) => ({ first: one.row.id, ordinal: 0, ...one })),
    );
  }

  /** Merges chunks with what has changed since, each record once. */
  async #merge(
    fresh: readonly Item[],
    chunks: readonly number[] = this.#chunks.firsts,
    readTo?: number,
  ): Promise<ReadList<Row, Item>> {
    const { after } = this.#extent;
    const latest = latestOf(this.#kind, fresh);
    const places = [...latest.map(({ row }) => row.id), ...(after ? [after.id] : [])];
    const holding = places.flatMap((id) => this.#chunks.firstOf(id) ?? []);
    await this.#chunks.load(idPlane, [...holding, ...this.#namedChunks()], this.#legend);
    if (latest.length > 0)
      await this.#chunks.load(
        planeOf(this.#kind, 'updated'),
        latest.flatMap(({ row }) => this.#chunks.firstOf(row.id) ?? []),
        this.#legend,
      );
    return this.#ordered(mergeListed(this.#chunks, chunks, latest), readTo);
  }

  #ordered(all: readonly Listed<Row, Item>[], readTo?: number): ReadList<Row, Item> {
    const { after } = this.#extent;
    const ordered = orderListed(all, {
      query: this.#query,
      // A record without an id is in another chunk than the position, whose ids were read.
      after: after && { ...after, first: this.#chunks.firstOf(after.id) ?? 0 },
      readTo,
    });
    return {
      ...ordered,
      ...(readTo === undefined ? {} : { readTo }),
      identify: (listed) => this.#identify(listed),
      widen: (listed, plane) => this.#widen(listed, plane),
    };
  }

  async #identify(listed: readonly Listed<Row, Item>[]): Promise<void> {
    const unknown = listed.filter(({ row }) => row.id === undefined);
    await this.#chunks.load(
      idPlane,
      unknown.map(({ first }) => first),
      this.#legend,
    );
    for (const { row, first, ordinal } of unknown) {
      const id = this.#chunks.ids(first)?.[ordinal];
      if (id === undefined) throw new ConflictError('ListChunk');
      row.id = id;
    }
  }

  async #widen(listed: readonly Listed<Row, Item>[], plane: string): Promise<void> {
    const packed = listed.filter(({ item }) => item === undefined);
    const firsts = [...new Set(packed.map(({ first }) => first))];
    await this.#chunks.load(plane, firsts, this.#legend);
    const rows = new Map(firsts.map((first) => [first, this.#chunks.rows(first)]));
    for (const { row, first, ordinal } of packed)
      for (const column of Object.keys(this.#kind.planes[plane] ?? {}) as (keyof Row)[])
        row[column] = rows.get(first)?.[ordinal]?.[column];
  }
}

/** Returns the error for a list over one megabyte: about 140,000 records. */
const listTooLong = (): Error =>
  invalid({ path: 'sort_by', message: 'So long a list is sorted by created_at alone.' });
