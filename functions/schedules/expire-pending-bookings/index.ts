import { expirePendingBookings } from '../../../shared/domain/booking/index.ts';
import { environment } from '../../../shared/platform/environment.ts';

/** The Lambda handler of the schedule: cancels the bookings that no host accepted within 24 hours (D46). */
export const handler = (): Promise<{ cancelled: number }> => expirePendingBookings(environment());
