import { exampleIds } from '../../platform/http/example-records.ts';
import { quoteExample } from '../pricing/quote-example.schema.ts';
import type { BookingAction } from './booking-action.schema.ts';
import type { GuestCorrection } from './guest-correction.schema.ts';
import type { BookingHistory } from './booking-history.schema.ts';
import type { Booking, BookingDetail, Cancellation } from './booking.schema.ts';

/** What a booking has that is due at once. */
export const nothingLater = { amount_due_later: 0, balance_due_at: null };

/** One night of two guests, a week after those of the checkout. */
const dates = { check_in_date: '2027-02-11', check_out_date: '2027-02-12' };
const times = { start_at: '2027-02-11T14:00:00', end_at: '2027-02-12T12:00:00' };
const [night, , , , , cleaning] = quoteExample.lines;

/** The price of the booking of the examples. */
export const bookedQuoteExample = {
  ...quoteExample,
  ...dates,
  ...times,
  nights: 1,
  guest_number: 2,
  adult_number: 2,
  children_number: 0,
  base_price: 1_000_000,
  extra_guest_fee: 0,
  extra_adult_fee: 0,
  extra_child_fee: 0,
  extra_services_total: 0,
  extra_services: [],
  total: 1_200_000,
  lines: [night, cleaning].flatMap((line) =>
    line
      ? [line.kind === 'night' ? { ...line, label: 'Night of 2027-02-11', date: '2027-02-11' } : line]
      : [],
  ),
};

const stay = {
  id: exampleIds.booking,
  listing_id: 4711,
  listing_number: 4711,
  listing_name: 'Biệt thự Đà Lạt',
  state: 'CONFIRMED',
  status: 'CONFIRMED',
  check_in: dates.check_in_date,
  check_out: dates.check_out_date,
  ...dates,
  guests: 2,
  guest_number: 2,
  total_price: bookedQuoteExample.total,
} as const;

/** What the guest of the example reads beside. */
export const readByGuest = {
  pending_change: null,
  allowed_actions: ['CANCEL', 'CHANGE'] satisfies BookingAction[],
};

/** Example of a booking in a list. */
export const bookingExample = {
  ...stay,
  master_reservation_id: exampleIds.booking - 1,
  team_id: 71,
  user_id: 5312,
  ...times,
  timezone: 'Asia/Ho_Chi_Minh',
  nights: 1,
  guest_info: {
    name: 'Nguyễn Văn An',
    full_name: 'Nguyễn Văn An',
    phone: '+84 901 234 567',
    email: 'guest@nightlatch.example',
  },
  currency: 'VND',
  payment_method: 'CASH',
  payment_status: 'PAID',
  payment_expires_at: null,
  payment_transaction_id: null,
  amount_due: 0,
  ...nothingLater,
  amount_paid: bookedQuoteExample.total,
  amount_refunded: 0,
  secured: true,
  external_system: null,
  external_booking_id: null,
  created_at: '2027-01-20T08:00:00.000Z',
  updated_at: '2027-01-20T08:00:00.000Z',
} satisfies Booking;

export const hostBookingExample = {
  ...bookingExample,
  amount_to_return: 0,
  deposit_to_return: 0,
} satisfies Booking;

export const bookingDetailExample = {
  ...bookingExample,
  note: null,
  arrival_time: null,
  listing_address: '12 Trần Hưng Đạo, Phường 10, Đà Lạt',
  host_info: { name: 'Thông Xanh Homes', phone: '+84 263 382 2222' },
  adults: 2,
  adult_number: 2,
  children: 0,
  children_number: 0,
  payment_url: null,
  price: [bookedQuoteExample],
  lines: bookedQuoteExample.lines,
  charges: [],
  security_deposit: {
    amount: bookedQuoteExample.deposit,
    ...{ held: 0, authorised: 0, kept: 0, returned: 0, payment_url: null, payment_expires_at: null },
  },
  extra_services: bookedQuoteExample.extra_services,
  cancellation_deadline: '2027-02-08T07:00:00.000Z',
  cancellation_terms: [{ until_hours_before: 72, refund_percent: 100, keep_nights: 0 }],
  cancel_reason: null,
  chat_thread_id: exampleIds.booking,
  transfer: null,
  access: { state: 'WAITS_FOR_HOST', at: null },
  access_info: null,
  reservations: [stay],
} satisfies BookingDetail;

