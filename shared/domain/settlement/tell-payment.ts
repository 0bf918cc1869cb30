import type { Context } from '../../platform/context.ts';
import { recordEvent } from '../../record-event.ts';
import { orderIdOf, orderPartition } from '../../platform/ids.ts';
import type { Write } from '../../platform/table/index.ts';
import type { Order } from '../booking/index.ts';

interface Told {
  payment_id: number;
  amount: number;
  currency: string;
  /** The gateway's id of the charge; null: nothing was charged. */
  transaction_id: string | null;
  reason: string | null;
}

/** A payment event of an order that never became a booking: `data.id` is the order's, one event for each team in it. */
export const emitPaymentEvent = (
  ctx: Pick<Context, 'clock' | 'caller'>,
  order: Order | undefined,
  event_type: 'payment.failed' | 'payment.refunded',
  { payment_id, amount, currency, transaction_id, reason }: Told,
): Write[] => {
  const told = {
    amount,
    currency,
    payment_transaction_id: transaction_id,
    reason,
    ...(event_type === 'payment.refunded' ? { refund: amount } : {}),
  };
  const teams = new Set<number | null>(order?.items.map(({ team_id }) => team_id) ?? [null]);
  return [...teams].map((team_id) =>
    recordEvent(ctx, {
      subject: orderPartition(orderIdOf(payment_id)),
      event_type,
      team_id,
      data: { id: payment_id, master_reservation_id: orderIdOf(payment_id), ...told },
    }),
  );
};
