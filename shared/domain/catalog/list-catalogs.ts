import type { CatalogItem, CatalogQuery } from './catalog.schema.ts';
import { catalogItems } from './catalog.ts';

/** The catalogs, or one of them. */
export const listCatalogs = ({ catalog_type, active_only }: CatalogQuery): { items: CatalogItem[] } => ({
  items: catalogItems
    .filter((item) => catalog_type === undefined || item.catalog_type === catalog_type)
    .filter((item) => !active_only || item.is_active),
});
