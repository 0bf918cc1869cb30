import type { Context } from '../../platform/context.ts';
import type { Write } from '../../platform/table/index.ts';
import { decisionOf } from '../folio/model.ts';
import { emitBookingEvent } from './booking.store.ts';
import { announcedRefund, refundedElsewhere, type StayRefund } from './refund.rules.ts';
import type { Reservation } from './reservation.entity.ts';

/**
 * Returns the event of what the host or the partner refunds, who took the money; none if the gateway refunds all. What a host hands
 * over beside a partner's refund is announced when it is returned.
 */
export const emitRefundElsewhere = (
  ctx: Pick<Context, 'clock' | 'caller'>,
  stay: StayRefund,
  after: Reservation,
  reason: string | null,
): Write[] => {
  const refund = Math.min(refundedElsewhere(stay), announcedRefund(stay));
  return refund > 0
    ? [
        emitBookingEvent(ctx, after, 'payment.refunded', {
          reason,
          refund,
          charge: null,
          decision: decisionOf(after, () => true),
        }),
      ]
    : [];
};
