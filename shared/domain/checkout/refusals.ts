import { invalid, ServiceError } from '../../platform/errors.ts';
import { maxWrites, type Write } from '../../platform/table/index.ts';
import type { Order } from '../booking/model.ts';
import type { PaymentMethod } from '../payment/model.ts';
import { compareQuotes, type OrderQuote, type Preview } from '../pricing/model.ts';

export const listingNotFound = (): ServiceError => new ServiceError('LISTING_NOT_FOUND');

export const checkoutNotFound = (): ServiceError =>
  new ServiceError('NOT_FOUND', 'There is no such checkout.');

/**
 * Refuses when the caller expects another total than the one about to be charged (D43). With an earlier quote every
 * difference to it is named; without one, or where nothing differs, only the total is known.
 */
export const requireExpectedTotal = (
  expected: number | undefined,
  previewed: () => Preview,
  before?: () => OrderQuote,
): void => {
  if (expected === undefined) return;
  const preview = previewed();
  if (expected === preview.estimated_total) return;
  const known = before ? compareQuotes(before(), preview) : [];
  const total = { field: 'estimated_total', was: expected, now: preview.estimated_total };
  const changes = known.length > 0 ? known : [total];
  throw new ServiceError('PRICE_CHANGED', undefined, { preview, changes });
};

/**
 * Refuses, before anything is written, what would not fit one transaction together with the request's idempotency record:
 * an order is small enough in itself, but it may have to give up many stays that its caller holds elsewhere.
 */
export const requireFitting = (writes: readonly Write[]): readonly Write[] => {
  if (writes.length < maxWrites) return writes;
  throw invalid({
    path: 'items',
    message: 'stand against too many of your own checkouts; release those first',
  });
};

/** Refuses a payment method that a listing of the order does not take (D85); decided by the listing as it was priced. */
export const requireMethod = (method: PaymentMethod, { items }: Order): void => {
  const refusing = items.find(({ payment_methods: taken }) => taken && !taken.includes(method));
  if (refusing)
    throw invalid({
      path: 'payment_method',
      message: `must be one that listing ${refusing.listing_id} takes: ${refusing.payment_methods?.join(', ')}`,
    });
};
