import { Partitions, type WriteUnits } from './capacity.ts';
import { throttledError } from './errors.ts';
import type { ItemStore } from './item-store.ts';
import type { Fate, Manners } from './manners.ts';
import type { Time } from './simulated-time.ts';

/** What reads and writes of the simulated table share: time, capacity, and the items that transactions hold. */
export class Core {
  readonly store: ItemStore;
  readonly time: Time;
  readonly fate: Fate;
  readonly manners: Manners;
  /** The items that transactions hold, by id, with their holder. */
  readonly held = new Map<string, object>();
  readonly #partitions = new Partitions();

  constructor(store: ItemStore, time: Time, fate: Fate, manners: Manners) {
    this.store = store;
    this.time = time;
    this.fate = fate;
    this.manners = manners;
  }

  /** Waits for one way of a round trip. */
  async travel(): Promise<void> {
    const { latency } = this.manners;
    if (latency) await this.wait(latency.requestMs / 2);
  }

  /** Waits give or take 30 %, now and then longer. */
  async wait(ms: number): Promise<void> {
    const slow = this.manners.latency ? this.fate.lasts(this.manners.latency.slow) : 0;
    await this.time.sleep(ms * (0.7 + 0.6 * this.fate.random()) + slow);
  }

  /** Throws for a request that is throttled by chance. */
  mayThrottle(): void {
    if (!this.#isThrottled()) return;
    throw throttledError(this.fate.below(2) === 0);
  }

  #isThrottled(): boolean {
    if (!this.fate.happens(this.manners.throttling)) return false;
    this.fate.count('throttled');
    return true;
  }

  /** What the partitions had to take, where they have limits. */
  busiest(): [partition: string, units: number][] {
    return this.#partitions.busiest();
  }

  isReadThrottled(partition: string): boolean {
    return this.#isExhausted('read', partition);
  }

  takeReads(partition: string, units: number): void {
    if (this.manners.partitionLimits) this.#partitions.take('read', partition, units, this.time.now());
  }

  /** Returns whether a write is throttled: by chance, in the table, or by an index that cannot keep up. */
  isWriteThrottled(pk: string, { indexes }: WriteUnits): boolean {
    return (
      this.#isThrottled() ||
      this.#isExhausted('write', pk) ||
      indexes.some(({ index, pk: partition }) => this.#isExhausted('write', `${index} ${partition}`))
    );
  }

  takeWrites(pk: string, { table, indexes }: WriteUnits): void {
    if (!this.manners.partitionLimits) return;
    const now = this.time.now();
    this.#partitions.take('write', pk, table, now);
    for (const { index, pk: partition, units } of indexes)
      this.#partitions.take('write', `${index} ${partition}`, units, now);
  }

  #isExhausted(kind: 'read' | 'write', partition: string): boolean {
    if (!this.manners.partitionLimits) return false;
    if (!this.#partitions.isExhausted(kind, partition, this.time.now())) return false;
    this.fate.count('partition limit');
    return true;
  }
}
