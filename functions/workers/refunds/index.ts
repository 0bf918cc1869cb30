import { lookSoon } from '../../../shared/domain/settlement/index.ts';
import { type Dependencies, systemContext } from '../../../shared/platform/context.ts';
import { consume } from '../../../shared/platform/events/consume.ts';
import type { EventMessage } from '../../../shared/platform/events/index.ts';
import { payingEnvironment } from '../../../shared/platform/paying-environment.ts';

/**
 * A cancelled booking: what was paid online goes back at once, and a page that still waits for money is closed (D48). When the
 * gateway does not answer, the schedule does it.
 */
export const refundCancelled = async (deps: Dependencies, { data }: EventMessage): Promise<void> => {
  const orderId = data['master_reservation_id'];
  if (typeof orderId !== 'number') return;
  // The payment of its order, or its own when it is paid apart.
  for (const paymentId of [orderId, data.id])
    await lookSoon(systemContext(deps, 'refund-payments'), paymentId);
};

/** The Lambda handler of the queue. */
export const handler = consume(refundCancelled)(payingEnvironment);
