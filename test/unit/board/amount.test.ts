import { describe, expect, it } from 'vitest';
import { readAmount } from '../../../board/src/booking/amount.ts';

describe('an amount as people write it', () => {
  it.each([
    ['500000', 'VND', 500_000],
    ['500.000', 'VND', 500_000],
    ['500,000', 'VND', 500_000],
    ['1.250.000 ₫', 'VND', 1_250_000],
    ['1 250 000', 'VND', 1_250_000],
    ['12,5', 'USD', 12.5],
    ['12.50', 'USD', 12.5],
    ['$1,250.75', 'USD', 1250.75],
    ['1.250,75', 'EUR', 1250.75],
    ['1,250', 'USD', 1250],
    ['0', 'VND', 0],
  ])('%s %s is %d', (written, currency, amount) => {
    expect(readAmount(written, currency)).toBe(amount);
  });

  it.each([
    ['12,5', 'VND'],
    ['12.50', 'JPY'],
    ['1.2.3', 'VND'],
    ['5e5', 'VND'],
    ['-5', 'VND'],
    ['12.345,6', 'VND'],
    ['500k', 'VND'],
    ['', 'VND'],
  ])('%s %s cannot be read', (written, currency) => {
    expect(readAmount(written, currency)).toBeUndefined();
  });
});
