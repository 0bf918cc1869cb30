import type { ClassifiedFields } from '../../platform/table/personal-data.ts';

/** The classes of the texts of payments. */
export const paymentData: Record<string, ClassifiedFields> = {
  Payment: {
    none: 'provider currency accepted_by created_at updated_at',
    kept: 'reference url earlier[].reference transaction_id',
  },
  PaymentRefund: {
    none: 'refund_id currency created_at updated_at',
    kept: 'transaction_id reference',
    personal: 'reason',
  },
  DuePayment: {},
};
