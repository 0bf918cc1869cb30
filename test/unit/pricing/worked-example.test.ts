import { expect, test } from 'vitest';
import { quoteOrder } from '../../../shared/domain/pricing/quote-order.rules.ts';
import { card, item, noon, rule, service } from './cards.ts';

const rateCard = card({
  listing: {
    full_rate: 1_000_000,
    prices_by_week: { '5': 1_500_000, '6': 1_500_000 },
    guest_included_in_rate: 2,
    extra_adult_rate: 100_000,
    extra_child_rate: 50_000,
    cleaning_fee: 200_000,
    security_deposit: 500_000,
    commission_rate: 0.15,
    maximum_guest: 6,
    last_minute_hour: 24,
    last_minute_discount: 10,
  },
  rules: [
    rule({
      id: 31,
      date_type: 'DATE_RANGE',
      date_from: '2027-02-05',
      date_to: '2027-02-10',
      stay_type: 'OVERNIGHT',
      price: 2_000_000,
      priority: 10,
    }),
  ],
  services: [service({ id: 41, is_required: true, price: 50_000, price_unit: 'per_person' })],
});

const asked = item({
  check_in_date: '2027-02-04',
  check_out_date: '2027-02-07',
  guest_number: 4,
  adult_number: 3,
  children_number: 1,
});

test('the worked example of the decisions, to the đồng', () => {
  const order = quoteOrder({ items: [{ rateCard, item: asked }], currency: 'VND', now: noon });
  expect(order).toMatchObject({
    total_nights: 3,
    total_earning: 4_802_500, // 5,650,000 × 0.85
    total_discount: 0,
    total_extra_guest_fee: 250_000,
    total_cleaning_fee: 200_000,
    total_extra_services: 200_000,
    total_deposit: 500_000,
    currency: 'VND',
    estimated_total: 5_650_000, // 5,000,000 + 250,000 + 200,000 + 200,000
  });
  expect(order.items[0]).toMatchObject({
    listing_name: 'Lantern House',
    start_at: '2027-02-04T14:00:00',
    end_at: '2027-02-07T12:00:00',
    nights: 3,
    rooms: 1,
    pricing_type: 'nightly',
    base_price: 5_000_000, // 1,000,000 + 2,000,000 + 2,000,000
    combo_price: null,
    hourly_price: null,
    daily_price: null,
    extra_adult_fee: 200_000, // 2 × 100,000
    extra_child_fee: 50_000, // 1 × 50,000
    extra_guest_fee: 250_000,
    extra_services: [{ id: 41, name: 'Breakfast', price: 50_000, price_unit: 'per_person', quantity: 4 }],
    extra_services_total: 200_000, // 4 × 50,000
    earning: 4_802_500,
    deposit: 500_000,
    total: 5_650_000,
  });
  expect(
    order.items[0]?.lines.map(({ source, quantity, unit_price, amount }) => [
      source,
      quantity,
      unit_price,
      amount,
    ]),
  ).toEqual([
    ['full_rate', 1, 1_000_000, 1_000_000],
    ['rule:31', 1, 2_000_000, 2_000_000],
    ['rule:31', 1, 2_000_000, 2_000_000],
    ['extra_adult_rate', 2, 100_000, 200_000],
    ['extra_child_rate', 1, 50_000, 50_000],
    ['cleaning_fee', 1, 200_000, 200_000],
    ['service:41', 4, 50_000, 200_000],
  ]);
});

test('without the rule Friday and Saturday cost their weekday price: 1,000,000 + 2 × 1,500,000', () => {
  const order = quoteOrder({ items: [{ rateCard: { ...rateCard, rules: [] }, item: asked }], now: noon });
  expect(order.items[0]?.base_price).toBe(4_000_000);
});
