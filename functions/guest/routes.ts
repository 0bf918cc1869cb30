import * as z from 'zod';
import {
  bookingDetailExample,
  cancellationExample,
  readByGuest,
} from '../../shared/domain/booking/booking-example.schema.ts';
import { AccessInfo, Cancellation, CancelRequest } from '../../shared/domain/booking/booking.schema.ts';
import {
  CancelledByGuest,
  GuestAccessRequest,
  GuestBooking,
} from '../../shared/domain/booking/guest-booking.schema.ts';
import {
  ChatMessage,
  ChatMessagePage,
  ListMessagesQuery,
  SendMessage,
} from '../../shared/domain/chat/chat.schema.ts';
import { changedExample, changePreviewExample } from '../../shared/domain/checkout/change-example.schema.ts';
import { ChangedByGuest, ChangePreview, ChangeRequest } from '../../shared/domain/checkout/change.schema.ts';
import { CreateReview, Review } from '../../shared/domain/listing/review.schema.ts';
import { DuePage, duePageExample } from '../../shared/domain/payment/due-page.schema.ts';
import { exampleIds } from '../../shared/platform/http/example-records.ts';
import { defineRoutes } from '../../shared/platform/http/route.ts';

const byLink = { access: 'guest', tag: 'Links of guests' } as const;
const id = exampleIds.ofLink;

const stay = {
  ...bookingDetailExample,
  ...{ id, master_reservation_id: id - 1, user_id: null, chat_thread_id: id },
  guest_info: { name: 'Trần Thị Bình', full_name: 'Trần Thị Bình' },
  reservations: bookingDetailExample.reservations.map((one) => ({ ...one, id })),
};
const listing_id = String(stay.listing_number);
const guestBooking = { ...stay, note: null, listing_id, ...readByGuest, pays_online: false };

const message = {
  id: 17_402_349_999_002,
  thread_id: id,
  sender_type: 'GUEST',
  sender_id: null,
  sender_name: stay.guest_info.name,
  text: 'Chúng tôi đến lúc 16 giờ.',
  created_at: '2027-01-15T03:05:00.000Z',
} as const satisfies ChatMessage;

const newStay = { check_out_date: '2027-08-23' };

/** Messengers add parameters of their own to links that they pass on. */
const addedByOthers = z.object({});

