import * as z from 'zod';
import { ExtraService } from '../pricing/extra-service.schema.ts';
import { ComboPrice, PricingRule } from '../pricing/price-part.schema.ts';
import { StayRules } from '../pricing/stay-rules.schema.ts';
import { CancellationTerms } from './cancellation-terms.schema.ts';
import { ListingAmenities } from './catalog.schema.ts';
import { ListingFields } from './listing.schema.ts';
import { ParkingRulesByVehicle } from './parking.schema.ts';
import { Policies } from './policies.schema.ts';

/** A listing with everything that a page about it shows (D92). */
export const ExternalListing = ListingFields.extend({
  amenity_categories: ListingAmenities.shape.categories,
  policies: Policies,
  parking_rules: ParkingRulesByVehicle,
  extra_services: z.array(ExtraService),
  combo_prices: z.array(ComboPrice),
  pricing_rules: z.array(PricingRule),
  stay_rules: StayRules,
  cancellation_terms: CancellationTerms.meta({
    description:
      'The terms of a booking that is made now, those of the listing or else read from `refund_rule`: what a cancellation by the guest refunds until so many hours before check-in. After the last step nothing is refunded.',
  }),
}).meta({ id: 'ExternalListing' });
export type ExternalListing = z.input<typeof ExternalListing>;
