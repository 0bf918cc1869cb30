import { instantText } from '../../platform/time/clock.ts';
import { invalid, type Issue } from '../../platform/errors.ts';
import { addDays, nightsBetween } from '../../platform/time/time.ts';
import { amenityCategories, propertyTypes } from '../listing/model.ts';
import { bookableDaysAhead, type CheckoutItem, maxStayNights } from '../pricing/model.ts';
import type { StaySearchQuery } from './search.schema.ts';

/** The guests; adults and children are null if the search names neither. */
export interface Party {
  guests: number;
  adults: number | null;
  children: number | null;
}

/** The checked criteria of a search. */
export interface SearchCriteria {
  party: Party;
  /** Null: any time. */
  dates: { check_in: string; check_out: string; nights: number } | null;
  amenityIds: number[];
  /** In upper case; empty: any. */
  propertyTypes: string[];
  /** Null: any. */
  currency: string | null;
  /** The teams whose listings are found; null: all. */
  teamIds: readonly number[] | null;
}

/** Returns the criteria of a query. Throws VALIDATION_ERROR with all issues across fields. */
export const criteriaOf = (
  query: StaySearchQuery,
  teamIds: readonly number[] | null,
  now: number,
): SearchCriteria => {
  const amenities = valuesOf(query.amenities).map(amenityIdOf);
  const types = valuesOf(query.property_type).map((type) => type.toUpperCase());
  const issues = [
    ...partyIssues(query),
    ...dateIssues(query, instantText(now).slice(0, 10)),
    ...unknownAt('property_type', types, isPropertyType, `must be one of ${propertyTypes.join(', ')}`),
    ...unknownAt('amenities', amenities, isKnown, 'must be an id or code of the amenities catalog'),
    ...priceIssues(query),
  ];
  if (issues.length > 0) throw invalid(...issues);
  const { check_in, check_out } = query;
  const hasPrices = query.min_price !== undefined || query.max_price !== undefined;
  return {
    party: partyOf(query),
    dates:
      check_in !== undefined && check_out !== undefined
        ? { check_in, check_out, nights: nightsBetween(check_in, check_out) }
        : null,
    amenityIds: amenities.filter(isKnown),
    propertyTypes: types,
    currency: query.currency ?? (hasPrices ? 'VND' : null),
    teamIds,
  };
};

const valuesOf = (text: string | undefined): string[] =>
  text === undefined ? [] : text.split(',').map((value) => value.trim());

const isPropertyType = (type: string): boolean => propertyTypes.some((known) => known === type);
const isKnown = (id: number | undefined): id is number => id !== undefined;

const unknownAt = <Value>(
  path: string,
  values: readonly Value[],
  isValid: (value: Value) => boolean,
  message: string,
): Issue[] =>
  values.flatMap((value, position) => (isValid(value) ? [] : [{ path: `${path}[${position}]`, message }]));

/** Returns the checkout item of a stay of these guests. */
export const itemOf = (
  listingId: number,
  dates: NonNullable<SearchCriteria['dates']>,
  { guests, adults, children }: Party,
): CheckoutItem => ({
  listing_id: listingId,
  check_in_date: dates.check_in,
  check_out_date: dates.check_out,
  guest_number: guests,
  adult_number: adults,
  children_number: children,
});

const partyOf = ({ guests, adults, children }: StaySearchQuery): Party => {
  if (adults === undefined && children === undefined)
    return { guests: guests ?? 1, adults: null, children: null };
  const all = guests ?? (adults ?? 0) + (children ?? 0);
  return { guests: all, adults: adults ?? all - (children ?? 0), children: children ?? all - (adults ?? 0) };
};

const partyIssues = ({ guests, adults, children }: StaySearchQuery): Issue[] => {
  if (guests === undefined)
    return adults === undefined && children !== undefined
      ? [{ path: 'adults', message: 'or guests are required with children' }]
      : [];
  const path = adults === undefined ? 'children' : 'adults';
  if (adults !== undefined && children !== undefined)
    return adults + children === guests ? [] : [{ path, message: 'and children must add up to guests' }];
  if (adults !== undefined && adults > guests) return [{ path, message: 'must not be above guests' }];
  return children !== undefined && children >= guests
    ? [{ path, message: 'must be fewer than guests: at least one adult is required' }]
    : [];
};

/** Returns issues for dates that are impossible in every time zone; each listing's own zone decides about the others. */
const dateIssues = ({ check_in, check_out }: StaySearchQuery, date: string): Issue[] => {
  if (check_in === undefined && check_out === undefined) return [];
  if (check_in === undefined) return [{ path: 'check_in', message: 'is required with check_out' }];
  if (check_out === undefined) return [{ path: 'check_out', message: 'is required with check_in' }];
  const issues: Issue[] = [];
  if (check_in < addDays(date, -1)) issues.push({ path: 'check_in', message: 'must not be in the past' });
  if (check_in > addDays(date, bookableDaysAhead + 1))
    issues.push({ path: 'check_in', message: `must be at most ${bookableDaysAhead} days ahead` });
  if (check_out < check_in) issues.push({ path: 'check_out', message: 'must not be before check_in' });
  if (nightsBetween(check_in, check_out) > maxStayNights)
    issues.push({
      path: 'check_out',
      message: `must be at most ${maxStayNights} nights after check_in`,
    });
  return issues;
};

const priceIssues = ({ min_price, max_price }: StaySearchQuery): Issue[] =>
  min_price !== undefined && max_price !== undefined && min_price > max_price
    ? [{ path: 'max_price', message: 'must not be below min_price' }]
    : [];

const amenityIdOf = (text: string): number | undefined => {
  const code = text.toLowerCase();
  return amenityCategories
    .flatMap(({ amenities }) => amenities)
    .find(({ amenity_id, amenity_code }) => String(amenity_id) === text || amenity_code === code)?.amenity_id;
};
