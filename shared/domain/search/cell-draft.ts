import { absent, ConflictError, equals, put, type Write } from '../../platform/table/index.ts';
import { type ChunkState, packStates, statesOf } from './cell-chunks.ts';
import { isMonth, isOptional, planeKind } from './planes.ts';
import {
  type PlaneIds,
  type SearchCell,
  SearchCellEntity,
  type SearchPlace,
  type SearchPlane,
  SearchPlaneEntity,
} from './search.entity.ts';

/** The most listings of a chunk: the plane of a month, which a booking rewrites, is about 2 KB then. */
const maxSlots = 2000;
/** Packed bytes of a plane from which its chunk accepts no further listing. */
const fullBytes = 128_000;
/** Packed bytes of a plane from which a changed listing moves to another chunk. An item holds 400 KB at most. */
const overfullBytes = 200_000;

/** A plane with the rows that are set; `undefined` clears one. */
interface PlaneDraft {
  ids: PlaneIds;
  set: Map<number, unknown>;
  rows: unknown[] | undefined;
}

/** A cell as read with the planes that change, written back if its version is unchanged. */
export class CellDraft {
  readonly #cell: string;
  readonly #read: SearchCell | undefined;
  readonly #states: ChunkState[];
  readonly #planes = new Map<string, PlaneDraft>();
  /** Of the planes that were packed. */
  bytes = 0;

  constructor(cell: string, read: SearchCell | undefined, firstMonth: string) {
    this.#cell = cell;
    this.#read = read;
    this.#states = (read ? statesOf(read) : []).map(({ planes, ...state }) => ({
      ...state,
      planes: Object.fromEntries(
        Object.entries(planes).filter(([name]) => !isMonth(name) || name >= firstMonth),
      ),
    }));
  }

  isOverfull(chunk: number): boolean {
    const state = this.#states[chunk];
    return state !== undefined && largestOf(state) >= overfullBytes;
  }

  /** Returns a place for a further listing: a free one, the next of the last chunk, or the first of a new one. */
  freePlace(): SearchPlace {
    const chunk = this.#states.findIndex((state) => hasRoom(state));
    const state = this.#states[chunk];
    if (!state) {
      this.#states.push({ slots: 1, free: [], planes: {} });
      return { cell: this.#cell, chunk: this.#states.length - 1, slot: 0 };
    }
    return { cell: this.#cell, chunk, slot: state.free.pop() ?? state.slots++ };
  }

  set({ cell, chunk, slot }: SearchPlace, plane: string, row: unknown): void {
    const key = `${chunk} ${plane}`;
    const known = this.#planes.get(key);
    const draft = known ?? { ids: { cell, chunk, plane }, set: new Map<number, unknown>(), rows: undefined };
    draft.set.set(slot, row);
    this.#planes.set(key, draft);
  }

  /** Clears what the next listing of the slot would not replace, and the place, without which it is not found. */
  clear(place: SearchPlace, planes: readonly string[]): void {
    for (const plane of planes) if (plane === 'place' || isOptional(plane)) this.set(place, plane, undefined);
    this.#states[place.chunk]?.free.push(place.slot);
  }

  /** Returns the planes that change and were stored before. */
  unread(): PlaneIds[] {
    const drafts = [...this.#planes.values()].filter(({ rows }) => rows === undefined);
    for (const draft of drafts) if (!this.#storedPlane(draft.ids)) draft.rows = [];
    return drafts.filter(({ rows }) => rows === undefined).map(({ ids }) => ids);
  }

  #storedPlane({ chunk, plane }: PlaneIds) {
    return this.#states[chunk]?.planes[plane];
  }

  /** Adds a plane as read. Throws ConflictError if it was written after the cell was read. */
  add(ids: PlaneIds, read: SearchPlane | undefined): void {
    const draft = this.#planes.get(`${ids.chunk} ${ids.plane}`);
    if (!draft || read?.version !== this.#storedPlane(ids)?.[0]) throw new ConflictError('SearchPlane');
    const opened = read && planeKind(ids.plane).open(read.packed);
    draft.rows = Array.from({ length: opened?.length ?? 0 }, (_, slot) => opened?.row(slot));
  }

  writes(): Write[] {
    if (this.#planes.size === 0) return [];
    const version = (this.#read?.version ?? 0) + 1;
    const planes = [...this.#planes.values()].map((draft) => this.#packed(draft, version));
    for (const { chunk, plane, packed } of planes) {
      const state = this.#states[chunk];
      if (state) state.planes[plane] = [version, packed.length];
      this.bytes += packed.length;
    }
    const cell: SearchCell = { cell: this.#cell, version, chunks: packStates(this.#states) };
    const when = this.#read ? equals('version', this.#read.version) : absent();
    return [
      put(SearchCellEntity, cell, { when, onConflict: () => new ConflictError('SearchCell') }),
      ...planes.map((plane) => put(SearchPlaneEntity, plane)),
    ];
  }

  #packed({ ids, set, rows = [] }: PlaneDraft, version: number): SearchPlane {
    const length = Math.max(rows.length, ...[...set.keys()].map((slot) => slot + 1));
    const all = Array.from({ length }, (_, slot) => (set.has(slot) ? set.get(slot) : rows[slot]));
    return { ...ids, version, packed: planeKind(ids.plane).pack(all) };
  }
}

const largestOf = ({ planes }: ChunkState): number =>
  Object.values(planes).reduce((most, [, bytes]) => Math.max(most, bytes), 0);

const hasRoom = (state: ChunkState): boolean =>
  (state.free.length > 0 || state.slots < maxSlots) && largestOf(state) < fullBytes;
