import { ByteLimitedCache } from './byte-limited-cache.ts';

/** One reading of what ids name. */
interface Reading<Ids> {
  ids: Ids;
  /** Epoch milliseconds. */
  readAt: number;
  /** How often it was used again while it was believed. */
  uses: number;
}

/** From so many uses on, what is read anew ahead of its next use is hardly ever read for nothing. */
const manyUses = 4;

/**
 * What was read less than `keepMs` ago, by name. What was used often in that time will soon be asked for once more: it is read
 * anew together with something else, instead of by a request of its own.
 */
export class BriefCache<Ids, Value> {
  readonly #keepMs: number;
  readonly #kept: ByteLimitedCache<{ reading: Reading<Ids>; value: Value }>;
  /** In the order of their time. */
  readonly #readings = new Set<Reading<Ids>>();

  constructor({ keepMs, maxBytes }: { keepMs: number; maxBytes: number }) {
    this.#keepMs = keepMs;
    this.#kept = new ByteLimitedCache(maxBytes);
  }

  get bytes(): number {
    return this.#kept.bytes;
  }

  /** Returns what is still believed; otherwise the caller reads it and {@link set sets} it. */
  get(name: string, now: number): Value | undefined {
    const kept = this.#kept.get(name);
    if (!kept) return undefined;
    const isBelieved = this.#ageOf(kept.reading, now) < this.#keepMs;
    // What is no longer believed is read by the caller.
    kept.reading.uses = isBelieved ? kept.reading.uses + 1 : 0;
    return isBelieved ? kept.value : undefined;
  }

  /** @param again whether it may be read anew with something else */
  set(name: string, ids: Ids, read: { value: Value; bytes: number; now: number; again: boolean }): void {
    const reading = { ids, readAt: read.now, uses: 0 };
    this.#kept.set(name, { reading, value: read.value }, read.bytes);
    if (read.again) this.#readings.add(reading);
  }

  /** Returns the ids of what is no longer believed and was used often, for as many keys: who takes them reads them. */
  takeBusy(keys: number, now: number, keysOf: (ids: Ids) => number): Ids[] {
    const taken: Ids[] = [];
    let left = keys;
    for (const reading of this.#readings) {
      const age = this.#ageOf(reading, now);
      if (age < this.#keepMs) break;
      const isWanted = reading.uses >= manyUses && age < 2 * this.#keepMs;
      if (isWanted && (left -= keysOf(reading.ids)) < 0) break;
      this.#readings.delete(reading);
      if (isWanted) taken.push(reading.ids);
    }
    return taken;
  }

  #ageOf({ readAt }: Reading<Ids>, now: number): number {
    return Math.abs(now - readAt);
  }
}
