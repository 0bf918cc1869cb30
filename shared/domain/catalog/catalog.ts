import { amenityRows, catalogRows } from './catalog.data.ts';
import { type Amenity, type AmenityCategory, type CatalogItem, catalogTypes } from './catalog.schema.ts';

interface Row {
  id: number;
  code: string;
  name_vi: string;
  name_en: string;
  icon: string;
  display_order: number;
}

const rowOf = (line: string, position: number): Row => {
  const [id, code = '', name_vi = '', name_en = '', icon = ''] = line.trim().split('|');
  return { id: Number(id), code, name_vi, name_en, icon, display_order: position + 1 };
};

const rowsOf = (lines: string): Row[] => lines.trim().split('\n').map(rowOf);

export const catalogItems: readonly CatalogItem[] = catalogTypes.flatMap((catalog_type) =>
  rowsOf(catalogRows[catalog_type]).map((row) => ({ ...row, catalog_type, is_active: true })),
);

const amenityOf = ({ id, code, ...shown }: Row): Amenity => ({
  id,
  amenity_id: id,
  amenity_name: shown.name_vi,
  amenity_code: code,
  ...shown,
});

export const amenityCategories: readonly AmenityCategory[] = amenityRows.map(
  ({ group, amenities }, position) => {
    const row = rowOf(group, position);
    return { ...row, name: row.name_vi, amenities: rowsOf(amenities).map(amenityOf) };
  },
);

const amenityById = new Map(
  amenityCategories.flatMap(({ amenities }) => amenities.map((amenity) => [amenity.id, amenity] as const)),
);

export const amenityNamed = (amenityId: number): Amenity | undefined => amenityById.get(amenityId);
