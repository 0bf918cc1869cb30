import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { packNumberColumns, unpackNumberColumns } from '../../../shared/domain/search/number-columns.ts';

const number = fc.oneof(
  fc.constant(NaN),
  fc.integer({ min: -10, max: 300 }),
  fc.maxSafeInteger(),
  fc.integer({ min: 0, max: 10 ** 9 }).map((cents) => cents / 100),
  fc.integer({ min: -90_000_000, max: 90_000_000 }).map((degrees) => degrees / 1e6),
  fc.double(),
);
const column = fc.oneof(
  fc.array(number, { maxLength: 60 }),
  fc
    .array(fc.integer({ min: 0, max: 2 ** 53 - 1 }), { maxLength: 60 })
    .map((ids) => ids.toSorted((a, b) => a - b)),
  fc.array(fc.constantFrom(0, 1), { maxLength: 60 }),
);

describe('columns of numbers', () => {
  it('come out as they went in, whatever their numbers and lengths', () => {
    fc.assert(
      fc.property(
        fc.array(column, { maxLength: 5 }),
        fc.array(fc.string(), { maxLength: 3 }),
        (numbers, texts) => {
          const unpacked = unpackNumberColumns(packNumberColumns({ numbers, texts }));
          expect(unpacked.numbers.map((values) => [...values])).toEqual(numbers);
          expect(unpacked.texts).toEqual(texts.map((text) => Buffer.from(text).toString()));
        },
      ),
      { numRuns: 1000 },
    );
  });

  it('come out exactly where their distances are beyond whole numbers', () => {
    const numbers = [
      [1_322_920_744_200_403, NaN, -3_842_139_255_270_295],
      [2 ** 52 - 1, 1 - 2 ** 52, NaN],
    ];
    expect(unpackNumberColumns(packNumberColumns({ numbers })).numbers.map((values) => [...values])).toEqual(
      numbers,
    );
  });

  it('take a byte for what needs a byte, and nothing for what is always the same', () => {
    const rows = Array.from({ length: 1000 }, (_, at) => at);
    const bytes = (of: (at: number) => number) => packNumberColumns({ numbers: [rows.map(of)] }).length;
    expect(bytes(() => 7.25)).toBeLessThan(30);
    expect(bytes((at) => 2 ** 50 + at * 3)).toBeLessThan(150);
    expect(bytes((at) => 16 + ((at * 7919) % 251) / 1000)).toBeLessThan(1050);
  });
});
