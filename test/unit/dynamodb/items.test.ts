import { marshall, unmarshall } from '@aws-sdk/util-dynamodb';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { asStored, readItem } from '../../../shared/platform/dynamodb/index.ts';
import type { AttributeMap } from '../../../shared/platform/dynamodb/read-json.ts';
import { writeItem } from '../../../shared/platform/dynamodb/write-json.ts';

/** What the document client of the table did. */
const options = { removeUndefinedValues: true };

const text = fc.string({ unit: 'binary' });
/** The SDK loses an attribute of this name, at any depth. */
const name = text.filter((one) => one !== '__proto__');
const bytes = fc.uint8Array({ maxLength: 20 });
const exact = fc.oneof(
  fc.maxSafeInteger(),
  fc.double({ noNaN: true, noDefaultInfinity: true, min: -1e15, max: 1e15 }),
  fc.constantFrom(0, -0, 1e-7, 5e-324, Number.MAX_SAFE_INTEGER, Number.MIN_SAFE_INTEGER),
);
const large = fc.bigInt({ min: -(10n ** 37n), max: 10n ** 37n });
const nonEmpty = <Value>(one: fc.Arbitrary<Value>) =>
  fc.array(one, { minLength: 1, maxLength: 4 }).map((values) => new Set(values));

const { value } = fc.letrec<{ value: unknown; map: object }>((tie) => ({
  value: fc.oneof(
    { maxDepth: 4 },
    text,
    exact,
    fc.boolean(),
    fc.constant(null),
    bytes,
    large,
    nonEmpty(text),
    nonEmpty(exact),
    nonEmpty(bytes),
    fc.array(fc.oneof({ arbitrary: tie('value'), weight: 8 }, fc.constant(undefined)), { maxLength: 5 }),
    tie('map'),
  ),
  map: fc.dictionary(name, fc.oneof({ arbitrary: tie('value'), weight: 8 }, fc.constant(undefined)), {
    maxKeys: 5,
  }),
}));
const item = fc.dictionary(name, fc.option(value, { nil: undefined }), { maxKeys: 8 });

/** Attribute values as they are sent: binary ones in Base64. */
const sent = (attributes: unknown): unknown =>
  JSON.parse(
    JSON.stringify(attributes, function encoded(this: Record<string, unknown>, key, found: unknown) {
      const original = this[key];
      return original instanceof Uint8Array ? Buffer.from(original).toString('base64') : found;
    }),
  );

describe('an item', () => {
  it('is written as by the SDK', () => {
    fc.assert(
      fc.property(item, (one) => {
        expect(JSON.parse(writeItem(one))).toEqual(sent(marshall(one, options)));
      }),
      { numRuns: 1000 },
    );
  });

  it('is read as by the SDK', () => {
    fc.assert(
      fc.property(item, (one) => {
        const attributes = marshall(one, options);
        const expected = unmarshall(attributes);
        expect(asStored(one)).toStrictEqual(expected);
        // Errors of the SDK have bytes in their items.
        expect(readItem(attributes)).toStrictEqual(expected);
      }),
      { numRuns: 1000 },
    );
  });

  it.each([
    ['no number', { a: Number.NaN }],
    ['an infinite number', { a: [Number.NEGATIVE_INFINITY] }],
    ['a number that is not exact', { a: 2 ** 53 }],
    ['a negative one', { a: new Set([-(2 ** 53)]) }],
    ['an empty set', { a: new Set() }],
    ['a set of objects', { a: new Set([{}]) }],
    ['a date', { a: new Date(0) }],
    ['a symbol', { a: Symbol('a') }],
  ])('with %s is refused, as by the SDK', (_, one) => {
    expect(() => writeItem(one)).toThrow();
    expect(() => marshall(one, options)).toThrow();
  });

  it('with a part of a buffer has only that part', () => {
    const one = { a: Buffer.from('abcdef').subarray(2, 4) };
    expect(asStored(one)).toStrictEqual({ a: new Uint8Array([99, 100]) });
  });

  it('has no methods, and keeps an attribute with the name of a prototype', () => {
    const withMethod = { a: 1, list: [() => 1, 2], m: { f: () => 1 }, f: () => 1 };
    expect(JSON.parse(writeItem(withMethod))).toEqual(sent(marshall(withMethod, options)));
    const odd = JSON.parse('{"m":{"M":{"__proto__":{"S":"a"}}}}') as AttributeMap;
    const { m } = readItem(odd) as { m: object };
    expect(Object.getPrototypeOf(m)).toBe(Object.prototype);
    expect(Object.entries(m)).toEqual([['__proto__', 'a']]);
  });
});
