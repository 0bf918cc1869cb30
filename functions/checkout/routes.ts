import * as z from 'zod';
import { bookingDetailExample } from '../../shared/domain/booking/booking-example.schema.ts';
import {
  Checkout,
  Confirmation,
  ConfirmRequest,
  AdoptRequest,
  GuestBookingRequest,
} from '../../shared/domain/checkout/checkout.schema.ts';
import {
  checkoutExample,
  itemExample,
  previewExample,
} from '../../shared/domain/pricing/quote-example.schema.ts';
import { Preview, PreviewRequest } from '../../shared/domain/pricing/quote.schema.ts';
import { exampleIds } from '../../shared/platform/http/example-records.ts';
import { defineRoutes } from '../../shared/platform/http/route.ts';
import { PathId } from '../../shared/platform/schema/schema.ts';

const checkoutId = z.strictObject({ checkout_id: PathId });

const confirmation = {
  master_reservation_id: bookingDetailExample.master_reservation_id,
  reservations: bookingDetailExample.reservations.map((stay) => ({
    ...stay,
    check_in: itemExample.check_in_date,
    check_in_date: itemExample.check_in_date,
    check_out: itemExample.check_out_date,
    check_out_date: itemExample.check_out_date,
    guests: itemExample.guest_number,
    guest_number: itemExample.guest_number,
    total_price: 5_650_000,
  })),
  payment_status: 'PENDING',
  estimated_total: 5_650_000,
  currency: 'VND',
} satisfies z.input<typeof Confirmation>;

