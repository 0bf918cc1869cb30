import * as z from 'zod';
import {
  Booking,
  BookingDetail,
  Cancellation,
  CancelledBooking,
  CancelRequest,
  MyBooking,
  ReadBooking,
} from '../../shared/domain/booking/booking.schema.ts';
import {
  bookingDetailExample,
  bookingExample,
  bookingHistoryExample,
  cancellationExample,
  correctionExample,
  hostBookingExample,
  readByGuest,
} from '../../shared/domain/booking/booking-example.schema.ts';
import {
  bookingFilterFields,
  hostFilterFields,
  stayRangeFields,
} from '../../shared/domain/booking/booking-filter.schema.ts';
import { BookingHistory } from '../../shared/domain/booking/booking-history.schema.ts';
import { exampleIds } from '../../shared/platform/http/example-records.ts';
import { defineRoutes } from '../../shared/platform/http/route.ts';
import { pageOf, pagingFields } from '../../shared/platform/schema/schema.ts';
import { GuestCorrection } from '../../shared/domain/booking/guest-correction.schema.ts';
import { GuestLink } from '../../shared/domain/booking/guest-link.schema.ts';
import { deskRows } from './desk-rows.ts';
import { bookingId } from './host-move.ts';
import { moveRows } from './move-rows.ts';
import { paymentRows } from './payment-rows.ts';
import { transferRows } from './transfer-rows.ts';

const listing_id = String(bookingExample.listing_id);

