import { type Dependencies, systemContext } from '../../platform/context.ts';
import { ServiceError } from '../../platform/errors.ts';
import { scheduleReconciliation, type PaymentRefund } from '../payment/index.ts';
import { concludeRefund, moveRefund } from './give-back.ts';

type Refund = Pick<PaymentRefund, 'payment_id' | 'refund_id'>;

const actor = 'operator';

const notUnsure = ({ payment_id, refund_id }: Refund): ServiceError =>
  new ServiceError(
    'INVALID_STATE_TRANSITION',
    `The payment ${payment_id} has no refund ${refund_id} that is UNSURE.`,
  );

/** A person has seen in the gateway's console that an UNSURE refund was made. INVALID_STATE_TRANSITION for any other. */
export const settleRefund = async (
  deps: Dependencies,
  refund: Refund,
): Promise<Refund & { state: 'DONE' }> => {
  if (!(await concludeRefund(systemContext(deps, actor), refund, 'UNSURE'))) throw notUnsure(refund);
  return { ...refund, state: 'DONE' };
};

/** A person has seen that an UNSURE refund was not made: it is asked for again. INVALID_STATE_TRANSITION for any other. */
export const repeatRefund = async (
  deps: Dependencies,
  refund: Refund,
): Promise<Refund & { state: 'DUE' }> => {
  const again = moveRefund(deps, refund, 'UNSURE', 'DUE');
  await deps.table.transact([
    { ...again, refusal: () => notUnsure(refund) },
    scheduleReconciliation(refund.payment_id, deps.clock.now()),
  ]);
  return { ...refund, state: 'DUE' };
};
