import type { FieldIssue } from '../../platform/schema.ts';
import { comboPriceIssues, type ComboPrice } from './combo-price.schema.ts';
import type { ExtraService } from './extra-service.schema.ts';
import type { PriceParts } from './price-parts.entity.ts';
import { pricingRuleIssues, type PricingRule } from './pricing-rule.schema.ts';

/** The lists of a listing's price parts. */
export type PartKind = 'combos' | 'services' | 'rules';
export type PartOf<K extends PartKind> = PriceParts[K][number];
/** What a host writes of a part. */
export type PartFields<K extends PartKind> = Omit<PartOf<K>, 'id' | 'listing_id' | 'created_at'>;

interface KindOfPart<Part> {
  /** How it is called in messages and events. */
  name: string;
  plural: string;
  /** How many a listing takes. */
  most: number;
  money: readonly (keyof Part & string)[];
  issues: (part: Part) => FieldIssue[];
  /** What a new part has besides what the host writes. */
  born: (now: string) => Partial<Part>;
  /** Whether it is addressed by its id alone, so that an item has to lead to its listing. */
  isAddressedAlone: boolean;
}

type Kinds = { readonly [K in PartKind]: KindOfPart<PartOf<K>> };

const combos: KindOfPart<ComboPrice> = {
  name: 'combo price',
  plural: 'combo_prices',
  most: 50,
  money: ['original_price', 'discounted_price'],
  issues: comboPriceIssues,
  born: () => ({}),
  isAddressedAlone: true,
};

const services: KindOfPart<ExtraService> = {
  name: 'extra service',
  plural: 'extra_services',
  most: 50,
  money: ['price'],
  issues: () => [],
  born: (created_at) => ({ created_at }),
  isAddressedAlone: false,
};

const rules: KindOfPart<PricingRule> = {
  name: 'pricing rule',
  plural: 'pricing_rules',
  most: 200,
  money: ['price'],
  issues: pricingRuleIssues,
  born: () => ({}),
  isAddressedAlone: true,
};

/** What differs between combo prices, extra services and pricing rules; the verbs are the same. */
export const partKinds: Kinds = { combos, services, rules };
