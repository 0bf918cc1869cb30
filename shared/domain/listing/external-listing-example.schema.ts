import { stayRulesExample } from '../pricing/stay-rules-example.schema.ts';
import type { ExternalListing } from './external-listing.schema.ts';
import { listingExample } from './listing-example.schema.ts';

export const externalListingExample: ExternalListing = {
  ...listingExample,
  amenity_categories: [],
  policies: {
    ...{
      id: 4711,
      listing_id: 4711,
      outside_food_allowed: true,
      party_allowed: false,
      smoking_allowed: false,
    },
    ...{ photography_allowed: true, pet_allowed: false, id_card_required: true },
    ...{ quiet_time_start: '22:00:00', quiet_time_end: '06:00:00', other_rules: 'Shoes off, please.' },
    refund_rule: listingExample.refund_rule,
    created_at: '2027-01-10T08:30:00.000Z',
  },
  parking_rules: {},
  extra_services: [
    {
      ...{ id: 71, listing_id: 4711, service_name: 'Breakfast', description: null, price: 50_000 },
      ...{ price_unit: 'per_person', is_required: false, is_active: true },
      created_at: '2027-01-10T08:30:00.000Z',
    },
  ],
  combo_prices: [],
  pricing_rules: [],
  stay_rules: stayRulesExample,
  cancellation_terms: [{ until_hours_before: 72, refund_percent: 100, keep_nights: 0 }],
};
