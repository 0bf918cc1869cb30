import type { AmenityCategory, AmenityQuery } from './catalog.schema.ts';
import { amenityCategories } from './catalog.ts';

/** The amenities by group, or one group; an unknown group has none. */
export const listAmenities = ({ category_id }: AmenityQuery): { categories: AmenityCategory[] } => ({
  categories: amenityCategories.filter(({ id }) => category_id === undefined || id === category_id),
});
