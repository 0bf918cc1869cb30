import type { Context } from '../../platform/context.ts';
import { ServiceError } from '../../platform/errors.ts';
import type { FieldIssue } from '../../platform/schema/schema.ts';
import {
  absent,
  all,
  type Condition,
  conditionCheck,
  create,
  equals,
  not,
  put,
  readOf,
  readTogether,
  remove,
  type Write,
} from '../../platform/table/index.ts';
import { today } from '../../platform/time/time.ts';
import {
  type FieldChange,
  fieldChanges,
  hasOwnPrice,
  type Listing,
  ListingEntity,
  listingRead,
  listingUpdated,
  partChanges,
  priceMissing,
  requireHosted,
} from '../listing/model.ts';
import {
  type ComboPrice,
  comboPriceIssues,
  type PricingRule,
  pricingRuleIssues,
} from './price-part.schema.ts';
import type { ExtraService } from './extra-service.schema.ts';
import { PricePartOwnerEntity, type PriceParts, PricePartsEntity } from './price-parts.entity.ts';
import type { ListingRates, RateCard } from './rate-card.rules.ts';
import { presentStayRules } from './stay-rules.rules.ts';

/** Returns the BatchGet request for the price parts of a listing. */
export const pricePartsRead = (listingId: number) => readOf(PricePartsEntity, { listing_id: listingId });

/**
 * Returns the requests for a listing and its price parts, which make its rate card: a price of an earlier listing with later parts
 * was never in force.
 */
export const pricingReads = (listingId: number) =>
  readTogether(listingRead(listingId), pricePartsRead(listingId));

/** Returns the rate card of a listing and its price parts, if any. */
export const rateCardOf = (listing: ListingRates, parts: PriceParts | undefined): RateCard => ({
  listing,
  combos: parts?.combos ?? [],
  services: parts?.services ?? [],
  rules: parts?.rules ?? [],
  ...(parts?.stay_rules ? { stayRules: parts.stay_rules } : {}),
});

/** The lists of a listing's price parts. */
export type PartKind = 'combos' | 'services' | 'rules';
export type PartOf<K extends PartKind> = PriceParts[K][number];
/** The fields of a part that a host writes. */
export type PartFields<K extends PartKind> = Omit<PartOf<K>, 'id' | 'listing_id' | 'created_at'>;

interface Born {
  id: number;
  listing_id: number;
  /** UTC. */
  created_at: string;
}

interface KindOfPart<Part> {
  /** Its name in messages and events. */
  name: string;
  plural: string;
  /** The most parts of this kind of a listing. */
  max: number;
  money: readonly (keyof Part & string)[];
  issues: (part: Part) => FieldIssue[];
  /** Returns a new part with the fields that the host writes. */
  make: (fields: Omit<Part, 'id' | 'listing_id' | 'created_at'>, born: Born) => Part;
  /** Returns a part as a host's own, which no bulk change has made. */
  asOwn: (part: Part) => Part;
}

type Kinds = { readonly [K in PartKind]: KindOfPart<PartOf<K>> };

const combos: KindOfPart<ComboPrice> = {
  name: 'combo price',
  plural: 'combo_prices',
  max: 50,
  money: ['original_price', 'discounted_price'],
  issues: comboPriceIssues,
  make: (fields, { id, listing_id }) => ({ id, listing_id, ...fields }),
  asOwn: (combo) => combo,
};

const services: KindOfPart<ExtraService> = {
  name: 'extra service',
  plural: 'extra_services',
  max: 50,
  money: ['price'],
  issues: () => [],
  make: (fields, { id, listing_id, created_at }) => ({ id, listing_id, ...fields, created_at }),
  asOwn: (service) => service,
};

const rules: KindOfPart<PartOf<'rules'>> = {
  name: 'pricing rule',
  plural: 'pricing_rules',
  max: 200,
  money: ['price'],
  issues: pricingRuleIssues,
  make: (fields, { id, listing_id }) => ({ id, listing_id, ...fields }),
  asOwn: ({ bulk_id: _, ...rule }) => rule,
};

/** The differences between combo prices, extra services and pricing rules; the verbs are shared. */
export const partKinds: Kinds = { combos, services, rules };

const isOver = ({ date_from, date_to }: PricingRule, day: string): boolean => {
  const last = date_to ?? date_from;
  return last !== null && last < day;
};

/** Whether a pricing rule or combo prices a stay that can still be booked. */
export const hasPartPrice = (
  { clock }: Pick<Context, 'clock'>,
  { timezone }: Pick<Listing, 'timezone'>,
  { rules, combos }: PriceParts,
): boolean => {
  const day = today(clock.now(), timezone);
  return (
    rules.some((rule) => rule.is_active && rule.price > 0 && !isOver(rule, day)) ||
    combos.some((combo) => combo.is_active && combo.discounted_price > 0)
  );
};

type Reader = Pick<Context, 'table' | 'caller'>;

/** A listing with its price parts; version 0 if it never had any. */
interface ListingPricing {
  listing: Listing;
  parts: PriceParts;
}

