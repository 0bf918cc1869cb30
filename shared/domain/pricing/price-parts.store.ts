import type { Context } from '../../platform/context.ts';
import { ServiceError } from '../../platform/errors.ts';
import {
  absent,
  all,
  type Condition,
  equals,
  not,
  put,
  conditionCheck,
  type Write,
} from '../../platform/table/index.ts';
import {
  hasOwnPrice,
  type Listing,
  ListingEntity,
  listingRead,
  listingUpdated,
  priceMissing,
  requireHosted,
} from '../listing/index.ts';
import { type PartKind, partKinds } from './price-part-kinds.ts';
import { PricePartOwnerEntity } from './price-part-owner.entity.ts';
import { hasPartPrice } from './part-price.ts';
import { type PriceParts, PricePartsEntity, pricePartsRead } from './price-parts.entity.ts';

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
  conditionCheck(ListingEntity, { id: listing.id }, {
    when: all(
      equals('currency', listing.currency),
      not(equals('state', 'ARCHIVED')),
      ...stillPriced(ctx, { listing, parts }, next),
    ),
  }),
  listingUpdated(ctx, listing, [partKinds[changed].plural]),
];

/** Where the parts lose their last price, the listing has to stay as it was read: not ACTIVE, or with a price of its own. */
const stillPriced = (ctx: Context, { listing, parts }: Priced, next: PriceParts): Condition[] => {
  if (!hasPartPrice(ctx, listing, parts) || hasPartPrice(ctx, listing, next)) return [];
  if (listing.state === 'ACTIVE' && !hasOwnPrice(listing)) throw priceMissing();
  return [equals('version', listing.version)];
};
