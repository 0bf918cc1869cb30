import type { PaymentMethod } from '../payment/payment-method.schema.ts';
import { invalid } from '../../platform/errors.ts';
import type { Order } from '../booking/index.ts';

/** Refuses a payment method that a listing of the order does not take (D85); decided by the listing as it was priced. */
export const requireMethod = (method: PaymentMethod, { items }: Order): void => {
  const refusing = items.find(({ payment_methods: taken }) => taken && !taken.includes(method));
  if (refusing)
    throw invalid({
      path: 'payment_method',
      message: `must be one that listing ${refusing.listing_id} takes: ${refusing.payment_methods?.join(', ')}`,
    });
};
