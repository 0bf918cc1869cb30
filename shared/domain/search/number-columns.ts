import { deflateRaw, inflateRaw } from '../../platform/compression.ts';

/** Numbers of one field; null is NaN. */
export type Column = Uint8Array | Uint16Array | Uint32Array | Float64Array;

/** Columns of numbers of any lengths, and texts. */
interface Packable {
  numbers: readonly (readonly number[])[];
  texts?: readonly string[];
}

interface Unpacked {
  numbers: Column[];
  texts: string[];
  /** The memory that they take, roughly. */
  bytes: number;
}

/** More decimals are stored as binary floating point. */
const maxDecimals = 8;
/** The first byte of a column: its decimals, {@link rawNumbers} or {@link asBefore}, and flags. */
const rawNumbers = 15;
const steppedFlag = 16;
const nullsFlag = 32;
/** A column that is equal to the one before. */
const asBefore = 255;

/**
 * Packs columns of numbers, exactly. A column is stored in whole multiples of a unit, as distances from the smallest value or from the
 * value before, byte plane by byte plane, each deflated if that is shorter.
 */
export const packNumberColumns = ({ numbers, texts = [] }: Packable): Uint8Array => {
  const parts: Uint8Array[] = [Uint8Array.of(numbers.length >> 8, numbers.length & 255)];
  numbers.forEach((values, at) => {
    parts.push(isSame(values, numbers[at - 1]) ? Uint8Array.of(asBefore) : packNumbers(values));
  });
  for (const text of texts) parts.push(block(Buffer.from(text)));
  return Buffer.concat(parts);
};

export const unpackNumberColumns = (packed: Uint8Array): Unpacked => {
  const reader = new BlockReader(packed);
  const count = reader.byte() * 256 + reader.byte();
  const numbers: Column[] = [];
  for (let at = 0; at < count; at++) numbers.push(unpackNumbers(reader, numbers[at - 1]));
  const texts: string[] = [];
  while (!reader.isAtEnd) texts.push(Buffer.from(reader.block()).toString());
  const textBytes = texts.reduce((sum, text) => sum + text.length, 0);
  return { numbers, texts, bytes: numbers.reduce((sum, { byteLength }) => sum + byteLength, textBytes) };
};

/** A block is its length in 23 bits, whether it is deflated, and its bytes. */
const block = (bytes: Uint8Array): Uint8Array => {
  const deflated = deflateRaw(bytes);
  const shorter = deflated.length < bytes.length ? deflated : bytes;
  const head = Buffer.alloc(4);
  head.writeUInt32BE(shorter.length * 2 + (shorter === deflated ? 1 : 0));
  return Buffer.concat([head, shorter]);
};

class BlockReader {
  readonly #bytes: Buffer;
  #at = 0;

  constructor(bytes: Uint8Array) {
    this.#bytes = Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength);
  }

  get isAtEnd(): boolean {
    return this.#at >= this.#bytes.length;
  }

  byte(): number {
    return this.#bytes.readUInt8(this.#at++);
  }

  double(): number {
    const value = this.#bytes.readDoubleBE(this.#at);
    this.#at += 8;
    return value;
  }

  block(): Uint8Array {
    const head = this.#bytes.readUInt32BE(this.#at);
    const from = this.#at + 4;
    this.#at = from + (head >> 1);
    const bytes = this.#bytes.subarray(from, this.#at);
    return head % 2 === 1 ? inflateRaw(bytes) : bytes;
  }
}

const isSame = (one: readonly number[], other: readonly number[] | undefined): boolean =>
  one.length === other?.length && one.every((value, at) => Object.is(value, other[at]));

const packNumbers = (values: readonly number[]): Uint8Array => {
  const decimals = decimalsOf(values);
  const { length } = values;
  const raw = () => withHeader({ shape: rawNumbers, planes: [rawBytes(values)], least: 0, step: 1, length });
  if (decimals === undefined) return raw();
  const whole = values.map((value) => Math.round(value * 10 ** decimals));
  const plain = encoded(whole, decimals) ?? raw();
  const steps = stepsOf(whole);
  const stepped = steps && encoded(steps, decimals + steppedFlag);
  return stepped && stepped.length < plain.length ? stepped : plain;
};

/** Returns undefined if the distances from the smallest value are too large to be exact. */
const encoded = (whole: readonly number[], shape: number): Uint8Array | undefined => {
  const present = whole.filter((value) => !Number.isNaN(value));
  const hasNulls = present.length < whole.length;
  const { least, most, step } = extentOf(present);
  // With nulls 0 is null, and the smallest value is 1.
  const base = hasNulls ? least - step : least;
  if (!Number.isSafeInteger(base) || !Number.isSafeInteger(most - base)) return undefined;
  const planes: Uint8Array[] = [];
  for (let left = (most - base) / step, unit = 1; left >= 1; left = Math.floor(left / 256), unit *= 256)
    planes.push(
      Uint8Array.from(whole, (value) =>
        Number.isNaN(value) ? 0 : Math.floor((value - base) / step / unit) % 256,
      ),
    );
  const flags = hasNulls ? nullsFlag : 0;
  return withHeader({ shape: shape + flags, planes, least: base, step, length: whole.length });
};

