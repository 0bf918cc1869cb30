import type { Issue } from '../../platform/errors.ts';
import { amenityCategories, amenityNamed } from './catalog.ts';
import type { AmenityChoice, ListingAmenities } from './catalog.schema.ts';

/** An amenity of a listing as stored; names come from the catalog. */
export interface ChosenAmenity {
  id: number;
  amenity_id: number;
  is_private: boolean;
  is_chargeable: boolean;
  price: number;
}

/** Unknown amenities, and those named twice. */
export const amenityIssues = (choices: readonly AmenityChoice[]): Issue[] =>
  choices.flatMap(({ amenity_id }, position) => {
    const path = `amenities[${position}].amenity_id`;
    if (!amenityNamed(amenity_id)) return [{ path, message: 'must be an amenity of the catalog' }];
    const first = choices.findIndex((choice) => choice.amenity_id === amenity_id);
    return first < position ? [{ path, message: 'must not be named twice' }] : [];
  });

/** The choices with an id each; an amenity that was there before keeps its own. */
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

/** The amenities of a listing by group; groups without any are left out. */
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
