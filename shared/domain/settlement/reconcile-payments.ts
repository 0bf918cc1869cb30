import { type Dependencies, systemContext } from '../../platform/context.ts';
import { remove, sortable } from '../../platform/table/index.ts';
import { type DuePayment, DuePaymentEntity, duePayments, lookAt, lookEveryMs } from '../payment/index.ts';
import { lookAfterPayment } from './look-after-payment.ts';

const actor = 'reconcile-payments';
const atOnce = 10;
/** What one run looks at; the next one, minutes later, goes on. */
const most = 200;

/**
 * Looks after the payments whose time has come: one that is open is asked about every 5 minutes (D47). Each is looked at by
 * itself; one that fails is looked at again in its turn and does not keep the others. The run then ends with an error, for
 * its alarm.
 */
export const reconcilePayments = async (deps: Dependencies): Promise<{ looked_after: number }> => {
  const { items } = await deps.table.query({
    pk: duePayments,
    to: `${sortable(deps.clock.now())}~`,
    limit: most,
  });
  const due = items as unknown as DuePayment[];
  let failed = 0;
  for (let from = 0; from < due.length; from += atOnce) {
    const looks = due.slice(from, from + atOnce).map((payment) => look(deps, payment));
    failed += (await Promise.all(looks)).filter((isWell) => !isWell).length;
  }
  if (failed > 0) throw new Error(`${failed} of ${due.length} payments could not be looked after.`);
  return { looked_after: due.length };
};

/** Whatever happens, the payment keeps its place among the due ones until nothing is left to be done. */
const look = async (deps: Dependencies, due: DuePayment): Promise<boolean> => {
  try {
    const isAgain = await lookAfterPayment(systemContext(deps, actor), due.payment_id);
    await putOff(deps, due, isAgain);
    return true;
  } catch (error) {
    const cause = String((error as Error).stack ?? error);
    deps.log.error('A payment could not be looked after.', { payment_id: due.payment_id, cause });
    await putOff(deps, due, true).catch(() => undefined);
    return false;
  }
};

const putOff = (deps: Dependencies, due: DuePayment, isAgain: boolean): Promise<void> =>
  deps.table.transact([
    remove(DuePaymentEntity, due),
    ...(isAgain ? [lookAt(due.payment_id, deps.clock.now() + lookEveryMs)] : []),
  ]);
