import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { Adjustment } from '../../../shared/domain/pricing/adjustment.schema.ts';
import { adjusted, withAdjustments } from '../../../shared/domain/pricing/adjustments.rules.ts';
import { quoteExample } from '../../../shared/domain/pricing/quote-example.schema.ts';
import type { ItemQuote } from '../../../shared/domain/pricing/quote.schema.ts';
import { money, sum, toNumber } from '../../../shared/platform/money.ts';

const quote: ItemQuote = { ...quoteExample, earning: 4_802_500, commission_rate: 0.15 };
const sumOf = ({ lines }: ItemQuote): number => toNumber(sum(lines.map(({ amount }) => money(amount))));
const by = (given: object): Adjustment => ({ label: 'Friend', reason: 'DISCOUNT', ...given });
const issuesOf = (given: object) => {
  const { error } = Adjustment.safeParse(given);
  return error?.issues.map(({ path, message }) => [path.join('.'), message]);
};

describe('adjustments of a price', () => {
  it('are lines after all others; percents are of the price before them', () => {
    const given = [by({ amount: -50_000 }), by({ percent: -10, label: 'Friend', reason: 'GOODWILL' })];
    const { lines, total, earning } = adjusted(quote, given);
    const share = Math.round(quote.total / 10);
    expect(lines.slice(quote.lines.length)).toEqual([
      {
        ...{ kind: 'adjustment', label: 'Friend', quantity: 1, source: 'DISCOUNT' },
        ...{ unit_price: -50_000, amount: -50_000 },
      },
      {
        ...{ kind: 'adjustment', label: 'Friend', quantity: 1, source: 'GOODWILL' },
        ...{ unit_price: -share, amount: -share },
      },
    ]);
    expect(total).toBe(quote.total - 50_000 - share);
    expect(earning).toBe(Math.round(total * 0.85));
  });

  it('take the place of those that the price had, and none leaves it as it was', () => {
    const once = adjusted(quote, [by({ percent: -50 })]);
    expect(adjusted(once, [by({ percent: -50 })])).toEqual(once);
    expect(adjusted(once, [])).toEqual(quote);
    expect(adjusted(quote, undefined)).toBe(quote);
    expect(
      adjusted({ ...quote, earning: null, commission_rate: null }, [by({ amount: -1 })]).earning,
    ).toBeNull();
  });

  it('round half up once, to the unit of the currency', () => {
    const priced = {
      ...quote,
      currency: 'USD',
      total: 10.05,
      lines: [{ ...quote.lines[0]!, amount: 10.05 }],
    };
    expect(adjusted(priced, [by({ percent: 50, reason: 'SURCHARGE' })]).total).toBe(15.08);
    expect(adjusted({ ...priced, currency: 'VND' }, [by({ percent: 50 })]).lines.at(-1)?.amount).toBe(5);
  });

  it('sum with the other lines, whatever they are', () => {
    const one = fc.oneof(
      fc.integer({ min: -400_000, max: 900_000 }).map((amount) => by({ amount, reason: 'RELOCATION' })),
      fc
        .integer({ min: -999, max: 3000 })
        .map((tenths) => by({ percent: tenths / 100, reason: 'RELOCATION' })),
    );
    fc.assert(
      fc.property(fc.array(one, { maxLength: 10 }), (given) => {
        const { quote: after, issues } = withAdjustments(quote, given);
        if (issues.length > 0) return;
        expect(sumOf(after)).toBe(after.total);
        expect(after.total).toBeGreaterThanOrEqual(0);
      }),
    );
  });

  it('are refused where the price falls below 0, or they do not fit', () => {
    const refused = (...given: Adjustment[]) => withAdjustments(quote, given).issues;
    expect(refused(by({ percent: -100 }))).toEqual([]);
    expect(refused(by({ percent: -100 }), by({ amount: -1 }))).toEqual([
      { path: 'adjustments', message: 'leave a price of -1, below 0' },
    ]);
    expect(refused(by({ amount: -0.5 }))).toEqual([
      { path: 'adjustments[0].amount', message: 'has more decimals than VND' },
    ]);
    expect(refused(by({ amount: 999_999_999_999_999 }))).toEqual([
      { path: 'adjustments', message: 'make a price that is too large to be represented exactly' },
    ]);
    expect(refused(...Array.from({ length: 11 }, () => by({ amount: -1 })))).toEqual([
      { path: 'adjustments', message: 'are 10 at most' },
    ]);
    expect(() => adjusted(quote, [by({ amount: -0.5 })])).toThrow(
      expect.objectContaining({ code: 'VALIDATION_ERROR' }) as Error,
    );
  });

  it.each([
    [{ amount: -1, percent: -1, reason: 'DISCOUNT' }, 'amount', 'send one of amount and percent'],
    [{ reason: 'DISCOUNT' }, 'percent', 'send one of amount and percent'],
    [{ amount: 0, reason: 'RELOCATION' }, 'amount', 'must not be 0'],
    [{ amount: 1, reason: 'DISCOUNT' }, 'amount', 'must be below 0 for DISCOUNT'],
    [{ percent: 1, reason: 'GOODWILL' }, 'percent', 'must be below 0 for GOODWILL'],
    [{ percent: -1, reason: 'SURCHARGE' }, 'percent', 'must be above 0 for SURCHARGE'],
  ])('of %j are refused', (given, path, message) => {
    expect(issuesOf({ label: 'Friend', ...given })).toEqual([[path, message]]);
  });

  it.each([
    { amount: -1, reason: 'DISCOUNT' },
    { percent: -100, reason: 'GOODWILL' },
    { amount: 1, reason: 'SURCHARGE' },
    { percent: 5, reason: 'RELOCATION' },
    { amount: -5, reason: 'RELOCATION' },
  ])('of %j are taken', (given) => {
    expect(issuesOf({ label: 'Friend', ...given })).toBeUndefined();
  });
});