/** From a price to a booking (D33–D46). */
export const checkoutRoutes = defineRoutes('checkout', {
  previewCheckout: {
    method: 'POST',
    path: '/api/v1/checkout/preview',
    access: 'customer',
    objective: 'booking',
    tag: 'Checkout',
    summary: 'What an order would cost, line by line, and whether its time is free',
    description: 'Locks nothing. The same function prices the checkout and the booking.',
    body: PreviewRequest,
    status: 200,
    reply: Preview,
    errors: ['LISTING_NOT_FOUND', 'STAY_NOT_ALLOWED'],
    examples: { body: { items: [itemExample], currency: 'VND' }, reply: previewExample },
  },
  createCheckout: {
    method: 'POST',
    path: '/api/v1/checkout',
    access: 'customer',
    objective: 'booking',
    tag: 'Checkout',
    summary: 'Soft-locks the time of an order for 15 minutes, at the price of this moment',
    description:
      'All or nothing. A newer checkout of the same caller for the same listing and time replaces the older one; at most 5 may be live.',
    body: PreviewRequest,
    status: 201,
    reply: Checkout,
    errors: ['LISTING_NOT_FOUND', 'LISTING_NOT_AVAILABLE', 'STAY_NOT_ALLOWED', 'RATE_LIMIT_EXCEEDED'],
    idempotent: true,
    examples: { body: { items: [itemExample], currency: 'VND' }, reply: checkoutExample },
  },
  confirmCheckout: {
    method: 'POST',
    path: '/api/v1/checkout/confirm',
    access: 'customer',
    objective: 'confirm',
    tag: 'Checkout',
    summary: 'Books an order, all or nothing',
    description:
      'With a live soft lock of the caller the held price is charged; without one, or when it has expired, the time is taken at once if it is free, at the present price and under the stay rules of now. CASH and BANK_TRANSFER bookings are CONFIRMED with payment_status PENDING. ONLINE_GATEWAY with a payment_gateway_token is charged at once; without one the booking is CONFIRMED and PENDING, and the customer pays at payment_url within the payment window, or it is cancelled. A stay in a listing without instant_book_enabled is PENDING until its host accepts it, 24 hours at most, and has its payment_url only then; a token is authorised for it, charged when the host accepts and void when the host does not: payment never takes the host’s place. In an order of both kinds either payment that is declined books nothing. At most 5 future stays of a customer may be unpaid at a time.',
    body: ConfirmRequest,
    status: 201,
    reply: Confirmation,
    errors: [
      'LISTING_NOT_FOUND',
      'NOT_FOUND',
      'LISTING_NOT_AVAILABLE',
      'STAY_NOT_ALLOWED',
      'PRICE_CHANGED',
      'TOO_MANY_UNPAID_BOOKINGS',
      'INVALID_STATE_TRANSITION',
      'CHECKOUT_EXPIRED',
      'USER_NOT_VERIFIED',
      'IDENTITY_PROVIDER_UNAVAILABLE',
      'PAYMENT_DECLINED',
      'PAYMENT_GATEWAY_UNAVAILABLE',
      'CHECKOUT_CREATE_BOOKING_FAILED',
    ],
    idempotent: true,
    examples: {
      body: { items: [itemExample], currency: 'VND', payment_method: 'CASH', expected_total: 5_650_000 },
      reply: confirmation,
    },
  },
  bookForGuest: {
    method: 'POST',
    path: '/api/v1/bookings',
    access: 'host',
    permission: 'manage',
    objective: 'confirm',
    tag: 'Bookings',
    summary: 'Books for a guest, as on the telephone; the guest needs no account',
    description:
      "One order of listings of the acting team (`X-Team-ID`), all or nothing, priced like a checkout. CONFIRMED at once, also where the host otherwise accepts each booking. The guest gets the mails at the address in `guest_info`. ONLINE_GATEWAY answers a `payment_url` to pass on. With the `availability_id` of an imported stay it adopts that stay: CONFIRMED and PAID with `payment_method` PLATFORM, by the name of its calendar as `external_system`. Its guest gets no mail, and the platform's calendar leads its time from then on.",
    body: z.union([GuestBookingRequest, AdoptRequest]),
    status: 201,
    reply: Confirmation,
    errors: [
      'LISTING_NOT_FOUND',
      'LISTING_NOT_AVAILABLE',
      'STAY_NOT_ALLOWED',
      'PRICE_CHANGED',
      'PAYMENT_GATEWAY_UNAVAILABLE',
      'NOT_FOUND',
      'INVALID_STATE_TRANSITION',
    ],
    idempotent: true,
    examples: {
      body: {
        guest_info: { full_name: 'Trần Thị Bình', phone: '+84 912 345 678', email: 'binh@example.com' },
        items: [{ ...itemExample, check_in_date: '2027-02-18', check_out_date: '2027-02-21' }],
        payment_method: 'CASH',
        note: 'We bring a cot for the baby.',
        arrival_time: '17:30:00',
      },
      reply: confirmation,
    },
  },
  extendCheckout: {
    method: 'POST',
    path: '/api/v1/checkout/{checkout_id}/extend',
    access: 'customer',
    objective: 'booking',
    tag: 'Checkout',
    summary: 'Gives a live soft lock another 15 minutes, once',
    params: checkoutId,
    status: 200,
    reply: Checkout,
    errors: ['NOT_FOUND', 'CHECKOUT_EXPIRED', 'INVALID_STATE_TRANSITION'],
    idempotent: true,
    examples: { reply: checkoutExample },
  },
  releaseCheckout: {
    method: 'DELETE',
    path: '/api/v1/checkout/{checkout_id}',
    access: 'customer',
    objective: 'booking',
    tag: 'Checkout',
    summary: 'Releases a soft lock',
    params: checkoutId,
    status: 200,
    reply: z.object({ message: z.string(), checkout_id: z.int() }).meta({ id: 'ReleasedCheckout' }),
    errors: ['NOT_FOUND', 'INVALID_STATE_TRANSITION'],
    examples: {
      params: { checkout_id: exampleIds.checkoutToRelease },
      reply: { message: 'Checkout released', checkout_id: exampleIds.checkoutToRelease },
    },
  },
});
