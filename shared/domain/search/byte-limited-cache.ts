interface Kept<Value> {
  value: Value;
  bytes: number;
}

/** What is kept in memory, by name. Its bytes stay below a limit: what was least recently used goes first. */
export class ByteLimitedCache<Value> {
  readonly #mostOfHalf: number;
  // Two halves: when the younger is full, the older goes as a whole. Moving each value at each use to the end of one map would
  // take longer than most of what uses them.
  #younger = new Map<string, Kept<Value>>();
  #older = new Map<string, Kept<Value>>();
  #youngerBytes = 0;
  #olderBytes = 0;

  constructor(mostBytes: number) {
    this.#mostOfHalf = mostBytes / 2;
  }

  get bytes(): number {
    return this.#youngerBytes + this.#olderBytes;
  }

  get(name: string): Value | undefined {
    const found = this.#younger.get(name);
    if (found) return found.value;
    const old = this.#older.get(name);
    if (!old) return undefined;
    this.set(name, old.value, old.bytes);
    return old.value;
  }

  set(name: string, value: Value, bytes: number): void {
    this.#youngerBytes -= removeFrom(this.#younger, name);
    this.#olderBytes -= removeFrom(this.#older, name);
    // It would push out everything, and itself.
    if (bytes > this.#mostOfHalf) return;
    if (this.#youngerBytes + bytes > this.#mostOfHalf) {
      this.#older = this.#younger;
      this.#olderBytes = this.#youngerBytes;
      this.#younger = new Map();
      this.#youngerBytes = 0;
    }
    this.#younger.set(name, { value, bytes });
    this.#youngerBytes += bytes;
  }
}

/** Returns the bytes of what was removed. */
const removeFrom = (half: Map<string, Kept<unknown>>, name: string): number => {
  const bytes = half.get(name)?.bytes ?? 0;
  half.delete(name);
  return bytes;
};
