import { defineEntity } from '../../platform/table/index.ts';
import type { ComboPrice } from './combo-price.schema.ts';
import type { ExtraService } from './extra-service.schema.ts';
import type { PricingRule } from './pricing-rule.schema.ts';
import type { ListingRates, RateCard } from './rate-card.ts';

/** All price parts of one listing in one item, so that any number of listings is priced after one BatchGet. */
export interface PriceParts {
  listing_id: number;
  version: number;
  combos: ComboPrice[];
  services: ExtraService[];
  rules: PricingRule[];
}

export const PricePartsEntity = defineEntity<PriceParts, Pick<PriceParts, 'listing_id'>>({
  name: 'PriceParts',
  meaning: "A listing's combos, extra services and pricing rules.",
  patterns: ['the price parts of one or many listings (one BatchGet with the listings)'],
  key: ({ listing_id }) => ({ pk: `LISTING#${listing_id}`, sk: 'PRICE_PARTS' }),
  example: { listing_id: 1 },
});

/** What a BatchGet takes to read a listing's price parts. */
export const pricePartsRead = (listingId: number) => ({
  key: PricePartsEntity.key({ listing_id: listingId }),
});

/** The rate card of a listing and its price parts, which may not exist yet. */
export const rateCardOf = (listing: ListingRates, parts: PriceParts | undefined): RateCard => ({
  listing,
  combos: parts?.combos ?? [],
  services: parts?.services ?? [],
  rules: parts?.rules ?? [],
});
