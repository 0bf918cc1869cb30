import { indexKeyOf, type IndexKeys, type Row } from './key-schema.ts';
import { type Entry, OrderedRows } from './ordered-rows.ts';
import { compareText } from './values.ts';

interface Past {
  at: number;
  id: string;
  sk: string;
  before: Row | undefined;
}

/** What the items of the table were a moment ago, for eventually consistent reads. */
export class Replicas {
  readonly #keptMs: number;
  readonly #past = new Map<string, Past[]>();

  constructor(keptMs: number) {
    this.#keptMs = keptMs;
  }

  note(pk: string, past: Past): void {
    if (this.#keptMs === 0) return;
    const all = this.#past.get(pk) ?? [];
    const kept = all.findIndex(({ at }) => at >= past.at - this.#keptMs);
    all.splice(0, kept === -1 ? all.length : kept);
    all.push(past);
    this.#past.set(pk, all);
  }

  /** Returns an item as it was at a moment. */
  row(pk: string, id: string, current: Row | undefined, moment: number): Row | undefined {
    const next = this.#past.get(pk)?.find((past) => past.id === id && past.at > moment);
    return next ? next.before : current;
  }

  /** Returns a partition as it was at a moment. */
  partition(pk: string, current: readonly Entry[], moment: number): readonly Entry[] {
    const later = (this.#past.get(pk) ?? []).filter(({ at }) => at > moment);
    if (later.length === 0) return current;
    const entries = new Map(current.map((entry) => [entry.sk, entry]));
    for (const { sk, before } of later.toReversed()) {
      if (before) entries.set(sk, { sk, row: before });
      else entries.delete(sk);
    }
    return [...entries.values()].sort((one, other) => compareText(one.sk, other.sk));
  }
}

interface Pending {
  at: number;
  pk: string;
  sk: string;
  id: string;
  /** Undefined if the item leaves its place. */
  row: Row | undefined;
}

/** An index whose changes arrive later; those of one item arrive in order. */
export class LaggingIndex {
  readonly keys: IndexKeys;
  readonly #rows = new OrderedRows();
  #pending: Pending[] = [];
  readonly #lastOf = new Map<string, number>();

  constructor(keys: IndexKeys) {
    this.keys = keys;
  }

  /** Takes over a change of an item; `lag` draws the milliseconds until a part of it arrives. */
  change(before: Row | undefined, after: Row | undefined, now: number, lag: () => number): void {
    this.#arrive(now);
    const from = indexKeyOf(before?.item, this.keys);
    const to = indexKeyOf(after?.item, this.keys);
    const id = (after ?? before)?.id ?? '';
    const isMoved = from !== undefined && (from.pk !== to?.pk || from.sk !== to.sk);
    const earliest = Math.max(now, this.#lastOf.get(id) ?? 0);
    const parts = [...(isMoved ? [{ ...from, row: undefined }] : []), ...(to ? [{ ...to, row: after }] : [])];
    for (const part of parts) {
      const pending = { ...part, id, at: Math.max(earliest, now + lag()) };
      if (pending.at <= now) this.#apply(pending);
      else {
        this.#lastOf.set(id, Math.max(this.#lastOf.get(id) ?? 0, pending.at));
        this.#pending.push(pending);
      }
    }
  }

  /** Returns a partition with the changes that have arrived. */
  of(pk: string, now: number): readonly Entry[] {
    this.#arrive(now);
    return this.#rows.of(pk);
  }

  partitions(now: number): IterableIterator<string> {
    this.#arrive(now);
    return this.#rows.partitions();
  }

  /** Returns whether a change of the partition has not arrived. */
  isBehind(pk: string): boolean {
    return this.#pending.some((pending) => pending.pk === pk);
  }

  #arrive(now: number): void {
    if (this.#pending.length === 0) return;
    const arrived = this.#pending.filter(({ at }) => at <= now);
    if (arrived.length === 0) return;
    this.#pending = this.#pending.filter(({ at }) => at > now);
    for (const pending of arrived.sort((one, other) => one.at - other.at)) this.#apply(pending);
    if (this.#pending.length === 0) this.#lastOf.clear();
  }

  #apply({ pk, sk, id, row }: Pending): void {
    if (row) this.#rows.put(pk, sk, row);
    else this.#rows.remove(pk, sk, id);
  }
}
