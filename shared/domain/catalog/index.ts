export {
  type Amenity,
  type AmenityCategory,
  type AmenityChoice,
  type CatalogItem,
  type ListingAmenities,
} from './catalog.schema.ts';
export { amenityCategories, amenityNamed, catalogItems } from './catalog.ts';
export { amenityIssues, type ChosenAmenity, chooseAmenities, presentAmenities } from './choose-amenities.ts';
export { listAmenities } from './list-amenities.ts';
export { listCatalogs } from './list-catalogs.ts';
export { viewTypeIssues } from './view-types.ts';
