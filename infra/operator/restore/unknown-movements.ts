import {
  type Payment,
  PaymentEntity,
  type PaymentRefund,
  PaymentRefundEntity,
} from '../../../shared/domain/payment/model.ts';
import { orderIdOf } from '../../../shared/platform/ids.ts';
import { inLanes } from '../../../shared/platform/in-lanes.ts';
import type { Table } from '../../../shared/platform/table/index.ts';
import type { Movement } from './gateway-ledger.ts';

/** Money that has moved at the gateway and that the table does not know, with what the table has of it. */
interface UnknownMovement extends Movement {
  /** The state of its payment, or of its refund; null: there is none. */
  in_table: Payment['state'] | PaymentRefund['state'] | null;
}

/** Returns the movements that the table does not know, in their order. */
export const unknownMovements = async (
  table: Table,
  movements: readonly Movement[],
): Promise<UnknownMovement[]> => {
  const looked = await inLanes(movements, async (movement) => {
    const { payment_id } = movement;
    const [payment, refunds] = await Promise.all([
      table.get(PaymentEntity, { payment_id }),
      table.queryAll(PaymentRefundEntity, { pk: `ORDER#${orderIdOf(payment_id)}`, prefix: 'REFUND#' }),
    ]);
    return movement.kind === 'charge' ? chargeIn(movement, payment, refunds) : refundIn(movement, refunds);
  });
  return looked.filter((one) => one !== undefined);
};

const chargeIn = (
  movement: Movement,
  payment: Payment | undefined,
  refunds: readonly PaymentRefund[],
): UnknownMovement | undefined => {
  const { transaction_id } = movement;
  // A charge for which nothing was due is known by its refund alone.
  const isKnown =
    payment?.transaction_id === transaction_id ||
    refunds.some((refund) => refund.transaction_id === transaction_id);
  return isKnown ? undefined : { ...movement, in_table: payment?.state ?? null };
};

const refundIn = (movement: Movement, refunds: readonly PaymentRefund[]): UnknownMovement | undefined => {
  const known = refunds.find(
    ({ refund_id, payment_id }) => refund_id === movement.refund_id && payment_id === movement.payment_id,
  );
  return known?.state === 'DONE' ? undefined : { ...movement, in_table: known?.state ?? null };
};
