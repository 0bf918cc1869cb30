import type { Caller, PartnerCaller } from '../../platform/auth.ts';
import { invalid, ServiceError } from '../../platform/errors.ts';
import { maxWrites, type Write } from '../../platform/table/index.ts';
import type { Order } from '../booking/model.ts';
import type { PaymentMethod } from '../payment/model.ts';
import { compareQuotes, type OrderQuote, type Preview } from '../pricing/model.ts';

export const listingNotFound = (): ServiceError => new ServiceError('LISTING_NOT_FOUND');

export const checkoutNotFound = ({ kind }: Caller): ServiceError =>
  new ServiceError(
    'NOT_FOUND',
    kind === 'partner' ? 'There is no such quote, or it has no hold.' : 'There is no such checkout.',
  );

/** What a key may book: the listings of its teams. */
export const keyListings = ({ team_ids }: PartnerCaller) => ({
  accepts: ({ team_id }: { team_id: number }) => team_ids.includes(team_id),
  missing: () => new ServiceError('EXTERNAL_LISTING_NOT_ACCESSIBLE'),
});

/**
 * Throws PRICE_CHANGED if the caller expects another total (D43). With an earlier quote all differences are listed,
 * otherwise only the total.
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
 * Throws VALIDATION_ERROR, before anything is written, if the writes do not fit into one transaction with the request's
 * idempotency record. The order itself fits, but the caller's own checkouts that it replaces may be too many.
 */
export const requireFitting = (writes: readonly Write[]): readonly Write[] => {
  if (writes.length < maxWrites) return writes;
  throw invalid({
    path: 'items',
    message: 'conflict with too many of your own checkouts; release those first',
  });
};

/** Throws VALIDATION_ERROR for a payment method that a listing of the order does not accept (D85), as of its price. */
export const requireMethod = (method: PaymentMethod, { items }: Order): void => {
  if (method === 'PLATFORM')
    throw invalid({ path: 'payment_method', message: 'must be CASH, BANK_TRANSFER or ONLINE_GATEWAY' });
  const refusing = items.find(({ payment_methods: taken }) => taken && !taken.includes(method));
  if (refusing)
    throw invalid({
      path: 'payment_method',
      message: `must be one that listing ${refusing.listing_id} accepts: ${refusing.payment_methods?.join(', ')}`,
    });
};
