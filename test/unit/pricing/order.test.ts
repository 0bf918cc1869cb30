import { describe, expect, test } from 'vitest';
import { compareQuotes, withoutHostFigures } from '../../../shared/domain/pricing/quote-changes.rules.ts';
import { previewOf, quoteOrder } from '../../../shared/domain/pricing/quote-order.rules.ts';
import { OrderQuote, Preview } from '../../../shared/domain/pricing/quote.schema.ts';
import { card, issuesOf, item, noon } from './cards.ts';

const house = card({ listing: { cleaning_fee: 200_000, security_deposit: 500_000, commission_rate: 0.15 } });
const room = card({ listing: { id: 2, full_rate: 333_333, extra_adult_rate: 50_000, commission_rate: 0.1 } });
const items = [
  { rateCard: house, item: item() },
  { rateCard: room, item: item({ listing_id: 2, guest_number: 3, check_out_date: '2027-03-02' }) },
];
const order = quoteOrder({ items, now: noon });

describe('an order (D41, D42)', () => {
  test('adds its items up; the deposit stands beside the total', () => {
    expect(order).toMatchObject({
      total_nights: 3,
      total_extra_guest_fee: 50_000,
      total_cleaning_fee: 200_000,
      total_deposit: 500_000,
      estimated_total: 2_583_333, // 2,000,000 + 200,000 + 333,333 + 50,000
      total_earning: 2_215_000, // 2,200,000 × 0.85 = 1,870,000; 383,333 × 0.9 = 344,999.7, so 345,000
    });
  });

  test('is what its schema says, also as a preview', () => {
    expect(OrderQuote.parse(order)).toEqual(order);
    const preview = previewOf(order, [{ available: true }, { available: false }]);
    expect(Preview.parse(preview)).toEqual(preview);
    expect(preview.items.map(({ available }) => available)).toEqual([true, false]);
  });

  test('is in one currency', () => {
    const usd = card({ listing: { id: 3, currency: 'USD', full_rate: 40 } });
    const mixed = [...items, { rateCard: usd, item: item({ listing_id: 3 }) }];
    expect(issuesOf(() => quoteOrder({ items: mixed, now: noon }))).toEqual([
      {
        path: 'items[2].listing_id',
        message: 'is priced in USD; one order has one currency, that of its first stay (VND)',
      },
    ]);
    expect(issuesOf(() => quoteOrder({ items: mixed, currency: 'USD', now: noon }))).toEqual([
      { path: 'currency', message: 'listing 1 is priced in VND' },
    ]);
  });

  test('reports the problems of every item at once', () => {
    const wrong = [
      { rateCard: house, item: item({ guest_number: 7 }) },
      { rateCard: house, item: item() },
      { rateCard: room, item: item({ check_out_date: '2027-02-01', combo_id: 5 }) },
    ];
    expect(issuesOf(() => quoteOrder({ items: wrong, now: noon })).map(({ path }) => path)).toEqual([
      'items[0].guest_number',
      'items[2].check_out_date',
    ]);
  });

  test('without items, or beyond what a number holds exactly, is refused', () => {
    expect(issuesOf(() => quoteOrder({ items: [], now: noon }))[0]?.path).toBe('items');
    const palace = card({ listing: { full_rate: 999_999_999_999_999 } });
    const one = { rateCard: palace, item: item() };
    expect(issuesOf(() => quoteOrder({ items: [one], now: noon }))[0]?.path).toBe('items[0].listing_id');
    const night = { rateCard: palace, item: item({ check_out_date: '2027-03-02' }) };
    expect(quoteOrder({ items: [night], now: noon }).estimated_total).toBe(999_999_999_999_999);
    expect(issuesOf(() => quoteOrder({ items: [night, night], now: noon }))[0]?.path).toBe('items');
  });
});

describe('what changed (D43)', () => {
  test('is nothing for the same quote', () => {
    expect(compareQuotes(order, quoteOrder({ items, now: noon }))).toEqual([]);
  });

  test('is named field by field, host figures left out', () => {
    const dearer = { ...room, listing: { ...room.listing, full_rate: 400_000 } };
    const now = quoteOrder({ items: [items[0]!, { ...items[1]!, rateCard: dearer }], now: noon });
    expect(compareQuotes(order, now)).toEqual([
      { field: 'items[1].base_price', was: 333_333, now: 400_000 },
      { field: 'items[1].total', was: 383_333, now: 450_000 },
      { field: 'estimated_total', was: 2_583_333, now: 2_650_000 },
    ]);
  });

  test('shows an item that is gone as null', () => {
    const one = quoteOrder({ items: items.slice(0, 1), now: noon });
    expect(compareQuotes(order, one)).toContainEqual({ field: 'items[1].total', was: 383_333, now: null });
  });
});

test('a caller without a host role sees neither earning nor commission (D73)', () => {
  const preview = withoutHostFigures(previewOf(order, [{ available: true }, { available: true }]));
  expect(preview.total_earning).toBeNull();
  expect(preview.items.map(({ earning, commission_rate }) => [earning, commission_rate])).toEqual([
    [null, null],
    [null, null],
  ]);
  expect(order.total_earning).toBe(2_215_000);
});
