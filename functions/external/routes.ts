import * as z from 'zod';
import {
  BookingDetail,
  Cancellation,
  CancelledBooking,
  CancelRequest,
} from '../../shared/domain/booking/booking.schema.ts';
import {
  bookingDetailExample,
  cancellationExample,
  correctedExample,
  addressExample,
  externalBookingExample,
  externalHistoryExample,
} from '../../shared/domain/booking/booking-example.schema.ts';
import { bookingFilterFields } from '../../shared/domain/booking/booking-filter.schema.ts';
import { BookingHistory } from '../../shared/domain/booking/booking-history.schema.ts';
import {
  ExternalBooking,
  ExternalBookingDetail,
  ExternalBookingRequest,
  ExternallyBooked,
} from '../../shared/domain/booking/external-booking.schema.ts';
import { GuestCorrection } from '../../shared/domain/booking/guest-correction.schema.ts';
import { exampleIds } from '../../shared/platform/http/example-records.ts';
import { defineRoutes } from '../../shared/platform/http/route.ts';
import { TeamIdsText } from '../../shared/platform/http/team-ids.ts';
import { Id, pageOf, pagingFields, PathId, queryNumber } from '../../shared/platform/schema/schema.ts';
import { externalListingRows } from './listing-rows.ts';
import { externalQuoteRows } from './quote-rows.ts';

const bookingId = z.strictObject({ booking_id: PathId });

const booking = externalBookingExample;

const detail = {
  ...bookingDetailExample,
  ...externalBookingExample,
  chat_thread_id: exampleIds.ofPartner,
  reservations: bookingDetailExample.reservations.map((stay) => ({ ...stay, id: exampleIds.ofPartner })),
};

const params = { booking_id: exampleIds.ofPartner };

const page = { total: 1, total_is_exact: true, page: 1, limit: 20, total_pages: 1, next_cursor: null };

