import { ServiceError } from '../../platform/errors.ts';
import { compareQuotes, type OrderQuote, type Preview } from '../pricing/index.ts';

export const listingNotFound = (): ServiceError => new ServiceError('LISTING_NOT_FOUND');

export const checkoutNotFound = (): ServiceError =>
  new ServiceError('NOT_FOUND', 'There is no such checkout.');

/**
 * Refuses when the caller expects another total than the one about to be charged (D43). With an earlier quote every
 * difference to it is named, else only the total is known.
 */
export const requireExpectedTotal = (
  expected: number | undefined,
  preview: Preview,
  before?: OrderQuote,
): void => {
  if (expected === undefined || expected === preview.estimated_total) return;
  const changes = before
    ? compareQuotes(before, preview)
    : [{ field: 'estimated_total', was: expected, now: preview.estimated_total }];
  throw new ServiceError('PRICE_CHANGED', undefined, { preview, changes });
};
