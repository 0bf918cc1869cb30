import { moveDueBookings } from '../../../shared/domain/booking/index.ts';
import { environment } from '../../../shared/platform/environment.ts';

/** The Lambda handler of the schedule: cancels what no host accepted within 24 hours (D46), completes what was checked out (D50). */
export const handler = (): Promise<{ cancelled: number; completed: number }> =>
  moveDueBookings(environment());
