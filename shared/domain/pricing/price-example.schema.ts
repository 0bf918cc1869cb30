import { exampleIds } from '../../platform/http/example-records.ts';

export const weekendExample = { 5: 2_000_000, 6: 2_000_000 };

export const pricingRuleBodyExample = {
  date_type: 'DATE_RANGE',
  date_from: '2027-02-05',
  date_to: '2027-02-10',
  charge_unit: 'PER_NIGHT',
  stay_type: 'OVERNIGHT',
  price: 2_000_000,
  priority: 10,
} as const;
export const pricingRuleExample = {
  id: exampleIds.pricingRule,
  listing_id: 4711,
  ...pricingRuleBodyExample,
  day_of_week: null,
  weekdays: null,
  is_active: true,
};

export const comboBodyExample = {
  listing_id: 4711,
  name: 'Weekend night',
  start_time: '20:00:00',
  end_time: '10:00:00',
  original_price: 900_000,
  discounted_price: 750_000,
  combo_type: 'overnight',
} as const;
export const comboExample = { id: exampleIds.combo, ...comboBodyExample, priority: 0, is_active: true };

export const serviceBodyExample = {
  service_name: 'Breakfast',
  price: 50_000,
  price_unit: 'per_person',
} as const;
export const serviceExample = {
  id: exampleIds.service,
  listing_id: 4711,
  ...serviceBodyExample,
  description: null,
  is_required: false,
  is_active: true,
  created_at: '2027-01-10T08:30:00.000Z',
};

export const pricePreviewExample = {
  body: {
    listing_id: 4711,
    check_in_date: '2027-02-05',
    check_out_date: '2027-02-06',
    guest_number: 2,
  },
  reply: {
    base_price: 2_000_000,
    total_price: 2_200_000,
    currency: 'VND',
    pricing_type: 'nightly',
    breakdown: {
      nights: 1,
      nightly_rate: 2_000_000,
      extra_guests: 0,
      extra_guest_fee: 0,
      cleaning_fee: 200_000,
      early_check_in_fee: 0,
      late_check_out_fee: 0,
      extra_services_total: 0,
      total_discount: 0,
    },
    lines: [
      {
        kind: 'night',
        label: 'Night of 2027-02-05',
        quantity: 1,
        unit_price: 2_000_000,
        amount: 2_000_000,
        date: '2027-02-05',
        source: 'weekday',
      },
      {
        kind: 'cleaning',
        label: 'Cleaning fee',
        quantity: 1,
        unit_price: 200_000,
        amount: 200_000,
        source: 'cleaning_fee',
      },
    ],
  },
};