/** Returns the write of the price parts with which a listing begins: none. */
export const createPriceParts = ({ id, team_id }: Pick<Listing, 'id' | 'team_id'>): Write =>
  create(PricePartsEntity, { listing_id: id, team_id, version: 1, combos: [], services: [], rules: [] });

/** Reads a listing and its price parts in one round trip, without an access check. */
export const readPricing = async ({ table }: Reader, listingId: number) => {
  const [listing, parts] = await table.getAll(pricingReads(listingId));
  const none: PriceParts = { listing_id: listingId, version: 0, combos: [], services: [], rules: [] };
  return { listing, parts: parts ?? none };
};

/** Reads a listing and its price parts and requires that the caller may change them. */
export const readHostedPricing = async (ctx: Reader, listingId: number): Promise<ListingPricing> => {
  const { listing, parts } = await readPricing(ctx, listingId);
  return { listing: requireHosted(ctx.caller, listing, 'manage'), parts };
};

/** Identifies a part: by its id alone, or below its listing. */
export interface PartRef {
  id: number;
  listing_id?: number;
}

export const partNotFound = (kind: PartKind): ServiceError =>
  new ServiceError('NOT_FOUND', `There is no such ${partKinds[kind].name}.`);

/** Reads the listing of a part with its price parts. A part of another team that is named by its id alone is not found. */
export const readHostedPricingOf = async (
  ctx: Reader,
  kind: PartKind,
  ref: PartRef,
): Promise<ListingPricing> => {
  if (ref.listing_id !== undefined) return readHostedPricing(ctx, ref.listing_id);
  const owner = await ctx.table.get(PricePartOwnerEntity, { kind, part_id: ref.id });
  if (!owner) throw partNotFound(kind);
  try {
    return await readHostedPricing(ctx, owner.listing_id);
  } catch (error) {
    if (error instanceof ServiceError && error.code === 'LISTING_NOT_FOUND') throw partNotFound(kind);
    throw error;
  }
};

/**
 * Returns the writes that replace a listing's price parts, on condition that they are unchanged, the listing is not
 * archived and has the same currency, with the lookup items of the parts. They never remove the last price of an ACTIVE
 * listing.
 */
export const putPriceParts = (
  ctx: Context,
  { listing, parts }: ListingPricing,
  next: PriceParts,
  changed: string,
): Write[] => [
  put(
    PricePartsEntity,
    { ...next, team_id: listing.team_id, version: parts.version + 1 },
    { when: parts.version === 0 ? absent() : equals('version', parts.version) },
  ),
  conditionCheck(
    ListingEntity,
    { id: listing.id },
    {
      when: all(
        equals('currency', listing.currency),
        not(equals('state', 'ARCHIVED')),
        ...priceConditions(ctx, { listing, parts }, next),
      ),
    },
  ),
  ...listingUpdated(ctx, listing, [changed], pricePartChanges(parts, next)),
  ...ownerWrites('combos', parts, next),
  ...ownerWrites('rules', parts, next),
];

/** Returns the writes of the lookup items of parts that are added or removed. */
const ownerWrites = (kind: 'combos' | 'rules', before: PriceParts, after: PriceParts): Write[] => {
  const idsBeside = (one: PriceParts, other: PriceParts): number[] => {
    const known = new Set(other[kind].map(({ id }) => id));
    return one[kind].flatMap(({ id }) => (known.has(id) ? [] : [id]));
  };
  const { listing_id: listingId } = after;
  return [
    ...idsBeside(after, before).map((id) =>
      create(PricePartOwnerEntity, { kind, part_id: id, listing_id: listingId }),
    ),
    ...idsBeside(before, after).map((id) => remove(PricePartOwnerEntity, { kind, part_id: id })),
  ];
};

const stayRuleFields = ['default', 'min_notice_hours', 'booking_window_days', 'date_rules'] as const;

/** Returns what a change of stay rules changes, field by field. */
export const stayRuleChanges = (parts: PriceParts, next: PriceParts): FieldChange[] =>
  fieldChanges(
    presentStayRules(parts.listing_id, parts.stay_rules),
    presentStayRules(next.listing_id, next.stay_rules),
    stayRuleFields,
  );

const pricePartChanges = (parts: PriceParts, next: PriceParts): FieldChange[] => [
  ...partChanges(partKinds.combos.plural, parts.combos, next.combos),
  ...partChanges(partKinds.services.plural, parts.services, next.services),
  ...partChanges(partKinds.rules.plural, parts.rules, next.rules),
  ...stayRuleChanges(parts, next).map((change) => ({ ...change, field: `stay_rules.${change.field}` })),
];

/** If the parts lose their last price, the listing must stay unchanged: not ACTIVE, or with a price of its own. */
const priceConditions = (ctx: Context, { listing, parts }: ListingPricing, next: PriceParts): Condition[] => {
  if (!hasPartPrice(ctx, listing, parts) || hasPartPrice(ctx, listing, next)) return [];
  if (listing.state === 'ACTIVE' && !hasOwnPrice(listing)) throw priceMissing();
  return [equals('version', listing.version)];
};
