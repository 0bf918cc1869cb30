import { listingExample } from '../../shared/domain/listing/listing-example.schema.ts';
import { type Listing, ListingEntity } from '../../shared/domain/listing/listing.entity.ts';
import { type PriceParts, PricePartsEntity } from '../../shared/domain/pricing/price-parts.entity.ts';
import type { Dependencies } from '../../shared/platform/context.ts';
import { put } from '../../shared/platform/table/index.ts';
import { freshId } from './builders.ts';

const { view_count: _, ...example } = listingExample;

/** Creates a listing: by default the worked example's villa without rules. */
export const testListing = async (
  { table }: Pick<Dependencies, 'table'>,
  given: Partial<Listing> & { team_id: number; parts?: Partial<Omit<PriceParts, 'listing_id'>> },
): Promise<Listing> => {
  const { parts, ...fields } = given;
  const id = freshId();
  const listing = {
    ...example,
    id,
    slug: `villa-${id}`,
    prices_by_week: {},
    commission_rate: 0.15,
    search_name: 'biet thu da lat',
    amenities: [],
    child_listing_ids: [],
    version: 1,
    ...fields,
  } as Listing;
  await table.transact([
    put(ListingEntity, listing),
    ...(parts
      ? [put(PricePartsEntity, { listing_id: id, version: 1, combos: [], services: [], rules: [], ...parts })]
      : []),
  ]);
  return listing;
};
