import type { Issue } from '../../platform/errors.ts';
import { amenityRows, catalogRows } from './catalog.data.ts';
import {
  type Amenity,
  type AmenityCategory,
  type AmenityChoice,
  type CatalogItem,
  catalogTypes,
  type ListingAmenities,
} from './catalog.schema.ts';
import type { ChosenAmenity } from './listing.entity.ts';

interface Row {
  id: number;
  code: string;
  name_vi: string;
  name_en: string;
  icon: string;
  display_order: number;
}

const rowOf = (line: string, position: number): Row => {
  const [id, code = '', nameVi = '', nameEn = '', icon = ''] = line.trim().split('|');
  return { id: Number(id), code, name_vi: nameVi, name_en: nameEn, icon, display_order: position + 1 };
};

const rowsOf = (lines: string): Row[] => lines.trim().split('\n').map(rowOf);

// Dropped from bundles that do not use it.
export const catalogItems: readonly CatalogItem[] = /* @__PURE__ */ catalogTypes.flatMap((catalogType) =>
  rowsOf(catalogRows[catalogType]).map((row) => ({ ...row, catalog_type: catalogType, is_active: true })),
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

const amenityNamed = (amenityId: number): Amenity | undefined => amenityById.get(amenityId);

/** Returns an issue for each amenity that is unknown or listed twice. */
export const amenityIssues = (choices: readonly AmenityChoice[]): Issue[] =>
  choices.flatMap(({ amenity_id }, position) => {
    const path = `amenities[${position}].amenity_id`;
    if (!amenityNamed(amenity_id)) return [{ path, message: 'must be an amenity of the catalog' }];
    const first = choices.findIndex((choice) => choice.amenity_id === amenity_id);
    return first < position ? [{ path, message: 'must not be named twice' }] : [];
  });

/** Returns the chosen amenities with ids; an amenity that the listing already has keeps its id. */
export const chooseAmenities = (
  choices: readonly AmenityChoice[],
  before: readonly ChosenAmenity[],
  newId: () => number,
): ChosenAmenity[] =>
  choices.map(({ amenity_id, is_private, is_chargeable, price }) => ({
    id: before.find((chosen) => chosen.amenity_id === amenity_id)?.id ?? newId(),
    amenity_id,
    is_private,
    is_chargeable,
    price: is_chargeable ? (price ?? 0) : 0,
  }));

/** Returns the amenities of a listing by group, without empty groups. */
export const presentAmenities = (chosen: readonly ChosenAmenity[]): ListingAmenities => ({
  categories: amenityCategories
    .map(({ id, name, code, amenities }) => ({
      id,
      name,
      code,
      amenities: amenities.flatMap(({ amenity_id, amenity_name, amenity_code }) =>
        chosen
          .filter((amenity) => amenity.amenity_id === amenity_id)
          .map((amenity) => ({ ...amenity, amenity_name, amenity_code })),
      ),
    }))
    .filter(({ amenities }) => amenities.length > 0),
});

const viewCodes = (): string[] => rowsOf(catalogRows.view_type).map(({ code }) => code);

/** Returns an issue for each view type that is not in the catalog; codes that the listing already has are accepted. */
export const viewTypeIssues = (
  views: readonly string[] | null,
  before: readonly string[] | null = null,
): Issue[] =>
  (views ?? []).flatMap((view, position) =>
    viewCodes().includes(view) || before?.includes(view)
      ? []
      : [
          {
            path: `view_types[${position}]`,
            message: `must be a code of the catalog view_type: ${viewCodes().join(', ')}`,
          },
        ],
  );
