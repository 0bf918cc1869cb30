import type { Issue } from '../../platform/errors.ts';
import { fitsMinorUnit, minorDigits } from '../../platform/money.ts';
import type { Listing } from './listing.entity.ts';

const moneyFields = [
  'full_rate',
  'minimum_rate',
  'extra_adult_rate',
  'extra_child_rate',
  'security_deposit',
  'cleaning_fee',
  'price_first_hours',
  'extra_hour_price',
  'price_per_hour',
  'monthly_price',
] as const satisfies readonly (keyof Listing)[];

type Priced = Pick<Listing, (typeof moneyFields)[number] | 'currency' | 'prices_by_week' | 'amenities'>;

/** What is wrong with amounts in a currency, each under its path: none may be finer than the minor unit (D1). */
export const moneyIssues = (amounts: Record<string, number>, currency: string): Issue[] => {
  const digits = minorDigits(currency);
  return Object.entries(amounts)
    .filter(([, amount]) => !fitsMinorUnit(amount, currency))
    .map(([path]) => ({ path, message: `must have at most ${digits} decimals in ${currency}` }));
};

/** Every amount of a listing that does not fit its currency. */
export const listingMoneyIssues = (listing: Priced): Issue[] =>
  moneyIssues(
    Object.fromEntries([
      ...moneyFields.map((field) => [field, listing[field]] as const),
      ...Object.entries(listing.prices_by_week).map(
        ([day, price]) => [`prices_by_week.${day}`, price] as const,
      ),
      ...listing.amenities.map(({ price }, position) => [`amenities[${position}].price`, price] as const),
    ]),
    listing.currency,
  );
