import type { ComboPrice, PricingRule } from '../../../shared/domain/pricing/price-part.schema.ts';
import type { ExtraService } from '../../../shared/domain/pricing/extra-service.schema.ts';
import { quoteItem } from '../../../shared/domain/pricing/quote-item.rules.ts';
import type { CheckoutItem, ItemQuote } from '../../../shared/domain/pricing/quote.schema.ts';
import type { ListingRates, RateCard } from '../../../shared/domain/pricing/rate-card.rules.ts';
import { type Issue, ServiceError } from '../../../shared/platform/errors.ts';

/** Noon of 2027-01-01 in Ho Chi Minh City. */
export const noon = Date.parse('2027-01-01T05:00:00Z');

export const listing = (changes: Partial<ListingRates> = {}): ListingRates => ({
  id: 1,
  name: 'Lantern House',
  currency: 'VND',
  timezone: 'Asia/Ho_Chi_Minh',
  capacity: 6,
  full_rate: 1_000_000,
  guest_included_in_rate: 2,
  ...changes,
});

let lastId = 100;

export const rule = (changes: Partial<PricingRule> = {}): PricingRule => ({
  id: ++lastId,
  listing_id: 1,
  date_type: 'ALWAYS',
  day_of_week: null,
  date_from: null,
  date_to: null,
  charge_unit: 'PER_NIGHT',
  stay_type: 'ANY',
  price: 700_000,
  priority: 0,
  is_active: true,
  ...changes,
});

export const combo = (changes: Partial<ComboPrice> = {}): ComboPrice => ({
  id: 50,
  listing_id: 1,
  name: 'Weekend night',
  start_time: '20:00:00',
  end_time: '10:00:00',
  original_price: 900_000,
  discounted_price: 750_000,
  combo_type: 'overnight',
  priority: 0,
  is_active: true,
  ...changes,
});

export const service = (changes: Partial<ExtraService> = {}): ExtraService => ({
  id: 70,
  listing_id: 1,
  service_name: 'Breakfast',
  description: null,
  price: 50_000,
  price_unit: 'per_person',
  is_required: false,
  is_active: true,
  created_at: '2026-12-01T00:00:00.000Z',
  ...changes,
});

type Parts = Partial<Omit<RateCard, 'listing'>> & { listing?: Partial<ListingRates> };

export const card = ({ listing: changes = {}, ...parts }: Parts = {}): RateCard => ({
  listing: listing(changes),
  combos: [],
  services: [],
  rules: [],
  ...parts,
});

/** Monday to Wednesday, two nights, two guests, no times. */
export const item = (changes: Partial<CheckoutItem> = {}): CheckoutItem => ({
  listing_id: 1,
  check_in_date: '2027-03-01',
  check_out_date: '2027-03-03',
  guest_number: 2,
  ...changes,
});

export const quote = (parts: Parts = {}, changes: Partial<CheckoutItem> = {}, now = noon): ItemQuote =>
  quoteItem({ rateCard: card(parts), item: item(changes), now });

export const issuesOf = (run: () => unknown): Issue[] => {
  try {
    run();
  } catch (error) {
    if (error instanceof ServiceError) return error.details['issues'] as Issue[];
    throw error;
  }
  return [];
};

/** The paths that a request is refused at; none when it is priced. */
export const refusals = (parts: Parts = {}, changes: Partial<CheckoutItem> = {}, now = noon): string[] =>
  issuesOf(() => quote(parts, changes, now)).map(({ path }) => path);