/** Returns the smallest and largest value, and what all their distances are multiples of. */
const extentOf = (values: readonly number[]) => {
  let [least, most, step] = [values[0] ?? 0, values[0] ?? 0, 0];
  for (const value of values) {
    if (value < least) least = value;
    if (value > most) most = value;
  }
  for (const value of values) if (step !== 1) step = commonDivisor(value - least, step);
  return { least, most, step: step || 1 };
};

const commonDivisor = (one: number, other: number): number => {
  while (other !== 0) [one, other] = [other, one % other];
  return one;
};

interface Encoded {
  shape: number;
  planes: Uint8Array[];
  least: number;
  step: number;
  length: number;
}

const withHeader = ({ shape, planes, least, step, length }: Encoded): Uint8Array => {
  const header = Buffer.alloc(22);
  header.writeUInt8(shape, 0);
  header.writeUInt8(planes.length, 1);
  header.writeDoubleBE(least, 2);
  header.writeDoubleBE(step, 10);
  header.writeUInt32BE(length, 18);
  return Buffer.concat([header, ...planes.map(block)]);
};

/** Returns the fewest decimals that hold every value exactly; undefined if none do. */
const decimalsOf = (values: readonly number[]): number | undefined => {
  let decimals = 0;
  for (const value of values) while (!fits(value, decimals)) if (++decimals > maxDecimals) return undefined;
  // More decimals than a value needs may be too many for it.
  return values.every((value) => fits(value, decimals)) ? decimals : undefined;
};

const fits = (value: number, decimals: number): boolean => {
  if (Number.isNaN(value)) return true;
  const whole = Math.round(value * 10 ** decimals);
  return Math.abs(whole) < 2 ** 52 && !Object.is(value, -0) && whole / 10 ** decimals === value;
};

/** Returns the distance of each value from the one before as a whole number from 0 on; undefined with nulls. */
const stepsOf = (whole: readonly number[]): number[] | undefined => {
  const steps: number[] = [];
  let before = 0;
  for (const value of whole) {
    const step = value - before;
    if (Number.isNaN(step) || Math.abs(step) >= 2 ** 51) return undefined;
    steps.push(step < 0 ? -step * 2 - 1 : step * 2);
    before = value;
  }
  return steps;
};

const rawBytes = (values: readonly number[]): Uint8Array => {
  const bytes = Buffer.alloc(values.length * 8);
  values.forEach((value, at) => bytes.writeDoubleBE(value, at * 8));
  return bytes;
};

const unpackNumbers = (reader: BlockReader, before: Column | undefined): Column => {
  const shape = reader.byte();
  if (shape === asBefore) return before ?? new Uint8Array();
  const planeCount = reader.byte();
  const least = reader.double();
  const step = reader.double();
  const length = reader.byte() * 2 ** 24 + reader.byte() * 2 ** 16 + reader.byte() * 256 + reader.byte();
  const planes = Array.from({ length: planeCount }, () => reader.block());
  if (shape === rawNumbers) return fromRaw(planes[0] ?? new Uint8Array(), length);
  const values = new Float64Array(length).fill(least);
  planes.forEach((plane, position) => {
    const unit = step * 256 ** position;
    for (let at = 0; at < length; at++) values[at] = (values[at] ?? 0) + (plane[at] ?? 0) * unit;
  });
  if (shape & nullsFlag) for (let at = 0; at < length; at++) if (values[at] === least) values[at] = NaN;
  if (shape & steppedFlag) undoSteps(values);
  const decimals = shape & rawNumbers;
  if (decimals > 0) for (let at = 0; at < length; at++) values[at] = (values[at] ?? 0) / 10 ** decimals;
  return narrowed(values);
};

const fromRaw = (bytes: Uint8Array, length: number): Float64Array => {
  const view = Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength);
  return Float64Array.from({ length }, (_, at) => view.readDoubleBE(at * 8));
};

const undoSteps = (values: Float64Array): void => {
  let before = 0;
  for (let at = 0; at < values.length; at++) {
    const step = values[at] ?? 0;
    before += step % 2 === 1 ? -(step + 1) / 2 : step / 2;
    values[at] = before;
  }
};

/** Keeps a column in the shortest numbers that hold it. */
const narrowed = (values: Float64Array): Column => {
  let most = 0;
  for (const value of values) {
    if (!(value >= 0) || value % 1 !== 0 || value >= 2 ** 32) return values;
    if (value > most) most = value;
  }
  if (most < 2 ** 8) return Uint8Array.from(values);
  return most < 2 ** 16 ? Uint16Array.from(values) : Uint32Array.from(values);
};
