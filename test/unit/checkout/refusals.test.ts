import { describe, expect, test } from 'vitest';
import {
  checkoutNotFound,
  requireExpectedTotal,
  requireFitting,
} from '../../../shared/domain/checkout/refusals.ts';
import { previewOf, quoteOrder } from '../../../shared/domain/pricing/quote-order.rules.ts';
import type { Caller } from '../../../shared/platform/auth.ts';
import { ServiceError } from '../../../shared/platform/errors.ts';
import { maxWrites, type Write } from '../../../shared/platform/table/index.ts';
import { card, item, noon } from '../pricing/cards.ts';

const orderOf = (currency: string, full_rate: number) =>
  quoteOrder({ items: [{ rateCard: card({ listing: { currency, full_rate } }), item: item() }], now: noon });

const refusalOf = (run: () => unknown): unknown => {
  try {
    run();
  } catch (error) {
    if (error instanceof ServiceError) return { code: error.code, changes: error.details['changes'] };
    throw error;
  }
  return undefined;
};

describe('the total that a caller expects (D43)', () => {
  test.each([
    ['VND', 1_000_000, 1],
    ['JPY', 9_000, 1],
    ['USD', 10.1, 0.01],
    ['KWD', 3.333, 0.001],
  ])('in %s is refused when it is one minor unit off, and taken when it is exact', (currency, rate, unit) => {
    const order = orderOf(currency, rate);
    const preview = previewOf(order, [{ available: true }]);
    const now = preview.estimated_total;
    for (const was of [now - unit, now + unit, 0])
      expect(refusalOf(() => requireExpectedTotal(was, () => preview))).toEqual({
        code: 'PRICE_CHANGED',
        changes: [{ field: 'estimated_total', was, now }],
      });
    expect(refusalOf(() => requireExpectedTotal(now, () => preview))).toBeUndefined();
    expect(refusalOf(() => requireExpectedTotal(undefined, () => preview))).toBeUndefined();
  });

  test('is named alone where the quote is as it was', () => {
    const order = orderOf('VND', 1_000_000);
    expect(
      refusalOf(() =>
        requireExpectedTotal(
          1,
          () => previewOf(order, [{ available: true }]),
          () => order,
        ),
      ),
    ).toMatchObject({ changes: [{ field: 'estimated_total', was: 1, now: 2_000_000 }] });
  });

  test('gives way to the fields that have changed since the quote', () => {
    const preview = previewOf(orderOf('VND', 1_000_001), [{ available: true }]);
    expect(
      refusalOf(() =>
        requireExpectedTotal(
          2_000_000,
          () => preview,
          () => orderOf('VND', 1_000_000),
        ),
      ),
    ).toMatchObject({
      changes: [
        { field: 'items[0].base_price', was: 2_000_000, now: 2_000_002 },
        { field: 'items[0].total', was: 2_000_000, now: 2_000_002 },
        { field: 'estimated_total', was: 2_000_000, now: 2_000_002 },
      ],
    });
  });
});

test('a confirm leaves one write of its transaction to the idempotency record', () => {
  const writes = (count: number) => Array<Write>(count).fill({} as Write);
  expect(requireFitting(writes(maxWrites - 1))).toHaveLength(maxWrites - 1);
  expect(refusalOf(() => requireFitting(writes(maxWrites)))).toMatchObject({ code: 'VALIDATION_ERROR' });
});

test.each([
  ['partner', 'There is no such quote, or it has no hold.'],
  ['user', 'There is no such checkout.'],
] as const)('what is not there is called as a %s knows it', (kind, message) => {
  expect(checkoutNotFound({ kind } as Caller).message).toBe(message);
});
