import { consume } from '../../../shared/consume.ts';
import { bookingEvents } from '../../../shared/domain/booking/booking.events.ts';
import { reconcileStay } from '../../../shared/domain/payment/index.ts';
import type { EventOf } from '../../../shared/events.ts';
import { type Dependencies, systemContext } from '../../../shared/platform/context.ts';
import { paymentEnvironment } from '../../../shared/platform/environment/payment-environment.ts';
import { refundsSubscription, type Subscribed } from '../../../shared/subscriptions.ts';

/**
 * A booking that fell through: what was paid online goes back at once, and a page that still waits for money is closed (D48). When the
 * gateway does not answer, the schedule does it.
 */
export const refundCancelled = async (
  deps: Dependencies,
  { data }: EventOf<Subscribed<'refunds'>>,
): Promise<void> => {
  await reconcileStay(systemContext(deps, 'refund-payments'), data.id);
};

/** Makes the refunds of bookings that fell through. */
export const refundsWorker = consume(refundsSubscription, bookingEvents, refundCancelled);

/** The Lambda handler of the queue `refunds`. */
export const handler = refundsWorker(paymentEnvironment);
