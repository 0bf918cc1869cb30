import { foldText } from '../../platform/fold-text.ts';
import { countryName } from './countries.ts';
import type { Listing } from './listing.entity.ts';
import { provinceName } from './provinces.ts';

/** What is stored of a listing but follows from its other fields. */
export const derivedFields = ({
  name,
  country_code,
  province_code,
}: Pick<Listing, 'name' | 'country_code' | 'province_code'>) => ({
  search_name: foldText(name),
  country_name: countryName(country_code) ?? country_code,
  province_name: provinceName(province_code, country_code),
});
