import * as z from 'zod';
import { Id, Money, QueryBoolean, queryNumber } from '../../platform/schema/schema.ts';

export const catalogTypes = ['property_type', 'listing_type', 'view_type'] as const;
const CatalogType = z.enum(catalogTypes).meta({ id: 'CatalogType', description: 'Which catalog.' });
type CatalogType = z.infer<typeof CatalogType>;

const displayFields = {
  name_vi: z.string(),
  name_en: z.string(),
  icon: z.string().meta({ description: 'Name of an icon of the Material Symbols set.', examples: ['villa'] }),
  display_order: z.int(),
};

/** An entry of a catalog. */
export const CatalogItem = z
  .object({
    id: Id,
    catalog_type: CatalogType,
    code: z.string(),
    ...displayFields,
    is_active: z.boolean(),
  })
  .meta({ id: 'CatalogItem' });
export type CatalogItem = z.infer<typeof CatalogItem>;

export const CatalogQuery = z.strictObject({
  catalog_type: CatalogType.optional(),
  active_only: QueryBoolean.optional().meta({ description: 'Leaves out what is no longer offered.' }),
});
export type CatalogQuery = z.infer<typeof CatalogQuery>;

export const CatalogItems = z.object({ items: z.array(CatalogItem) }).meta({ id: 'CatalogItems' });

const groupFields = {
  id: Id,
  name: z.string().meta({ description: 'Vietnamese name, the same as `name_vi`.' }),
  code: z.string().meta({ examples: ['bathroom'] }),
};

const amenityFields = {
  amenity_id: Id,
  amenity_name: z.string().meta({ description: 'Vietnamese name.' }),
  amenity_code: z.string().meta({ examples: ['hair_dryer'] }),
};

export const Amenity = z.object({ id: Id, ...amenityFields, ...displayFields }).meta({ id: 'Amenity' });
export type Amenity = z.infer<typeof Amenity>;

export const AmenityCategory = z
  .object({ ...groupFields, ...displayFields, amenities: z.array(Amenity) })
  .meta({ id: 'AmenityCategory' });
export type AmenityCategory = z.infer<typeof AmenityCategory>;

export const AmenityCategories = z
  .object({ categories: z.array(AmenityCategory) })
  .meta({ id: 'AmenityCategories' });

export const AmenityQuery = z.strictObject({
  category_id: queryNumber(Id).optional().meta({ description: 'One group only.' }),
});
export type AmenityQuery = z.infer<typeof AmenityQuery>;

/** An amenity in a create or update request. */
export const AmenityChoice = z
  .strictObject({
    amenity_id: Id,
    is_private: z.boolean().default(false).meta({ description: 'Only this room uses it.' }),
    is_chargeable: z.boolean().default(false).meta({ description: 'Costs extra.' }),
    price: Money.nullish().meta({ description: 'Used when is_chargeable is true.' }),
  })
  .meta({ id: 'AmenityChoice' });
export type AmenityChoice = z.infer<typeof AmenityChoice>;

const ListingAmenity = z
  .object({
    id: Id,
    ...amenityFields,
    is_private: z.boolean(),
    is_chargeable: z.boolean(),
    price: Money,
  })
  .meta({ id: 'ListingAmenity' });
type ListingAmenity = z.infer<typeof ListingAmenity>;

export const ListingAmenities = z
  .object({
    categories: z.array(
      z.object({ ...groupFields, amenities: z.array(ListingAmenity) }).meta({ id: 'ListingAmenityCategory' }),
    ),
  })
  .meta({ id: 'ListingAmenities' });
export type ListingAmenities = z.infer<typeof ListingAmenities>;
