import { confirmRefund, repeatRefund } from '../../../../shared/domain/payment/index.ts';
import type { Dependencies } from '../../../../shared/platform/context.ts';
import type { Bank } from '../bank.ts';
import type { ServiceTable } from '../table.ts';

interface Refund {
  payment_id: number;
  refund_id: string;
  transaction_id: string;
  amount: number;
  state: string;
}

/** What the operator does with refunds of which the gateway did not say whether they were made: looks at the bank's list. */
export const settleUnsureRefunds = async (
  deps: Pick<Dependencies, 'table' | 'clock' | 'log'>,
  table: ServiceTable,
  bank: Bank,
): Promise<void> => {
  const refunds = (): Refund[] =>
    table.items().filter(({ entity }) => entity === 'PaymentRefund') as unknown as Refund[];
  for (const refund of refunds().filter(({ state }) => state === 'UNSURE')) {
    const isLike = ({ transaction_id, amount }: Refund): boolean =>
      transaction_id === refund.transaction_id && amount === refund.amount;
    const noted = refunds().filter((one) => isLike(one) && one.state === 'DONE').length;
    const made = [...(bank.byTransaction(refund.transaction_id)?.refunds.values() ?? [])].filter(
      (amount) => amount === refund.amount,
    ).length;
    bank.sim.note(`operator: ${refund.refund_id} was ${made > noted ? '' : 'not '}made`);
    await (made > noted ? confirmRefund : repeatRefund)(deps as Dependencies, refund);
  }
};
