import * as z from 'zod';
import {
  BookingDetail,
  BookingSummary,
  CancelledBooking,
  CancelRequest,
} from '../../shared/domain/booking/booking.schema.ts';
import { quoteExample } from '../../shared/domain/pricing/quote-examples.schema.ts';
import { defineRoutes } from '../../shared/platform/http/route.ts';
import { PathId } from '../../shared/platform/schema.ts';

const bookingId = z.strictObject({ booking_id: PathId });

const summary = {
  id: 369_435_906_932_737,
  listing_id: '4711',
  listing_name: 'Biệt thự Đà Lạt',
  check_in: '2027-02-04',
  check_out: '2027-02-07',
  guests: 4,
  total_price: 5_650_000,
  currency: 'VND',
  state: 'CONFIRMED',
  payment_status: 'PENDING',
  created_at: '2027-01-20T08:00:00.000Z',
} as const;

const detail = {
  ...summary,
  master_reservation_id: 369_435_906_932_736,
  nights: 3,
  start_at: '2027-02-04T14:00:00',
  end_at: '2027-02-07T12:00:00',
  timezone: 'Asia/Ho_Chi_Minh',
  listing_address: '12 Trần Hưng Đạo, Phường 10, Đà Lạt',
  guest_info: { name: 'Nguyễn Văn An', phone: '+84 901 234 567', email: 'an@example.com' },
  host_info: { name: 'Thông Xanh Homes', phone: '+84 263 382 2222' },
  payment_method: 'CASH',
  price: [quoteExample],
  cancellation_deadline: '2027-02-01T07:00:00.000Z',
  chat_thread_id: 369_435_906_932_737,
  access_info: null,
  reservations: [
    { id: 369_435_906_932_737, listing_id: 4711, listing_name: 'Biệt thự Đà Lạt', status: 'CONFIRMED' },
  ],
} satisfies z.input<typeof BookingDetail>;

/** A customer's bookings (spec 4.1, D48, D51). */
export const bookingRoutes = defineRoutes('bookings', {
  listMyBookings: {
    method: 'GET',
    path: '/api/v1/bookings/my',
    access: 'customer',
    tag: 'Bookings',
    summary: 'The caller’s own bookings, newest first',
    status: 200,
    reply: z.array(BookingSummary),
    errors: [],
    examples: { reply: [summary] },
  },
  getBooking: {
    method: 'GET',
    path: '/api/v1/bookings/{booking_id}',
    access: 'customer',
    tag: 'Bookings',
    summary: 'A booking in detail',
    description: 'For its guest and for the hosts of its team, by its own id or its master_reservation_id.',
    params: bookingId,
    status: 200,
    reply: BookingDetail,
    errors: ['BOOKING_NOT_FOUND'],
    examples: { reply: detail },
  },
  cancelBooking: {
    method: 'POST',
    path: '/api/v1/bookings/{booking_id}/cancel',
    access: 'customer',
    tag: 'Bookings',
    summary: 'Cancels a booking and frees its time',
    description:
      'By the guest: refunded by the terms frozen with the booking. By an owner or manager of the team: always in full. A master id cancels every open stay of the order.',
    params: bookingId,
    body: CancelRequest,
    bodyOptional: true,
    status: 200,
    reply: CancelledBooking,
    errors: ['BOOKING_NOT_FOUND', 'FORBIDDEN', 'INVALID_STATE_TRANSITION'],
    idempotent: true,
    examples: {
      body: { reason: 'Plans changed' },
      reply: { ...detail, state: 'CANCELLED', refund: { amount: 0, status: 'NONE' } },
    },
  },
});
