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
import { NoShowRequest } from '../../shared/domain/booking/no-show.schema.ts';
import { exampleIds } from '../../shared/platform/http/example-records.ts';
import { defineRoutes } from '../../shared/platform/http/route.ts';
import { pageOf, pagingFields } from '../../shared/platform/schema/schema.ts';
import { GuestCorrection } from '../../shared/domain/booking/guest-correction.schema.ts';
import { GuestLink } from '../../shared/domain/booking/guest-link.schema.ts';
import { deskRows } from './desk-rows.ts';
import { bookingId, hostMove } from './host-move.ts';
import { paymentRows } from './payment-rows.ts';
import { transferRows } from './transfer-rows.ts';

const listing_id = String(bookingExample.listing_id);

const declined = {
  booking_id: exampleIds.toDecline,
  state: 'CANCELLED',
  status: 'CANCELLED',
  cancel_reason: 'The roof is being repaired.',
} as const;
const missed = { booking_id: exampleIds.missed, state: 'NO_SHOW', status: 'NO_SHOW' } as const;

const endedExample = ({ booking_id, ...reply }: Partial<BookingDetail> & { booking_id: number }) => ({
  ...bookingDetailExample,
  id: booking_id,
  master_reservation_id: booking_id - 1,
  payment_status: 'PENDING' as const,
  ...reply,
  refund: { amount: 0, status: 'NONE' as const },
});

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
  confirmBooking: {
    ...hostMove('confirm', 'manage', 'Accepts a booking that waits for the host', {
      booking_id: exampleIds.toAccept,
    }),
    description:
      'A stay that is to be paid online can be paid from now on: its payment_url is open until payment_expires_at. One whose payment is authorised by a token is charged now, and answered CONFIRMED and PAID; PAYMENT_DECLINED when the bank does not pay: the booking is cancelled then, and its time is free. Nothing but this confirms such a booking. After PAYMENT_GATEWAY_UNAVAILABLE send the same request again.',
    errors: [
      'BOOKING_NOT_FOUND',
      'INVALID_STATE_TRANSITION',
      'PAYMENT_DECLINED',
      'PAYMENT_GATEWAY_UNAVAILABLE',
    ],
  },
  declineBooking: {
    ...hostMove('decline', 'manage', 'Declines a booking that waits for the host', declined),
    description:
      'It is CANCELLED, its time is free, an authorised payment is released and all that was paid is refunded. A master id declines every stay of the order that waits.',
    body: CancelRequest,
    bodyOptional: true,
    reply: CancelledBooking,
    examples: {
      params: { booking_id: declined.booking_id },
      body: { reason: declined.cancel_reason },
      reply: endedExample(declined),
    },
  },
  markNoShow: {
    ...hostMove('no-show', 'manage', 'Closes the booking of a guest who did not come', missed),
    description:
      'From the check-in cut-off of the listing (`no_checkin_after_hour`), else from the midnight after check-in, for 30 days; also of a stay that ended without check-in and was completed by itself. The hours from the next whole hour on are free again. The guest is refunded by the terms frozen with the booking, or `refund_amount` if that is more. A master id closes every stay of the order, and is refused while one of them is too early or too late. NO_SHOW is final.',
    body: NoShowRequest,
    bodyOptional: true,
    reply: CancelledBooking,
    examples: {
      params: { booking_id: missed.booking_id },
      body: { refund_amount: 0 },
      reply: endedExample(missed),
    },
  },
  checkInBooking: {
    ...hostMove(
      'check-in',
      'operate',
      'Checks the guest in, from the check-in date until the stay has ended',
      {
        booking_id: exampleIds.toCheckIn,
        state: 'CHECKED_IN',
        status: 'CHECKED_IN',
      },
    ),
    description:
      'Before `start_at` the hours of the home from the present one on are the guest’s too, at the same price, in the same transaction. LISTING_NOT_AVAILABLE while another stay that is not over, a soft lock or a block of the host has one of them: `details.taken_by` names each. Hours that an imported event or the preparation after a stay takes from the present one on stay theirs.',
    errors: ['BOOKING_NOT_FOUND', 'INVALID_STATE_TRANSITION', 'LISTING_NOT_AVAILABLE'],
  },
  undoCheckIn: {
    ...hostMove(
      'undo-check-in',
      'operate',
      'Undoes a check-in of the last 24 hours: the booking is CONFIRMED again; unpaid after its time to pay it is cancelled',
      { booking_id: exampleIds.toUndo },
    ),
    description: 'Hours before `start_at` that the check-in has taken are free again.',
  },
  checkOutBooking: hostMove(
    'check-out',
    'operate',
    'Checks the guest out; before the end of the stay, its hours from the next whole hour on are free again',
    { booking_id: exampleIds.toCheckOut, state: 'CHECKED_OUT', status: 'CHECKED_OUT' },
  ),
  completeBooking: hostMove('complete', 'operate', 'Completes a stay after check-out', {
    booking_id: exampleIds.toComplete,
    state: 'COMPLETED',
    status: 'COMPLETED',
  }),
  releaseAccess: {
    ...hostMove(
      'release-access',
      'operate',
      'Lets the guest read Wi-Fi and door code although the stay is not paid',
      { booking_id: exampleIds.booking, access: { state: 'AT', at: '2027-02-03T07:00:00.000Z' } },
    ),
    description:
      'From 24 hours before check-in until check-out. A check-in does the same. A master id releases every stay of the order.',
  },
  ...paymentRows,
  ...transferRows,
});