/** A customer's bookings (D48, D51), and what hosts do with them (D50). */
export const bookingRoutes = defineRoutes('bookings', {
  listMyBookings: {
    method: 'GET',
    path: '/api/v1/bookings/my',
    access: 'customer',
    tag: 'Bookings',
    summary: 'The caller’s own bookings, newest first',
    description:
      'A bare array; the paging is in the headers. `X-Total-Count` is exact up to 1,000; there is no `X-Next-Cursor` on the last page.',
    query: z.strictObject({ ...pagingFields, ...bookingFilterFields, ...stayRangeFields }),
    status: 200,
    reply: z.array(MyBooking),
    headers: ['X-Total-Count', 'X-Next-Cursor'],
    errors: [],
    examples: { reply: [{ ...bookingExample, listing_id }] },
  },
  getBooking: {
    method: 'GET',
    path: '/api/v1/bookings/{booking_id}',
    access: 'customer',
    tag: 'Bookings',
    summary: 'A booking in detail',
    description:
      'For its guest and for the hosts of its team, by its own id or its master_reservation_id. `pending_change` is a change that waits for its payment.',
    params: bookingId,
    status: 200,
    reply: ReadBooking,
    errors: ['BOOKING_NOT_FOUND'],
    examples: { reply: { ...bookingDetailExample, listing_id, ...readByGuest } },
  },
  rotateGuestLink: {
    method: 'POST',
    path: '/api/v1/bookings/{booking_id}/guest-link/rotate',
    access: 'host',
    permission: 'manage',
    tag: 'Bookings',
    summary: 'Replaces the link of the guest; earlier ones end at once',
    description:
      'For a link that others have, or digits that were wrong too often. Of an order of several stays, each by its own id. INVALID_STATE_TRANSITION where the key that booked wants no links, and 30 days after the stay.',
    params: bookingId,
    status: 200,
    reply: GuestLink,
    errors: ['BOOKING_NOT_FOUND', 'INVALID_STATE_TRANSITION'],
    idempotent: true,
    examples: {
      params: { booking_id: exampleIds.ofRotatedLink },
      reply: {
        booking_id: exampleIds.ofRotatedLink,
        guest_url: 'https://api.example.com/g#2mvw3zxj4g.1h.kq3vJm0bXcT5oWlD8aZr2Q',
      },
    },
  },
  correctGuest: {
    method: 'PATCH',
    path: '/api/v1/bookings/{booking_id}',
    access: 'customer',
    tag: 'Bookings',
    summary: 'Corrects the guest, the arrival time or the note of a booking',
    description:
      'Fields that are left out stay. By a host, also of a stay that was cancelled or is over; by the guest phone, `arrival_time` and `note`, until the check-in. The e-mail address and language of a guest with an account are those of the account. With another address earlier links of the guest end, and it gets a mail with a new one. Of a master id, all of its stays.',
    params: bookingId,
    body: GuestCorrection,
    status: 200,
    reply: BookingDetail,
    errors: ['BOOKING_NOT_FOUND', 'INVALID_STATE_TRANSITION'],
    idempotent: true,
    examples: {
      body: correctionExample,
      reply: {
        ...bookingDetailExample,
        arrival_time: correctionExample.arrival_time,
        guest_info: { ...bookingDetailExample.guest_info, ...correctionExample.guest_info },
      },
    },
  },
  getCancellation: {
    method: 'GET',
    path: '/api/v1/bookings/{booking_id}/cancellation',
    access: 'customer',
    tag: 'Bookings',
    summary: 'What cancelling a booking would refund, now and at each later deadline',
    description:
      'By the caller, from the terms frozen with the booking: a cancellation then does exactly that. Of a master id, all of its open stays together.',
    params: bookingId,
    status: 200,
    reply: Cancellation,
    errors: ['BOOKING_NOT_FOUND'],
    examples: { reply: cancellationExample },
  },
  cancelBooking: {
    method: 'POST',
    path: '/api/v1/bookings/{booking_id}/cancel',
    access: 'customer',
    objective: 'booking',
    tag: 'Bookings',
    summary: 'Cancels a booking and frees its time',
    description:
      'By the guest: refunded by the terms frozen with the booking. By an owner or manager of the team: always in full. A master id cancels every open stay of the order.',
    params: bookingId,
    body: CancelRequest,
    bodyOptional: true,
    status: 200,
    reply: CancelledBooking,
    errors: ['BOOKING_NOT_FOUND', 'FORBIDDEN', 'INVALID_STATE_TRANSITION', 'MANAGED_BY_CHANNEL'],
    idempotent: true,
    examples: {
      params: { booking_id: exampleIds.toCancel },
      body: { reason: 'Plans changed' },
      reply: {
        ...bookingDetailExample,
        id: exampleIds.toCancel,
        state: 'CANCELLED',
        status: 'CANCELLED',
        cancel_reason: 'Plans changed',
        refund: { amount: 0, status: 'NONE' },
      },
    },
  },
  listTeamBookings: {
    method: 'GET',
    path: '/api/v1/bookings',
    access: 'host',
    permission: 'read',
    tag: 'Bookings',
    summary: 'The acting team’s bookings, newest first',
    description:
      'Conditions are joined by *and*; dates and `updated_since` are inclusive. A page may have fewer bookings than `limit` and still a `next_cursor`: where a filter matches little of a very long list.',
    query: z.strictObject({
      ...{ ...pagingFields, ...bookingFilterFields },
      ...{ ...stayRangeFields, ...hostFilterFields },
    }),
    status: 200,
    reply: pageOf(Booking),
    errors: [],
    examples: {
      reply: {
        items: [hostBookingExample],
        total: 1,
        total_is_exact: true,
        page: 1,
        limit: 20,
        total_pages: 1,
        next_cursor: null,
      },
    },
  },
  ...deskRows,
  listBookingHistory: {
    method: 'GET',
    path: '/api/v1/bookings/{booking_id}/history',
    access: 'host',
    permission: 'read',
    tag: 'Bookings',
    summary: 'Every change of a booking: when, what, who and why, oldest first',
    description: 'Of a master id, the changes of all of its stays that are of the caller’s teams.',
    params: bookingId,
    status: 200,
    reply: BookingHistory,
    errors: ['BOOKING_NOT_FOUND'],
    examples: { reply: bookingHistoryExample },
  },
  ...moveRows,
  ...paymentRows,
  ...transferRows,
});
