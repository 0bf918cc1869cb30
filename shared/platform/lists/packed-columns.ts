import { deflateRaw, inflateRaw } from '../compression.ts';
import { BitReader, BitWriter } from './bits.ts';
import type { ColumnKind, Value } from './list-kind.ts';

/** Bits of the encoding of a column: 0 to 52 is a Rice parameter, larger values are a fixed width plus 64. */
const shapeBits = 7;
const widthBits = 6;
const countBits = 16;
const fixed = 64;

/**
 * Packs columns of equal length. A number is stored as its difference from the column's minimum, in the shorter of fixed width
 * and Rice coding; a choice is its index in the legend; text is deflated.
 */
export const packColumns = (
  columns: readonly { kind: ColumnKind; values: readonly Value[] }[],
): Uint8Array => {
  const bits = new BitWriter();
  const texts: string[] = [];
  bits.write(columns[0]?.values.length ?? 0, countBits);
  for (const { kind, values } of columns) {
    if (kind !== 'text') writeNumbers(bits, values as (number | null)[]);
    else texts.push(values.map((value) => String(value ?? '').replaceAll('\n', ' ')).join('\n'));
  }
  const numbers = bits.bytes();
  const text = texts.length > 0 ? deflateRaw(texts.join('\n')) : new Uint8Array();
  const length = new BitWriter();
  length.write(numbers.length, 24);
  return Buffer.concat([length.bytes(), numbers, text]);
};

export const unpackColumns = (packed: Uint8Array, kinds: readonly ColumnKind[]): Value[][] => {
  const length = new BitReader(packed).read(24);
  const bits = new BitReader(packed.subarray(3, 3 + length));
  const rows = bits.read(countBits);
  const rest = packed.subarray(3 + length);
  const texts = rest.length > 0 ? inflateRaw(rest).toString().split('\n') : [];
  let textsRead = 0;
  return kinds.map((kind) => {
    if (kind !== 'text') return readNumbers(bits, rows);
    textsRead += rows;
    return texts.slice(textsRead - rows, textsRead);
  });
};

const writeNumbers = (bits: BitWriter, values: readonly (number | null)[]): void => {
  const present = values.filter((value) => value !== null);
  const hasNulls = present.length < values.length;
  bits.write(hasNulls ? 1 : 0, 1);
  if (hasNulls) for (const value of values) bits.write(value === null ? 0 : 1, 1);
  const least = present.length === 0 ? 0 : Math.min(...present);
  const distances = present.map((value) => value - least);
  const shape = shortest(distances);
  bits.write(bitsOf(least), widthBits);
  bits.write(least, bitsOf(least));
  bits.write(shape, shapeBits);
  for (const distance of distances) {
    if (shape >= fixed) bits.write(distance, shape - fixed);
    else {
      bits.writeUnary(Math.floor(distance / 2 ** shape));
      bits.write(distance % 2 ** shape, shape);
    }
  }
};

const readNumbers = (bits: BitReader, rows: number): (number | null)[] => {
  const hasNulls = bits.read(1) === 1;
  const present = Array.from({ length: rows }, () => !hasNulls || bits.read(1) === 1);
  const least = bits.read(bits.read(widthBits));
  const shape = bits.read(shapeBits);
  const next = (): number =>
    shape >= fixed ? bits.read(shape - fixed) : bits.readUnary() * 2 ** shape + bits.read(shape);
  return present.map((isThere) => (isThere ? least + next() : null));
};

/** Returns the encoding that takes the fewest bits. */
const shortest = (distances: readonly number[]): number => {
  const width = bitsOf(distances.reduce((most, distance) => Math.max(most, distance), 0));
  const mean = distances.reduce((sum, distance) => sum + distance, 0) / Math.max(1, distances.length);
  const near = bitsOf(mean);
  let best = { shape: fixed + width, bits: width * distances.length };
  for (let rice = Math.max(0, near - 3); rice <= near; rice++) {
    const bits = distances.reduce((sum, distance) => sum + Math.floor(distance / 2 ** rice) + 1 + rice, 0);
    if (bits < best.bits) best = { shape: rice, bits };
  }
  return best.shape;
};

const bitsOf = (value: number): number => (value < 1 ? 0 : Math.floor(Math.log2(value)) + 1);
