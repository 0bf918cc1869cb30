import { type Dependencies, systemContext } from '../../platform/context.ts';
import { drainDueList } from '../../platform/due/index.ts';
import { present, remove } from '../../platform/table/index.ts';
import { type DuePayment, DuePaymentEntity, duePayments, scheduleReconciliation, reconciliationIntervalMs } from '../payment/index.ts';
import { reconcilePayment } from './look-after-payment.ts';
import { ignoreConflict } from './unless-beaten.ts';

const actor = 'reconcile-payments';

/**
 * Checks the payments whose time has come: one that is open is asked about every 5 minutes (D47). Each is looked at by
 * itself; one that fails is put off and does not keep the others.
 */
export const reconcilePayments = async (
  deps: Dependencies,
): Promise<{ looked_after: number; failed: number }> => {
  const { done, failed } = await drainDueList(deps, actor, duePayments, async (due) => {
    const isAgain = await reconcilePayment(systemContext(deps, actor), due.payment_id);
    await ignoreConflict(() => goOn(deps, due, isAgain));
  });
  return { looked_after: done, failed };
};

/** The payment keeps its place among the due ones until nothing is left to be done; of two runs at once, one gives it the next. */
const goOn = ({ table, clock }: Dependencies, due: DuePayment, isAgain: boolean): Promise<void> =>
  table.transact([
    remove(DuePaymentEntity, due, { when: present() }),
    ...(isAgain ? [scheduleReconciliation(due.payment_id, clock.now() + reconciliationIntervalMs)] : []),
  ]);