export const externalBookingExample = {
  ...bookingExample,
  id: exampleIds.ofPartner,
  master_reservation_id: exampleIds.ofPartner - 1,
  user_id: null,
  guest_info: {
    name: 'Trần Thị Bình',
    full_name: 'Trần Thị Bình',
    phone: '+84 912 345 678',
    email: 'binh@example.com',
  },
  external_system: 'stayhub',
  external_booking_id: 'SH-2027-0042',
} satisfies Booking;

export const cancellationExample = {
  booking_id: bookingExample.id,
  state: 'CONFIRMED',
  can_cancel: true,
  refusal: null,
  paid: 1_200_000,
  refund_now: { amount: 1_200_000, status: 'REFUNDED' },
  schedule: [
    { until: '2027-02-08T07:00:00.000Z', refund: 1_200_000 },
    { until: null, refund: 0 },
  ],
  currency: 'VND',
} satisfies Cancellation;

const guest = { kind: 'guest', id: 5312, name: bookingExample.guest_info.full_name } as const;

export const bookingHistoryExample = {
  items: [
    {
      id: 'evt_mz5c8q4g0000a3f0c1d2e3b45',
      booking_id: bookingExample.id,
      occurred_at: '2027-01-20T08:00:00.000Z',
      event_type: 'booking.created',
      who: guest,
      why: null,
      state: 'PENDING',
      payment_status: 'PENDING',
      refund: null,
      amount: null,
      guest_fields: null,
      deposit_action: null,
      currency: 'VND',
      was: null,
      now: null,
    },
    {
      id: 'evt_mz5dq1zs00007b6e5f4a3c2d1',
      booking_id: bookingExample.id,
      occurred_at: '2027-01-20T08:42:00.000Z',
      event_type: 'booking.confirmed',
      who: { kind: 'host', id: 4100, name: 'Trần Thị Linh' },
      why: null,
      state: 'CONFIRMED',
      payment_status: 'PENDING',
      refund: null,
      amount: null,
      guest_fields: null,
      deposit_action: null,
      currency: 'VND',
      was: null,
      now: null,
    },
    {
      id: 'evt_mz8fk2ps0000c9d8e7f6a5b43',
      booking_id: bookingExample.id,
      occurred_at: '2027-01-22T11:15:30.000Z',
      event_type: 'booking.cancelled',
      who: guest,
      why: 'Plans changed',
      state: 'CANCELLED',
      payment_status: 'PENDING',
      refund: 0,
      amount: null,
      guest_fields: null,
      deposit_action: null,
      currency: 'VND',
      was: null,
      now: null,
    },
  ],
} satisfies BookingHistory;

export const externalHistoryExample = {
  items: bookingHistoryExample.items.map(({ who, ...change }) => ({
    ...change,
    booking_id: exampleIds.ofPartner,
    who: who.kind === 'host' ? { ...who, id: null, name: null } : who,
  })),
} satisfies BookingHistory;

/** A mistyped number, and a later arrival. */
export const correctionExample = {
  guest_info: { phone: '+84 901 234 568' },
  arrival_time: '21:30:00',
} satisfies GuestCorrection;

/** A mistyped address. */
export const addressExample = {
  guest_info: { email: 'binh.tran@example.com' },
} satisfies GuestCorrection;

/** The guest of a booking of a partner, without an account. */
export const correctedExample = ({ guest_info }: GuestCorrection) => ({
  guest_info: {
    ...{ name: 'Trần Thị Bình', full_name: 'Trần Thị Bình' },
    phone: guest_info?.phone ?? '+84 912 345 678',
    email: guest_info?.email ?? 'binh@example.com',
  },
  arrival_time: '17:30:00',
});