/** What a partner's back end calls with its key: listings, availability and bookings of the key's teams. */
export const externalRoutes = defineRoutes('external', {
  ...externalListingRows,
  ...externalQuoteRows,
  createExternalBooking: {
    method: 'POST',
    path: '/api/v1/external/bookings',
    access: 'partner',
    scope: 'book',
    objective: 'confirm',
    tag: 'External API',
    summary: 'Books for a guest of the partner: a stay, an order of several, or a quote',
    description:
      'A single stay by its own fields, `items` (all or nothing), or a `quote_id`; the last two answer the order with its `reservations`. Priced and validated like a checkout; a held quote costs what was held. The guest needs no account. `external_booking_id` is unique for the key and the `external_system`, which may be left out; it names the whole order.',
    body: ExternalBookingRequest,
    status: 201,
    repeated: 'What this external_booking_id was used for before, with the same content.',
    reply: ExternallyBooked,
    errors: [
      'EXTERNAL_BOOKING_ID_REQUIRED',
      'EXTERNAL_LISTING_NOT_ACCESSIBLE',
      'LISTING_NOT_AVAILABLE',
      'STAY_NOT_ALLOWED',
      'PRICE_CHANGED',
      'EXTERNAL_BOOKING_ID_CONFLICT',
      'NOT_FOUND',
      'INVALID_STATE_TRANSITION',
      'CHECKOUT_EXPIRED',
      'PAYMENT_GATEWAY_UNAVAILABLE',
    ],
    idempotent: true,
    examples: {
      body: {
        listing_id: 4711,
        guest_info: {
          full_name: 'Trần Thị Bình',
          phone: '+84 912 345 678',
          email: 'binh@example.com',
          language: 'vi',
        },
        check_in_date: '2027-02-25',
        check_out_date: '2027-02-28',
        guest_number: 4,
        nights: 3,
        payment_method: 'CASH',
        external_system: 'stayhub',
        external_booking_id: 'SH-2027-0042',
      },
      reply: booking,
    },
  },
  listExternalBookings: {
    method: 'GET',
    path: '/api/v1/external/bookings',
    access: 'partner',
    scope: 'read',
    tag: 'External API',
    summary: 'The bookings of the key’s teams, newest first',
    description:
      'Contact data in `guest_info` is null for a key without the scope `personal`, except on bookings that it made; `q` requires that scope.',
    query: z.strictObject({
      ...pagingFields,
      ...bookingFilterFields,
      team_ids: TeamIdsText,
      user_id: queryNumber(Id).optional(),
    }),
    queryErrors: {
      state: 'EXTERNAL_INVALID_STATE',
      status: 'EXTERNAL_INVALID_STATE',
      team_ids: 'EXTERNAL_INVALID_REQUEST',
      ...Object.fromEntries(
        Object.keys(bookingFilterFields)
          .filter((name) => /(^|_)(from|to|since)$/.test(name))
          .map((name) => [name, 'EXTERNAL_INVALID_DATE_FORMAT'] as const),
      ),
    },
    status: 200,
    reply: pageOf(ExternalBooking),
    errors: [],
    examples: { reply: { items: [booking], ...page } },
  },
  getExternalBooking: {
    method: 'GET',
    path: '/api/v1/external/bookings/{booking_id}',
    access: 'partner',
    scope: 'read',
    tag: 'External API',
    summary: 'A booking of the key’s teams',
    description:
      'Contact data in `guest_info` and `host_info` is null for a key without the scope `personal`, unless it made the booking. Texts that people wrote, such as `note`, are as they were written.',
    params: bookingId,
    status: 200,
    reply: ExternalBookingDetail,
    errors: ['EXTERNAL_BOOKING_NOT_ACCESSIBLE'],
    examples: { params, reply: { ...detail, pending_change: null } },
  },
  correctExternalGuest: {
    method: 'PATCH',
    path: '/api/v1/external/bookings/{booking_id}',
    access: 'partner',
    scope: 'book',
    tag: 'External API',
    summary: 'Corrects the guest, the arrival time or the note of a booking that this key made',
    description:
      'Until the check-in; fields that are left out stay. With another e-mail address `guest_url` and earlier links end: the address gets a mail with a new one, and so does `GET /external/bookings/{booking_id}`. Of the id of an order, all of its stays.',
    params: bookingId,
    body: GuestCorrection,
    status: 200,
    reply: BookingDetail,
    errors: ['EXTERNAL_BOOKING_NOT_ACCESSIBLE', 'INVALID_STATE_TRANSITION'],
    idempotent: true,
    examples: {
      params: { booking_id: exampleIds.toCorrect },
      body: addressExample,
      reply: {
        ...detail,
        ...{ id: exampleIds.toCorrect, master_reservation_id: exampleIds.toCorrect - 1 },
        ...correctedExample(addressExample),
      },
    },
  },
  getExternalCancellation: {
    method: 'GET',
    path: '/api/v1/external/bookings/{booking_id}/cancellation',
    access: 'partner',
    scope: 'read',
    tag: 'External API',
    summary: 'What cancelling a booking would refund, now and at each later deadline',
    params: bookingId,
    status: 200,
    reply: Cancellation,
    errors: ['EXTERNAL_BOOKING_NOT_ACCESSIBLE'],
    examples: { params, reply: { ...cancellationExample, booking_id: exampleIds.ofPartner } },
  },
  listExternalHistory: {
    method: 'GET',
    path: '/api/v1/external/bookings/{booking_id}/history',
    access: 'partner',
    scope: 'read',
    tag: 'External API',
    summary: 'Every change of a booking: when, what, who and why, oldest first',
    description:
      'Each `id` is that of the event of the change. People of the host have neither id nor name here; the guest has a name for a key with the scope `personal` and for the one that made the booking.',
    params: bookingId,
    status: 200,
    reply: BookingHistory,
    errors: ['EXTERNAL_BOOKING_NOT_ACCESSIBLE'],
    examples: { params, reply: externalHistoryExample },
  },
  cancelExternalBooking: {
    method: 'POST',
    path: '/api/v1/external/bookings/{booking_id}/cancel',
    access: 'partner',
    scope: 'book',
    objective: 'booking',
    tag: 'External API',
    summary: 'Cancels a booking that this key made',
    params: bookingId,
    body: CancelRequest,
    bodyOptional: true,
    status: 200,
    reply: CancelledBooking,
    errors: ['EXTERNAL_BOOKING_NOT_ACCESSIBLE', 'INVALID_STATE_TRANSITION'],
    idempotent: true,
    examples: {
      params: { booking_id: exampleIds.ofPartnerToCancel },
      body: { reason: 'Guest fell ill' },
      reply: {
        ...detail,
        id: exampleIds.ofPartnerToCancel,
        state: 'CANCELLED',
        status: 'CANCELLED',
        cancel_reason: 'Guest fell ill',
        refund: { amount: 0, status: 'NONE' },
      },
    },
  },
});
