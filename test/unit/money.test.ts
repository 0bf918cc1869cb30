import Big from 'big.js';
import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import {
  fitsMinorUnit,
  isCurrency,
  isExactNumber,
  isPayable,
  isZero,
  larger,
  minorDigits,
  money,
  percentOf,
  roundMoney,
  smaller,
  sum,
  toNumber,
} from '../../shared/platform/money.ts';

describe('the minor unit', () => {
  test.each([
    ['VND', 0],
    ['JPY', 0],
    ['KRW', 0],
    ['CLP', 0],
    ['XOF', 0],
    ['USD', 2],
    ['EUR', 2],
    ['THB', 2],
    ['KWD', 3],
    ['BHD', 3],
    ['IQD', 3],
    ['TND', 3],
    ['CLF', 4],
  ])('of %s has %d digits', (currency, digits) => {
    expect(minorDigits(currency)).toBe(digits);
  });

  test.each(['XXX', 'XAU', 'ABC', 'usd', '', 'US', 'DEM', 'HRK', 'BGN', 'toString'])(
    '%j is no currency',
    (code) => {
      expect(isCurrency(code)).toBe(false);
      expect(() => minorDigits(code)).toThrow(RangeError);
    },
  );
});

describe('rounding is half-up, away from zero', () => {
  test.each([
    [0.5, 'VND', 1],
    [1.5, 'VND', 2],
    [2.5, 'VND', 3],
    [2.4999, 'VND', 2],
    [-0.5, 'VND', -1],
    [1.005, 'USD', 1.01], // 1.005 in binary is below 1.005
    [8.345, 'USD', 8.35],
    [0.0005, 'KWD', 0.001],
    [0.00049, 'KWD', 0],
    [-1.005, 'USD', -1.01],
  ])('%d %s is %d', (amount, currency, expected) => {
    expect(toNumber(roundMoney(amount, currency))).toBe(expected);
  });
});

test('sums are exact where binary floating point is not: 0.1 + 0.2 = 0.3', () => {
  expect(toNumber(sum([money(0.1), money(0.2)]))).toBe(0.3);
});

test('percent: 33.33 % of 1,000,001 = 333,300.3333, so 333,300', () => {
  expect(toNumber(percentOf(money(1_000_001), 33.33, 'VND'))).toBe(333_300);
});

test.each([
  [1000, 'VND', true],
  [1000.5, 'VND', false],
  [0.01, 'USD', true],
  [0.001, 'USD', false],
  [0.001, 'KWD', true],
  [0, 'VND', true],
])('%d fits the minor unit of %s: %s', (amount, currency, fits) => {
  expect(fitsMinorUnit(amount, currency)).toBe(fits);
});

test.each([
  [999_999_999_999_999, true],
  [1_000_000_000_000_000, false],
  [-999_999_999_999_999, true],
  [-1_000_000_000_000_000, false],
  [1e300, false],
  [1e-300, false],
  [9_999_999_999_999.99, true],
  [0, true],
])('%d is written exactly in 15 digits: %s', (amount, exact) => {
  expect(isExactNumber(amount)).toBe(exact);
});

test('an amount that a number cannot hold is never written', () => {
  expect(() => toNumber(money('1234567890123456'))).toThrow(RangeError);
  expect(isPayable(money('9999999999999.99'), 'USD')).toBe(true);
  expect(isPayable(money('10000000000000'), 'USD')).toBe(false);
});

test('the larger and the smaller of two amounts', () => {
  const [one, two] = [money(1), money(2)];
  expect([larger(one, two), larger(two, one), smaller(one, two), smaller(two, one)].map(toNumber)).toEqual([
    2, 2, 1, 1,
  ]);
});

test('zero is written without a sign', () => {
  expect(Object.is(toNumber(money(0).neg()), 0)).toBe(true);
});

test('every amount of 15 digits survives JSON', () => {
  const digits = fc.integer({ min: 0, max: 4 });
  fc.assert(
    fc.property(fc.maxSafeNat(), digits, (units, decimals) => {
      const amount = money(units % 1e15).div(money(10).pow(decimals));
      expect(money(JSON.parse(JSON.stringify(toNumber(amount))) as number).eq(amount)).toBe(true);
    }),
  );
});

test('rounding once is never more than half a minor unit away', () => {
  fc.assert(
    fc.property(
      fc.double({ min: 0, max: 1e9, noNaN: true }),
      fc.constantFrom('VND', 'USD', 'KWD'),
      (amount, currency) => {
        const unit = money(10).pow(-minorDigits(currency));
        expect(roundMoney(amount, currency).minus(amount).abs().times(2).lte(unit)).toBe(true);
      },
    ),
  );
});

describe('amounts of few digits take a short way', () => {
  const amount = fc
    .tuple(fc.integer({ min: -1e15, max: 1e15 }), fc.integer({ min: -8, max: 3 }))
    .map(([units, exponent]) => new Big(units).times(new Big(10).pow(exponent)));

  test('to the number that its text is', () => {
    fc.assert(
      fc.property(amount, (exact) => {
        fc.pre(isExactNumber(exact));
        expect(toNumber(exact)).toBe(Number(exact.toFixed()) + 0);
      }),
    );
  });

  test('to the rounded amount', () => {
    fc.assert(
      fc.property(amount, fc.constantFrom('VND', 'USD', 'KWD', 'CLF'), (exact, currency) => {
        const rounded = exact.round(minorDigits(currency), Big.roundHalfUp);
        expect(roundMoney(exact, currency).toFixed()).toBe(rounded.toFixed());
        const limit = new Big(10).pow(15 - minorDigits(currency));
        expect(isPayable(exact, currency)).toBe(exact.abs().lt(limit));
      }),
    );
  });

  test('and zero is zero, however it came to be', () => {
    for (const zero of [money(0), money(0).neg(), money(1).minus(1), money('0.00')])
      expect([isZero(zero), isZero(zero.plus('0.01'))]).toEqual([true, false]);
  });
});
