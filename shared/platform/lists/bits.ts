/** Writes numbers up to 2^53 − 1 bit by bit. */
export class BitWriter {
  readonly #bytes: number[] = [];
  #free = 0;

  write(value: number, bits: number): void {
    for (let left = bits; left > 0;) {
      if (this.#free === 0) {
        this.#bytes.push(0);
        this.#free = 8;
      }
      const taken = Math.min(left, this.#free);
      const part = Math.floor(value / 2 ** (left - taken)) % 2 ** taken;
      this.#free -= taken;
      left -= taken;
      const last = this.#bytes.length - 1;
      this.#bytes[last] = (this.#bytes[last] ?? 0) + part * 2 ** this.#free;
    }
  }

  /** Writes a number in unary: as many ones, then a zero. */
  writeUnary(value: number): void {
    for (let left = value; left > 0; left -= 32) this.write(2 ** Math.min(left, 32) - 1, Math.min(left, 32));
    this.write(0, 1);
  }

  bytes(): Uint8Array {
    return Uint8Array.from(this.#bytes);
  }
}

export class BitReader {
  readonly #bytes: Uint8Array;
  #at = 0;
  #left = 8;

  constructor(bytes: Uint8Array) {
    this.#bytes = bytes;
  }

  read(bits: number): number {
    let value = 0;
    for (let wanted = bits; wanted > 0;) {
      const taken = Math.min(wanted, this.#left);
      this.#left -= taken;
      value = value * 2 ** taken + (((this.#bytes[this.#at] ?? 0) >> this.#left) & (2 ** taken - 1));
      if (this.#left === 0) {
        this.#at++;
        this.#left = 8;
      }
      wanted -= taken;
    }
    return value;
  }

  readUnary(): number {
    let value = 0;
    while (this.read(1) === 1) value++;
    return value;
  }
}
