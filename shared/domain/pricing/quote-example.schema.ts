import { exampleIds } from '../../platform/http/example-records.ts';

/** Examples of the checkout routes, including the worked example of the price rules. */
export const itemExample = {
  listing_id: 4711,
  check_in_date: '2027-02-04',
  check_out_date: '2027-02-07',
  guest_number: 4,
  adult_number: 3,
  children_number: 1,
  extra_service_ids: [exampleIds.service],
};

const line = <Kind extends string>(
  kind: Kind,
  label: string,
  quantity: number,
  unitPrice: number,
  more: object = {},
) => ({
  kind,
  label,
  quantity,
  unit_price: unitPrice,
  amount: quantity * unitPrice,
  ...more,
});

export const quoteExample = {
  listing_id: 4711,
  listing_name: 'Biệt thự Đà Lạt',
  check_in_date: '2027-02-04',
  check_out_date: '2027-02-07',
  start_at: '2027-02-04T14:00:00',
  end_at: '2027-02-07T12:00:00',
  nights: 3,
  hours: null,
  guest_number: 4,
  adult_number: 3,
  children_number: 1,
  rooms: 1,
  pricing_type: 'nightly' as const,
  combo_id: null,
  base_price: 5_000_000,
  combo_price: null,
  hourly_price: null,
  daily_price: null,
  night_short_discount: 0,
  last_minute_discount: 0,
  monthly_discount: 0,
  total_discount: 0,
  extra_guest_fee: 250_000,
  extra_adult_fee: 200_000,
  extra_child_fee: 50_000,
  cleaning_fee: 200_000,
  early_check_in_fee: 0,
  late_check_out_fee: 0,
  extra_services_total: 200_000,
  extra_services: [
    {
      id: exampleIds.service,
      name: 'Breakfast',
      price: 50_000,
      price_unit: 'per_person' as const,
      quantity: 4,
    },
  ],
  earning: null,
  commission_rate: null,
  deposit: 500_000,
  currency: 'VND',
  total: 5_650_000,
  lines: [
    line('night', 'Night of 2027-02-04', 1, 1_000_000, { date: '2027-02-04', source: 'full_rate' }),
    line('night', 'Night of 2027-02-05', 1, 2_000_000, { date: '2027-02-05', source: 'weekday' }),
    line('night', 'Night of 2027-02-06', 1, 2_000_000, { date: '2027-02-06', source: 'weekday' }),
    line('extra_adults', 'Extra guests', 2, 100_000, { source: 'extra_adult_rate' }),
    line('extra_children', 'Children', 1, 50_000, { source: 'extra_child_rate' }),
    line('cleaning', 'Cleaning', 1, 200_000, { source: 'cleaning_fee' }),
    line('service', 'Breakfast', 4, 50_000, { source: `service:${exampleIds.service}` }),
  ],
};

export const previewExample = {
  items: [{ ...quoteExample, available: true, amount_due: quoteExample.total, balance_due_at: null }],
  total_nights: 3,
  total_earning: null,
  total_discount: 0,
  total_extra_guest_fee: 250_000,
  total_cleaning_fee: 200_000,
  total_extra_services: 200_000,
  total_deposit: 500_000,
  currency: 'VND',
  estimated_total: 5_650_000,
};

export const checkoutExample = {
  checkout_id: exampleIds.checkout,
  locked_until: '2027-01-20T08:15:00.000Z',
  items: [
    {
      listing_id: 4711,
      availability_id: 369_435_906_932_801,
      start_at: '2027-02-04T14:00:00',
      end_at: '2027-02-07T12:00:00',
      state: 'SOFT_LOCK' as const,
    },
  ],
  preview: previewExample,
};

const night = {
  ...quoteExample,
  check_out_date: '2027-02-05',
  end_at: '2027-02-05T12:00:00',
  nights: 1,
  guest_number: 2,
  adult_number: null,
  children_number: null,
  base_price: 1_000_000,
  extra_guest_fee: 0,
  extra_adult_fee: 0,
  extra_child_fee: 0,
  extra_services_total: 0,
  extra_services: [],
  total: 1_200_000,
  lines: [...quoteExample.lines.slice(0, 1), ...quoteExample.lines.filter(({ kind }) => kind === 'cleaning')],
};

/** The preview of one night for two. */
export const nightPreviewExample = {
  items: [{ ...night, available: true, amount_due: night.total, balance_due_at: null }],
  total_nights: 1,
  total_earning: null,
  total_discount: 0,
  total_extra_guest_fee: 0,
  total_cleaning_fee: 200_000,
  total_extra_services: 0,
  total_deposit: 500_000,
  currency: 'VND',
  estimated_total: 1_200_000,
};
