import type { Context } from '../../platform/context.ts';
import { amenityCategories, catalogItems, presentAmenities } from './catalog.rules.ts';
import type {
  AmenityCategory,
  AmenityQuery,
  CatalogItem,
  CatalogQuery,
  ListingAmenities,
} from './catalog.schema.ts';
import { readableListing } from './listing-access.ts';

/** Returns the amenities by group, or those of one group; an unknown group is empty. */
export const listAmenities = ({ category_id }: AmenityQuery): { categories: AmenityCategory[] } => ({
  categories: amenityCategories.filter(({ id }) => category_id === undefined || id === category_id),
});

/** Returns the catalogs, or one of them. */
export const listCatalogs = ({ catalog_type, active_only }: CatalogQuery): { items: CatalogItem[] } => ({
  items: catalogItems
    .filter((item) => catalog_type === undefined || item.catalog_type === catalog_type)
    .filter((item) => !active_only || item.is_active),
});

/** Returns the amenities of a listing by group. */
export const listListingAmenities = async (ctx: Context, listingId: number): Promise<ListingAmenities> =>
  presentAmenities((await readableListing(ctx, listingId)).amenities);
