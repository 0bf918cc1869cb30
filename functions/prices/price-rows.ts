import * as z from 'zod';
import { listingExample } from '../../shared/domain/listing/listing-example.schema.ts';
import { WeeklyPrices, WeeklyPricesAnswer } from '../../shared/domain/listing/listing.schema.ts';
import {
  CreatePricingRule,
  PricingRule,
  UpdatePricingRule,
} from '../../shared/domain/pricing/price-part.schema.ts';
import { PricePreview, PricePreviewRequest } from '../../shared/domain/pricing/quote.schema.ts';
import {
  pricePreviewExample,
  pricingRuleBodyExample,
  pricingRuleExample,
  weekendExample,
} from '../../shared/domain/pricing/price-example.schema.ts';
import { exampleIds } from '../../shared/platform/http/example-records.ts';
import type { Routes } from '../../shared/platform/http/route.ts';
import { PathId, Removed } from '../../shared/platform/schema/schema.ts';

export const listingId = z.strictObject({ listing_id: PathId });

const tag = 'Prices';
const ruleId = z.strictObject({ rule_id: PathId });
/** Weekday prices, pricing rules, and what comes of them (D34, D35). */
export const priceRows = {
  updateWeeklyPrices: {
    method: 'PATCH',
    path: '/api/v1/listings/{listing_id}/pricing/weekly',
    access: 'host',
    permission: 'manage',
    tag,
    summary: 'Sets prices of weekdays',
    description: 'Keys 0 (Sunday) to 6 (Saturday); days that are left out stay, 0 means `full_rate`.',
    params: listingId,
    body: WeeklyPrices,
    status: 200,
    reply: WeeklyPricesAnswer,
    errors: ['LISTING_NOT_FOUND'],
    examples: {
      body: { base_price_by_weekday: weekendExample },
      reply: { ...listingExample, prices_by_week: weekendExample, base_price_by_weekday: weekendExample },
    },
  },
  listPricingRules: {
    method: 'GET',
    path: '/api/v1/listing-pricing-rules/listings/{listing_id}',
    access: 'customer',
    objective: 'search',
    tag,
    summary: 'The pricing rules of a listing',
    description: 'Inactive ones only for its hosts.',
    params: listingId,
    status: 200,
    reply: z.array(PricingRule),
    errors: ['LISTING_NOT_FOUND'],
    examples: { reply: [pricingRuleExample] },
  },
  createPricingRule: {
    method: 'POST',
    path: '/api/v1/listing-pricing-rules/listings/{listing_id}',
    access: 'host',
    permission: 'manage',
    tag,
    summary: 'Adds a pricing rule',
    description: 'At most 200 a listing.',
    params: listingId,
    body: CreatePricingRule,
    status: 201,
    reply: PricingRule,
    errors: ['LISTING_NOT_FOUND'],
    idempotent: true,
    examples: { body: pricingRuleBodyExample, reply: pricingRuleExample },
  },
  updatePricingRule: {
    method: 'PATCH',
    path: '/api/v1/listing-pricing-rules/{rule_id}',
    access: 'host',
    permission: 'manage',
    tag,
    summary: 'Changes a pricing rule',
    params: ruleId,
    body: UpdatePricingRule,
    status: 200,
    reply: PricingRule,
    errors: ['NOT_FOUND'],
    examples: {
      params: { rule_id: exampleIds.pricingRule },
      body: { price: 2_000_000 },
      reply: pricingRuleExample,
    },
  },
  deletePricingRule: {
    method: 'DELETE',
    path: '/api/v1/listing-pricing-rules/{rule_id}',
    access: 'host',
    permission: 'manage',
    tag,
    summary: 'Removes a pricing rule',
    params: ruleId,
    status: 200,
    reply: Removed,
    errors: ['NOT_FOUND'],
    examples: {
      params: { rule_id: exampleIds.pricingRuleToDelete },
      reply: { message: 'The pricing rule is removed.', id: exampleIds.pricingRuleToDelete },
    },
  },
  previewPrice: {
    method: 'POST',
    path: '/api/v1/listing-pricing-rules/preview',
    access: 'customer',
    objective: 'search',
    tag,
    summary: 'What a stay costs with the rules as they stand',
    description:
      'The price alone: whether the time is free, and the stay allowed by the stay rules, is for the checkout preview to say.',
    body: PricePreviewRequest,
    status: 200,
    reply: PricePreview,
    errors: ['LISTING_NOT_FOUND'],
    examples: pricePreviewExample,
  },
} as const satisfies Routes;