/** What a guest does by the link to a stay, without an account (D122). The token says which stay. */
export const guestRoutes = defineRoutes('guest', {
  getGuestPage: {
    method: 'GET',
    path: '/g',
    access: 'public',
    tag: 'Links of guests',
    summary: 'The page of a guest’s link: reads, pays, changes and cancels a stay, and writes to the host',
    description: 'The token is behind the `#` of the link, which browsers send to no server.',
    query: addedByOthers,
    status: 200,
    reply: { contentType: 'text/html; charset=utf-8', meaning: 'A page in Vietnamese and English.' },
    errors: [],
    examples: { reply: '<!doctype html><title>Nightlatch</title>' },
  },
  getGuestBooking: {
    ...byLink,
    method: 'GET',
    path: '/api/v1/guest/booking',
    summary: 'The stay of the link',
    description:
      'As its guest reads it, without telephone number, address, note and entry information. A link that is unknown, was replaced or has ended is NOT_FOUND; one that is replaced while its request is under way BOOKING_NOT_FOUND.',
    status: 200,
    reply: GuestBooking,
    errors: ['BOOKING_NOT_FOUND'],
    examples: { reply: guestBooking },
  },
  readGuestAccess: {
    ...byLink,
    method: 'POST',
    path: '/api/v1/guest/access-info',
    summary: 'Wi-Fi and door code, by the last digits of the telephone number',
    description:
      'While `access.state` is SHOWN, by a link from a mail or the host. Wrong digits are FORBIDDEN; after five of them the host replaces the link.',
    body: GuestAccessRequest,
    status: 200,
    reply: AccessInfo,
    errors: ['BOOKING_NOT_FOUND', 'FORBIDDEN', 'INVALID_STATE_TRANSITION'],
    examples: {
      body: { phone_digits: '5678' },
      reply: { wifi_name: 'Hoa Nang', wifi_password: 'dalat2027', door_code: { 'Main door': '2580' } },
    },
  },
  listGuestMessages: {
    ...byLink,
    method: 'GET',
    path: '/api/v1/guest/messages',
    summary: 'The messages between the guest and the host of the stay, oldest first',
    query: ListMessagesQuery,
    status: 200,
    reply: ChatMessagePage,
    errors: ['BOOKING_NOT_FOUND'],
    examples: {
      reply: {
        items: [message],
        ...{ total: 1, total_is_exact: true, page: 1, limit: 20, total_pages: 1, next_cursor: null },
      },
    },
  },
  sendGuestMessage: {
    ...byLink,
    method: 'POST',
    path: '/api/v1/guest/messages',
    summary: 'Writes to the host of the stay',
    body: SendMessage,
    status: 201,
    reply: ChatMessage,
    errors: ['BOOKING_NOT_FOUND'],
    idempotent: true,
    examples: { body: { text: message.text }, reply: message },
  },
  payGuestBooking: {
    ...byLink,
    method: 'POST',
    path: '/api/v1/guest/pay',
    summary: 'The page on which the guest pays what is due',
    description:
      'The one that is open, or a new one. INVALID_STATE_TRANSITION where nothing is due, where the host has not accepted the stay, and where the home is not paid online.',
    status: 201,
    reply: DuePage,
    errors: ['BOOKING_NOT_FOUND', 'INVALID_STATE_TRANSITION', 'PAYMENT_GATEWAY_UNAVAILABLE'],
    idempotent: true,
    examples: { reply: duePageExample },
  },
  getGuestTransferCode: {
    ...byLink,
    method: 'GET',
    path: '/api/v1/guest/transfer-code',
    summary: 'The VietQR code of the bank transfer that is due, as a picture',
    status: 200,
    reply: { contentType: 'image/svg+xml', meaning: 'A QR code (ISO/IEC 18004).' },
    errors: ['BOOKING_NOT_FOUND', 'INVALID_STATE_TRANSITION'],
    examples: {
      reply: '<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 45 45"><path d="M4,4h1v1h-1z"/></svg>',
    },
  },
  previewGuestChange: {
    ...byLink,
    method: 'POST',
    path: '/api/v1/guest/change-preview',
    summary: 'What another time, home or party would cost, and whether it is free',
    description: 'As `POST /bookings/{booking_id}/change-preview` by the guest. Changes nothing.',
    body: ChangeRequest,
    status: 200,
    reply: ChangePreview,
    errors: ['BOOKING_NOT_FOUND', 'INVALID_STATE_TRANSITION', 'LISTING_NOT_FOUND', 'STAY_NOT_ALLOWED'],
    examples: { body: newStay, reply: changePreviewExample(id) },
  },
  changeGuestBooking: {
    ...byLink,
    method: 'POST',
    path: '/api/v1/guest/change',
    objective: 'booking',
    summary: 'Changes dates, home, guests or extras of the stay',
    description:
      'As `POST /bookings/{booking_id}/change` by the guest: until the end of the free cancellation, all or nothing. What it costs more is paid on the page of `change.payment_url` while the new time is held.',
    body: ChangeRequest,
    status: 200,
    reply: ChangedByGuest,
    errors: [
      'BOOKING_NOT_FOUND',
      'INVALID_STATE_TRANSITION',
      'LISTING_NOT_FOUND',
      'STAY_NOT_ALLOWED',
      'LISTING_NOT_AVAILABLE',
      'PRICE_CHANGED',
      'PAYMENT_DECLINED',
      'PAYMENT_GATEWAY_UNAVAILABLE',
    ],
    idempotent: true,
    examples: {
      body: newStay,
      reply: { id, state: 'CONFIRMED', change: changedExample(id).change },
    },
  },
  getGuestCancellation: {
    ...byLink,
    method: 'GET',
    path: '/api/v1/guest/cancellation',
    summary: 'What cancelling the stay would refund, now and at each later deadline',
    status: 200,
    reply: Cancellation,
    errors: ['BOOKING_NOT_FOUND'],
    examples: { reply: { ...cancellationExample, booking_id: id } },
  },
  cancelGuestBooking: {
    ...byLink,
    method: 'POST',
    path: '/api/v1/guest/cancel',
    objective: 'booking',
    summary: 'Cancels the stay, refunded by its terms',
    body: CancelRequest,
    bodyOptional: true,
    status: 200,
    reply: CancelledByGuest,
    errors: ['BOOKING_NOT_FOUND', 'INVALID_STATE_TRANSITION'],
    idempotent: true,
    examples: {
      body: { reason: 'Plans changed' },
      reply: { id, state: 'CANCELLED', refund: { amount: 0, status: 'NONE' } },
    },
  },
  reviewGuestBooking: {
    ...byLink,
    method: 'POST',
    path: '/api/v1/guest/review',
    summary: 'Reviews a stay that is COMPLETED, once',
    description:
      'By a link from a mail to the guest or from the partner: one that a host has handed over reviews nothing.',
    body: CreateReview,
    status: 201,
    reply: Review,
    errors: ['BOOKING_NOT_FOUND', 'FORBIDDEN', 'INVALID_STATE_TRANSITION'],
    idempotent: true,
    examples: {
      body: { rating: 5, comment: 'Rất sạch sẽ.' },
      reply: {
        ...{ id: 369_435_906_933_102, listing_id: 4711, guest_name: 'Bình' },
        ...{ rating: 5, comment: 'Rất sạch sẽ.', reply: null, created_at: '2027-01-15T03:05:00.000Z' },
      },
    },
  },
});
