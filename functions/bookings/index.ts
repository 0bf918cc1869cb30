import { cancelBooking, getBooking, listMyBookings } from '../../shared/domain/booking/index.ts';
import { environment } from '../../shared/platform/environment.ts';
import { serve } from '../../shared/platform/http/serve.ts';
import { bookingRoutes } from './routes.ts';

export const bookings = serve(bookingRoutes, {
  listMyBookings,
  getBooking: (ctx, { params }) => getBooking(ctx, params.booking_id),
  cancelBooking: (ctx, { params, body }) => cancelBooking(ctx, params.booking_id, body?.reason),
});

/** The Lambda handler of the booking routes. */
export const handler = bookings(environment);
