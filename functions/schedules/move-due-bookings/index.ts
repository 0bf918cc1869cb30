import { type MovedBookings, moveDueBookings } from '../../../shared/domain/payment/index.ts';
import { paymentEnvironment } from '../../../shared/platform/environment/payment-environment.ts';
import { scheduled } from '../../../shared/scheduled.ts';

/**
 * The Lambda handler of the schedule: cancels what no host accepted within 24 hours and what was not paid in time, once the
 * gateway has said so (D46), and completes what was checked out (D50).
 */
export const handler = scheduled('move-due-bookings', (): Promise<MovedBookings> =>
  moveDueBookings(paymentEnvironment()),
);
