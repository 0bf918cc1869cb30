import { indexes, type Row } from './key-schema.ts';
import type { Fate, Manners } from './manners.ts';
import { type Entry, OrderedRows } from './ordered-rows.ts';
import { LaggingIndex, Replicas } from './replicas.ts';
import type { Time } from './simulated-time.ts';
import { SimulatedStream } from './stream.ts';
import { compareText, isSame, type Item } from './values.ts';

interface StoreOptions {
  time: Time;
  fate: Fate;
  manners: Manners;
  hasStream: boolean;
}

/** The items of the table, its indexes, its replicas and its stream: what a change reaches, and when. */
export class ItemStore {
  readonly stream: SimulatedStream | undefined;
  readonly #options: StoreOptions;
  readonly #rows = new Map<string, Row>();
  readonly #ordered = new OrderedRows();
  readonly #replicas: Replicas;
  readonly #indexes: ReadonlyMap<string, LaggingIndex>;
  readonly #deletedAt = new Map<string, number>();
  readonly #lag: () => number;

  constructor(options: StoreOptions) {
    const { time, fate, manners, hasStream } = options;
    this.#options = options;
    this.#replicas = new Replicas(manners.staleReads.rate > 0 ? manners.staleReads.ms : 0);
    this.#indexes = new Map(indexes.map(([name, keys]) => [name, new LaggingIndex(keys)]));
    this.#lag = () => fate.lasts(manners.indexLag);
    this.stream = hasStream ? new SimulatedStream(time, fate, manners) : undefined;
  }

  get(id: string): Row | undefined {
    return this.#rows.get(id);
  }

  /** Returns every row, in the order of keys. */
  rows(): Row[] {
    return [...this.#rows.values()].sort((one, other) => compareText(one.id, other.id));
  }

  /** Adds rows that everything has known for long. */
  load(rows: Iterable<Row>): void {
    for (const row of rows) {
      this.#place(row);
      for (const index of this.#indexes.values()) index.change(undefined, row, 0, () => 0);
    }
  }

  change(id: string, after: Row | undefined, byTtl = false): void {
    const before = this.#rows.get(id);
    if (before === after) return;
    const now = this.#options.time.now();
    const { pk, sk } = (after ?? before)!.item;
    if (after) this.#place(after);
    else {
      this.#rows.delete(id);
      this.#ordered.remove(String(pk), String(sk), id);
    }
    this.#replicas.note(String(pk), { at: now, id, sk: String(sk), before });
    for (const index of this.#indexes.values()) index.change(before, after, now, this.#lag);
    // A write that changes nothing leaves no record.
    if (this.stream && !isSame(before?.item, after?.item)) this.stream.append(before, after, byTtl);
  }

  #place(row: Row): void {
    this.#rows.set(row.id, row);
    this.#ordered.put(String(row.item['pk']), String(row.item['sk']), row);
    const { lateExpiry } = this.#options.manners;
    if (lateExpiry.rate > 0 && row.item['expires_at'] !== undefined)
      this.#deletedAt.set(
        row.id,
        Number(row.item['expires_at']) * 1000 + this.#options.fate.lasts(lateExpiry),
      );
  }

  /** Returns the rows that TTL deletes by a moment, in any order. */
  expired(now: number): Row[] {
    const due = [...this.#rows.values()].filter(({ id, item }) => {
      const expiry = item['expires_at'];
      if (typeof expiry !== 'number' || expiry * 1000 > now) return false;
      const isLate = (this.#deletedAt.get(id) ?? 0) > now;
      if (isLate) this.#options.fate.count('late expiry');
      return !isLate;
    });
    return this.#options.fate.shuffled(due);
  }

  /** Returns an item as a read sees it. */
  read(id: string, key: Item, isConsistent: boolean): Row | undefined {
    const current = this.#rows.get(id);
    const moment = this.#momentOf(isConsistent);
    if (moment === undefined) return current;
    const seen = this.#replicas.row(String(key['pk']), id, current, moment);
    if (seen !== current) this.#options.fate.count('stale read');
    return seen;
  }

  /** Returns a partition of the table or of an index as a read sees it. */
  partition(index: string | undefined, pk: string, isConsistent: boolean): readonly Entry[] {
    const lagging = index === undefined ? undefined : this.#indexes.get(index);
    if (lagging) {
      const entries = lagging.of(pk, this.#options.time.now());
      if (lagging.isBehind(pk)) this.#options.fate.count('index lag');
      return entries;
    }
    const current = this.#ordered.of(pk);
    const moment = this.#momentOf(isConsistent);
    if (moment === undefined) return current;
    const seen = this.#replicas.partition(pk, current, moment);
    if (seen !== current) this.#options.fate.count('stale read');
    return seen;
  }

  /** Returns every entry of the table or of an index. */
  everything(index: string | undefined): Entry[] {
    const lagging = index === undefined ? undefined : this.#indexes.get(index);
    const now = this.#options.time.now();
    const partitions = [...(lagging ? lagging.partitions(now) : this.#ordered.partitions())];
    return partitions.flatMap((pk) => [...this.partition(index, pk, true)]);
  }

  /** Returns the moment of an eventually consistent read, or undefined for now. */
  #momentOf(isConsistent: boolean): number | undefined {
    if (isConsistent) return undefined;
    const age = this.#options.fate.lasts(this.#options.manners.staleReads);
    return age === 0 ? undefined : this.#options.time.now() - age;
  }
}
