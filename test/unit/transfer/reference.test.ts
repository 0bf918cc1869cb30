import { describe, expect, it } from 'vitest';
import { ordersIn, referenceOf } from '../../../shared/domain/transfer/reference.rules.ts';

const order = 402_295_829_710_432;
const reference = referenceOf(order);

describe('the reference of a transfer', () => {
  it('has eleven letters and digits, and names its order', () => {
    expect(reference).toMatch(/^[0-9A-Z]{11}$/);
    expect(ordersIn(reference)).toEqual([order]);
  });

  it('has the check digit of ISO 7064, MOD 37,36', () => {
    // The example of the standard's family: the check digit of A12425GABC1234002 is M.
    expect(referenceOf(Number.parseInt('1234567890', 36) * 16)).toBe('1234567890' + checkOf('1234567890'));
    expect(checkOf('A12425GABC1234002')).toBe('M');
  });

  it.each([
    [reference],
    [`MBVCB.3278907687.${reference}.CT tu 0123456789 toi 0071000123456`],
    [`chuyen tien ${reference.toLowerCase()} phong 2`],
    [`CT DEN:123456789012 ${reference.slice(0, 5)} ${reference.slice(5)} FT22070`],
    [`${reference.slice(0, 3)}-${reference.slice(3, 7)}-${reference.slice(7)}`],
    [`IBFT ${reference}; tien phong`],
  ])('is found in %j', (text) => {
    expect(ordersIn(text)).toContain(order);
  });

  it('is not found with a digit that is wrong, or two that are exchanged', () => {
    for (let at = 0; at < reference.length; at++) {
      for (const digit of '0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZ')
        if (digit !== reference[at])
          expect(ordersIn(reference.slice(0, at) + digit + reference.slice(at + 1))).not.toContain(order);
      const [one, next] = [reference[at]!, reference[at + 1]];
      if (next === undefined || one === next) continue;
      const exchanged = reference.slice(0, at) + next + one + reference.slice(at + 2);
      expect(ordersIn(exchanged)).toEqual([]);
    }
  });

  it('is not found in a text without one', () => {
    expect(ordersIn('')).toEqual([]);
    expect(ordersIn('tien phong')).toEqual([]);
  });
});

/** The algorithm as the standard writes it. */
function checkOf(data: string): string {
  const digits = '0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZ';
  let product = 36;
  for (const digit of data) {
    let sum = (product + digits.indexOf(digit)) % 36;
    if (sum === 0) sum = 36;
    product = (sum * 2) % 37;
  }
  return digits[(37 - product) % 36]!;
}
