import type { Context } from '../../platform/context.ts';
import { ServiceError } from '../../platform/errors.ts';
import type { FieldIssue } from '../../platform/schema.ts';
import {
  absent,
  all,
  type Condition,
  conditionCheck,
  defineEntity,
  equals,
  not,
  put,
  type Write,
} from '../../platform/table/index.ts';
import { today } from '../../platform/time.ts';
import {
  hasOwnPrice,
  type Listing,
  ListingEntity,
  listingRead,
  listingUpdated,
  priceMissing,
  requireHosted,
} from '../listing/model.ts';
import {
  type ComboPrice,
  comboPriceIssues,
  type ExtraService,
  type PricingRule,
  pricingRuleIssues,
} from './price-part.schema.ts';
import type { ListingRates, RateCard } from './rate-card.rules.ts';

/** Leads from a combo's or rule's id to its listing, for the paths that name the id alone. */
export interface PricePartOwner {
  kind: 'combos' | 'services' | 'rules';
  part_id: number;
  listing_id: number;
}

export const PricePartOwnerEntity = defineEntity<PricePartOwner, Pick<PricePartOwner, 'kind' | 'part_id'>>({
  name: 'PricePartOwner',
  meaning: 'The listing of a combo price or pricing rule.',
  patterns: ['the listing of a combo or rule by its id'],
  key: ({ kind, part_id }) => ({ pk: `PRICE_PART#${kind}#${part_id}`, sk: 'OWNER' }),
  example: { kind: 'combos', part_id: 1 },
});

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

/** A listing with its price parts; a listing that never had one has version 0. */
export interface Priced {
  listing: Listing;
  parts: PriceParts;
}

/** Listing and price parts in one round trip; whether the caller may know them is the verb's to judge. */
export const readPriced = async ({ table }: Reader, listingId: number) => {
  const [listing, parts] = await table.getAll([listingRead(listingId), pricePartsRead(listingId)]);
  const none: PriceParts = { listing_id: listingId, version: 0, combos: [], services: [], rules: [] };
  return {
    listing: listing as Listing | undefined,
    parts: (parts as PriceParts | undefined) ?? none,
  };
};

/** Listing and price parts, when the caller may change them. */
export const hostedPriced = async (ctx: Reader, listingId: number): Promise<Priced> => {
  const { listing, parts } = await readPriced(ctx, listingId);
  return { listing: requireHosted(ctx.caller, listing, 'manage'), parts };
};

/** Where a part is: by its id alone, or below its listing. */
export interface PartRef {
  id: number;
  listing_id?: number;
}

export const partNotFound = (kind: PartKind): ServiceError =>
  new ServiceError('NOT_FOUND', `There is no such ${partKinds[kind].name}.`);

/** The listing of a part with its price parts; a part of a strange team, named by its id alone, does not exist. */
export const hostedPricedOf = async (ctx: Reader, kind: PartKind, ref: PartRef): Promise<Priced> => {
  if (ref.listing_id !== undefined) return hostedPriced(ctx, ref.listing_id);
  const owner = await ctx.table.get(PricePartOwnerEntity, { kind, part_id: ref.id });
  if (!owner) throw partNotFound(kind);
  try {
    return await hostedPriced(ctx, owner.listing_id);
  } catch (error) {
    if (error instanceof ServiceError && error.code === 'LISTING_NOT_FOUND') throw partNotFound(kind);
    throw error;
  }
};

/**
 * The writes that replace a listing's price parts: nobody has changed them since, and the listing still stands with the
 * currency that the amounts are meant in. The last price of an ACTIVE listing is not taken from it.
 */
export const putPriceParts = (
  ctx: Context,
  { listing, parts }: Priced,
  next: PriceParts,
  changed: PartKind,
): Write[] => [
  put(
    PricePartsEntity,
    { ...next, version: parts.version + 1 },
    { when: parts.version === 0 ? absent() : equals('version', parts.version) },
  ),
  conditionCheck(
    ListingEntity,
    { id: listing.id },
    {
      when: all(
        equals('currency', listing.currency),
        not(equals('state', 'ARCHIVED')),
        ...stillPriced(ctx, { listing, parts }, next),
      ),
    },
  ),
  listingUpdated(ctx, listing, [partKinds[changed].plural]),
];

/** Where the parts lose their last price, the listing has to stay as it was read: not ACTIVE, or with a price of its own. */
const stillPriced = (ctx: Context, { listing, parts }: Priced, next: PriceParts): Condition[] => {
  if (!hasPartPrice(ctx, listing, parts) || hasPartPrice(ctx, listing, next)) return [];
  if (listing.state === 'ACTIVE' && !hasOwnPrice(listing)) throw priceMissing();
  return [equals('version', listing.version)];
};
