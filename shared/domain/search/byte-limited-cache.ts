/** What is kept in memory, by name: the least recently used goes first when its bytes are more than the limit. */
export class ByteLimitedCache<Value> {
  readonly #most: number;
  readonly #values = new Map<string, { value: Value; bytes: number }>();
  #bytes = 0;

  constructor(mostBytes: number) {
    this.#most = mostBytes;
  }

  get bytes(): number {
    return this.#bytes;
  }

  get(name: string): Value | undefined {
    const found = this.#values.get(name);
    if (!found) return undefined;
    // Re-inserted at the end: the front of the map is least recently used.
    this.#values.delete(name);
    this.#values.set(name, found);
    return found.value;
  }

  set(name: string, value: Value, bytes: number): void {
    this.delete(name);
    // It would push out everything, and itself.
    if (bytes > this.#most) return;
    this.#values.set(name, { value, bytes });
    this.#bytes += bytes;
    for (const oldest of this.#values.keys()) {
      if (this.#bytes <= this.#most) return;
      this.delete(oldest);
    }
  }

  delete(name: string): void {
    this.#bytes -= this.#values.get(name)?.bytes ?? 0;
    this.#values.delete(name);
  }
}
