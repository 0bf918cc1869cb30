import { invalid, type Issue, ServiceError } from '../../platform/errors.ts';
import { foldText } from '../../platform/text/fold-text.ts';
import { fitsMinorUnit, minorDigits } from '../../platform/money.ts';
import type { ListingState } from './listing-state.schema.ts';
import type { Listing } from './listing.entity.ts';
import { countryName, provinceName } from './places.rules.ts';

type Guests = Pick<Listing, 'guest_included_in_rate' | 'maximum_guest'>;

/**
 * Returns the number of guests that the rate includes by default: the standard capacity, at most the maximum number of
 * guests.
 */
export const includedGuests = (
  standardCapacity: number,
  { maximum_guest }: Pick<Guests, 'maximum_guest'>,
): number => (maximum_guest > 0 ? Math.min(standardCapacity, maximum_guest) : standardCapacity);

/** Returns an issue if the rate includes more guests than may stay; a `maximum_guest` of 0 sets no limit of its own (D39). */
export const listingGuestIssues = ({ guest_included_in_rate, maximum_guest }: Guests): Issue[] =>
  maximum_guest > 0 && guest_included_in_rate > maximum_guest
    ? [
        {
          path: 'maximum_guest',
          message: `must be at least guest_included_in_rate, which is ${guest_included_in_rate}; 0 means capacity`,
        },
      ]
    : [];

/** The state transitions of a listing (D18). */
export const listingMoves = {
  publish: { from: ['DRAFT', 'INACTIVE'], to: 'ACTIVE' },
  pause: { from: ['ACTIVE'], to: 'INACTIVE' },
  archive: { from: ['DRAFT', 'ACTIVE', 'INACTIVE'], to: 'ARCHIVED' },
} as const satisfies Record<string, { from: readonly ListingState[]; to: ListingState }>;

/** Whether a listing may change from one state to another; the same state is always allowed. */
export const mayMove = (from: ListingState, to: ListingState): boolean =>
  from === to ||
  Object.values(listingMoves).some(
    (move) => move.to === to && (move.from as readonly ListingState[]).includes(from),
  );

/** Throws INVALID_STATE_TRANSITION for a transition that is not in the table. */
export const requireMove = (from: ListingState, to: ListingState): void => {
  if (mayMove(from, to)) return;
  throw new ServiceError('INVALID_STATE_TRANSITION', `A listing cannot move from ${from} to ${to}.`, {
    from,
    to,
  });
};

/** Returns the stored fields that are computed from others. */
export const derivedFields = ({
  name,
  country_code,
  province_code,
}: Pick<Listing, 'name' | 'country_code' | 'province_code'>) => ({
  search_name: foldText(name),
  country_name: countryName(country_code) ?? country_code,
  province_name: provinceName(province_code, country_code),
});

const moneyFields = [
  'full_rate',
  'minimum_rate',
  'extra_adult_rate',
  'extra_child_rate',
  'security_deposit',
  'cleaning_fee',
  'early_check_in_fee',
  'late_check_out_fee',
  'price_first_hours',
  'extra_hour_price',
  'price_per_hour',
  'monthly_price',
] as const satisfies readonly (keyof Listing)[];

type Priced = Pick<Listing, (typeof moneyFields)[number] | 'currency' | 'prices_by_week' | 'amenities'>;

/** Returns an issue for each amount that is finer than the minor unit of the currency, with its path (D1). */
export const moneyIssues = (amounts: Record<string, number>, currency: string): Issue[] => {
  const digits = minorDigits(currency);
  return Object.entries(amounts)
    .filter(([, amount]) => !fitsMinorUnit(amount, currency))
    .map(([path]) => ({ path, message: `must have at most ${digits} decimals in ${currency}` }));
};

/** Returns an issue for each amount of a listing that does not fit its currency. */
export const listingMoneyIssues = (listing: Priced): Issue[] =>
  moneyIssues(
    Object.fromEntries([
      ...moneyFields.map((field) => [field, listing[field] ?? 0] as const),
      ...Object.entries(listing.prices_by_week).map(
        ([day, price]) => [`prices_by_week.${day}`, price] as const,
      ),
      ...listing.amenities.map(({ price }, position) => [`amenities[${position}].price`, price] as const),
    ]),
    listing.currency,
  );

/** Whether the listing's own fields price a stay: the full rate, a weekday price, or hourly prices where hours are sold. */
export const hasOwnPrice = (listing: Listing): boolean => {
  const { full_rate, prices_by_week, allow_hourly_booking } = listing;
  const hourly = [listing.price_first_hours, listing.extra_hour_price, listing.price_per_hour];
  return [full_rate, ...Object.values(prices_by_week), ...(allow_hourly_booking ? hourly : [])].some(
    (price) => price > 0,
  );
};

/** Returns the error for an ACTIVE listing without any price, which could be booked for nothing. */
export const priceMissing = (): ServiceError =>
  invalid({
    path: 'full_rate',
    message:
      'an ACTIVE listing needs a price: set full_rate, a weekday price, an hourly price with allow_hourly_booking, or an active pricing rule or combo above 0',
  });
