import type { Bank } from '../bank.ts';
import type { ServiceTable } from '../table.ts';
import { itemsOf } from '../../memory/values.ts';

interface Refund {
  payment_id: number;
  refund_id: string;
  transaction_id: string;
  amount: number;
  state: string;
}

/** A refund of which the gateway did not say whether it was made, with what the bank's own list shows. */
export interface UnsureRefund {
  payment_id: number;
  refund_id: string;
  isMade: boolean;
}

/** Returns the refunds that a person has to look up in the bank's list. */
export const unsureRefunds = (table: Pick<ServiceTable, 'items'>, bank: Bank): UnsureRefund[] => {
  const refunds = itemsOf<Refund>(table.items(), 'PaymentRefund');
  return refunds
    .filter(({ state }) => state === 'UNSURE')
    .map(({ payment_id, refund_id, transaction_id, amount }) => {
      const noted = refunds.filter(
        (one) => one.transaction_id === transaction_id && one.amount === amount && one.state === 'DONE',
      ).length;
      const made = [...(bank.byTransaction(transaction_id)?.refunds.values() ?? [])].filter(
        (one) => one === amount,
      ).length;
      return { payment_id, refund_id, isMade: made > noted };
    });
};
