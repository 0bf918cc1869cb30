import * as z from 'zod';
import { CurrencyCode, Money } from '../../platform/schema.ts';
import { CheckoutItem, PricingType, QuoteLine } from './quote.schema.ts';

/** A stay whose price a host or guest wants to see. */
export const PricePreviewRequest = CheckoutItem.pick({
  listing_id: true,
  check_in_date: true,
  check_out_date: true,
  check_in_time: true,
  check_out_time: true,
  guest_number: true,
  adult_number: true,
  children_number: true,
});
export type PricePreviewRequest = z.infer<typeof PricePreviewRequest>;

/** The price in short, and line by line. */
export const PricePreview = z.object({
  base_price: Money.meta({ description: 'Price before discount.' }),
  total_price: Money,
  currency: CurrencyCode,
  pricing_type: PricingType,
  breakdown: z.object({
    nights: z.int().min(0),
    nightly_rate: Money.meta({ description: 'base_price by night on average; of day use all of it.' }),
    extra_guests: z.int().min(0),
    extra_guest_fee: Money,
    cleaning_fee: Money,
    extra_services_total: Money,
    total_discount: Money,
  }),
  lines: z.array(QuoteLine).meta({ description: 'Their amounts add up to `total_price` exactly.' }),
});
export type PricePreview = z.infer<typeof PricePreview>;
