import * as z from 'zod';
import { deflateWith, inflateRaw, inflateWith } from '../../platform/compression.ts';
import { changedAt } from '../../platform/lists/list-kind.ts';
import { orderIdOf } from '../../platform/ids.ts';
import {
  binary,
  defineEntity,
  defineRecord,
  type Read,
  readOf,
  type RecordOf,
} from '../../platform/table/index.ts';
import { PaymentMethod } from '../payment/model.ts';
import type { ItemQuote } from '../pricing/model.ts';
import { BookingState, PaymentStatus } from './booking-state.schema.ts';

/**
 * The deflate dictionary of frozen quotes. It must never change: quotes that were compressed with it are read with it. A
 * quote with other words is only a little longer.
 */
export const quoteDictionary = Buffer.from(
  '"weekday" "monthly_price" "night_short_discount" Late overnight discount Monthly price Com' +
    'bo discount "per_use" "per_night" "hourly" "daily" "night_short" "combo" "day" Day use on ' +
    '"hours" First Extra hours "price_first_hours" "extra_hour_price" "price_per_hour" "package' +
    '" Price of the stay "USD" {"listing_id":1,"listing_name":"","check_in_date":"2027-01-01","' +
    'check_out_date":"2027-01-04","start_at":"2027-01-01T14:00:00","end_at":"2027-01-04T12:00:0' +
    '0","nights":3,"hours":null,"guest_number":4,"adult_number":3,"children_number":1,"rooms":1' +
    ',"pricing_type":"nightly","combo_id":null,"base_price":4000000,"combo_price":null,"hourly_' +
    'price":null,"daily_price":null,"night_short_discount":0,"last_minute_discount":400000,"mon' +
    'thly_discount":0,"total_discount":400000,"extra_guest_fee":250000,"extra_adult_fee":200000' +
    ',"extra_child_fee":50000,"cleaning_fee":200000,"extra_services_total":200000,"extra_servic' +
    'es":[{"id":4,"name":"","price":50000,"price_unit":"per_person","quantity":4}],"earning":36' +
    '12500,"commission_rate":0.15,"deposit":500000,"currency":"VND","total":4250000,"lines":[{"' +
    'kind":"night","label":"Night of 2027-01-01","quantity":1,"unit_price":1000000,"amount":100' +
    '0000,"date":"2027-01-01","source":"full_rate"},{"kind":"night","label":"Night of 2027-01-0' +
    '2","quantity":1,"unit_price":1000000,"amount":1000000,"date":"2027-01-02","source":"full_r' +
    'ate"},{"kind":"night","label":"Night of 2027-01-03","quantity":1,"unit_price":2000000,"amo' +
    'unt":2000000,"date":"2027-01-03","source":"rule:4"},{"kind":"extra_adults","label":"Extra ' +
    'guests","quantity":2,"unit_price":100000,"amount":200000,"source":"extra_adult_rate"},{"ki' +
    'nd":"extra_children","label":"Children","quantity":1,"unit_price":50000,"amount":50000,"so' +
    'urce":"extra_child_rate"},{"kind":"cleaning","label":"Cleaning fee","quantity":1,"unit_pri' +
    'ce":200000,"amount":200000,"source":"cleaning_fee"},{"kind":"discount","label":"Last-minut' +
    'e discount","quantity":1,"unit_price":-400000,"amount":-400000,"source":"last_minute_disco' +
    'unt"},{"kind":"service","label":"","quantity":4,"unit_price":50000,"amount":200000,"source' +
    '":"service:"}]}',
);

/**
 * A quote as stored: JSON, deflated with a dictionary of frequent words. Three priced nights take about two hundred
 * bytes, so that an order of one stay fits into one kilobyte.
 */
type FrozenQuote = Uint8Array;

export const freezeQuote = (quote: ItemQuote): FrozenQuote =>
  deflateWith(quoteDictionary, JSON.stringify(quote));

/** Quotes from before the dictionary have no zlib header. */
export const thawQuote = (frozen: FrozenQuote): ItemQuote => {
  const json = frozen[0] === zlibHeader ? inflateWith(quoteDictionary, frozen) : inflateRaw(frozen);
  return JSON.parse(json.toString()) as ItemQuote;
};

/** Deflate with a window of 32 KB. A stream without a header never begins with this byte. */
const zlibHeader = 0x78;

/** The guest of a stay. Guests of external bookings need no account (D52). */
const GuestRecord = defineRecord(() => ({
  user_id: z.int().nullable(),
  full_name: z.string(),
  phone: z.string(),
  email: z.string(),
  language: z.string(),
  note: z.string().optional(),
  arrival_time: z.string().optional(),
  /** Of an order that is charged by token: teams may have another name, which its stays get (D107). */
  is_renamed: z.boolean().exactOptional(),
}));
export type Guest = RecordOf<typeof GuestRecord>;

/** What was asked for a stay. */
export const StayRequestRecord = defineRecord(() => ({
  listing_id: z.int(),
  check_in_date: z.string(),
  check_out_date: z.string(),
  check_in_time: z.string().nullish(),
  check_out_time: z.string().nullish(),
  guest_number: z.int(),
  adult_number: z.int().nullish(),
  children_number: z.int().nullish(),
  rooms: z.int().nullish(),
  combo_id: z.int().nullish(),
  extra_service_ids: z.array(z.int()).nullish(),
}));

/** One stay of an order with its frozen price. */
const OrderItemRecord = defineRecord(() => ({
  reservation_id: z.int(),
  availability_id: z.int(),
  listing_id: z.int(),
  listing_name: z.string(),
  team_id: z.int(),
  /** The listing whose calendar holds the hours: the parent of a child, else the listing itself (D26). */
  calendar_id: z.int(),
  timezone: z.string(),
  /** The listing's local time. */
  start_at: z.string(),
  end_at: z.string(),
  /** The listing's preparation after the stay, frozen (D77); absent: none. */
  preparation_hours: z.int().exactOptional(),
  instant_book: z.boolean(),
  /** Hours before check-in until which a cancellation refunds in full; null: never. Frozen (D48). */
  refund_notice_hours: z.int().nullable(),
  /** Accepted methods; absent: all (D85). */
  payment_methods: z.array(PaymentMethod).exactOptional(),
  /** Hours until a bank transfer must arrive; absent: 72. */
  transfer_window_hours: z.int().exactOptional(),
  request: StayRequestRecord(),
  quote: binary(),
}));
export type OrderItem = RecordOf<typeof OrderItemRecord>;

/** Hours under a soft lock. */
const HeldTimeRecord = defineRecord(() => ({
  availability_id: z.int(),
  calendar_id: z.int(),
  listing_id: z.int(),
  /** The listing's local time. */
  start_at: z.string(),
  end_at: z.string(),
  preparation_hours: z.int().exactOptional(),
}));
export type HeldTime = RecordOf<typeof HeldTimeRecord>;

/** A change of a booked stay that takes effect when it is paid (D84); the order has the stay as it will be. */
const PendingChangeRecord = defineRecord(() => ({
  reservation_id: z.int(),
  /** How often the stay had been changed. */
  changes: z.int(),
  /** What the stay costs more. */
  difference: z.number(),
  /** What is to be paid. */
  due: z.number(),
  /** The reference of the caller who asked for it. */
  by: z.string(),
  /** The hours that the stay does not have yet. */
  holds: z.array(HeldTimeRecord()),
}));
export type PendingChange = RecordOf<typeof PendingChangeRecord>;

/**
 * An order: first the soft lock of a checkout, then the master of its reservations. It is one item, so that the write
 * that books also consumes the lock.
 */
const OrderRecord = defineRecord(() => ({
  /** Published as `checkout_id`, and as `master_reservation_id` after the confirmation (D49). */
  order_id: z.int(),
  state: z.enum(['HELD', 'CHARGING', 'BOOKED', 'RELEASED']),
  /** The caller's reference. */
  holder: z.string(),
  /** Epoch milliseconds until which an unbooked order holds its hours. */
  locked_until: z.int(),
  extended: z.boolean(),
  items: z.array(OrderItemRecord()),
  currency: z.string(),
  estimated_total: z.number(),
  guest: GuestRecord().nullable(),
  /** How often its stays were changed (D84). */
  changes: z.int().exactOptional(),
  /** Of an order that books nothing, but changes a booked stay. */
  change: PendingChangeRecord().exactOptional(),
  /** UTC. */
  created_at: z.string(),
}));
export type Order = RecordOf<typeof OrderRecord>;

/** A charge at the gateway, and how much of it pays the stay. */
const ChargeRecord = defineRecord(() => ({
  payment_id: z.int(),
  transaction_id: z.string(),
  /** The gateway's id of the payment, and when it was opened (epoch milliseconds). */
  reference: z.string(),
  opened_at: z.int(),
  /** The whole charge. */
  paid: z.number(),
  amount: z.number(),
}));
export type Charge = RecordOf<typeof ChargeRecord>;

const ReservationRecord = defineRecord(() => ({
  reservation_id: z.int(),
  order_id: z.int(),
  availability_id: z.int(),
  listing_id: z.int(),
  listing_name: z.string(),
  calendar_id: z.int(),
  team_id: z.int(),
  state: BookingState,
  payment_method: PaymentMethod,
  payment_status: PaymentStatus,
  check_in_date: z.string(),
  check_out_date: z.string(),
  /** The listing's local time; `timezone` turns it into an instant. */
  start_at: z.string(),
  end_at: z.string(),
  /** Hours after the end that are taken too (D77); absent: none. */
  preparation_hours: z.int().exactOptional(),
  timezone: z.string(),
  nights: z.int(),
  guest_number: z.int(),
  total: z.number(),
  currency: z.string(),
  /** The cancellation terms, frozen with the price (D48b): hours before check-in; null: no refund. */
  refund_notice_hours: z.int().nullable(),
  guest: GuestRecord(),
  /** The key that made the external booking (D48, D52). */
  key_id: z.int().nullable(),
  external_system: z.string().nullable(),
  external_booking_id: z.string().nullable(),
  /** UTC. */
  created_at: z.string(),
  updated_at: z.string(),
  /** Epoch milliseconds: an online payment or bank transfer that is not made by then cancels the stay (D46, D85). */
  pay_until: z.int().exactOptional(),
  /** Paid online separately, after its host has accepted it (D86); absent: with its order. */
  pays_apart: z.literal(true).exactOptional(),
  /** A payment token was authorised before the host's acceptance (D86). */
  authorised: z.literal(true).exactOptional(),
  /** The partner has collected the price (D16) and makes refunds. */
  paid_to_partner: z.literal(true).exactOptional(),
  /** The gateway's id of the charge that paid the stay. */
  payment_transaction_id: z.string().exactOptional(),
  /** How often the stay was changed (D84). */
  changes: z.int().exactOptional(),
  /** The order of a change that waits for its payment. */
  pending_change: z.int().exactOptional(),
  /** Epoch milliseconds: a change keeps the earlier deadline of a full refund. */
  refund_until: z.int().exactOptional(),
  /** Of a PENDING stay: what was paid before a change raised its price. */
  paid_before: z.number().exactOptional(),
  /** The charges that paid it, the newest last, where one alone has not paid all; absent: `payment_transaction_id`. */
  charges: z.array(ChargeRecord()).exactOptional(),
  /** UTC; when the host let the guest read the access information before the check-in (D109). */
  access_released_at: z.string().exactOptional(),
  /** UTC; set by the check-in, removed when it is undone. */
  checked_in_at: z.string().exactOptional(),
  /** UTC; set by the check-out. */
  checked_out_at: z.string().exactOptional(),
  /** UTC; when the stay became NO_SHOW. */
  no_show_at: z.string().exactOptional(),
  /** COMPLETED by the schedule without a check-in (D83). */
  unattended: z.literal(true).exactOptional(),
  /** Of a NO_SHOW: what goes back of the price, if not all. */
  part_refunded: z.number().exactOptional(),
  /** The guest's review. */
  review_id: z.int().exactOptional(),
  /** Set if a reason was given. */
  cancel_reason: z.string().exactOptional(),
}));
export type Reservation = RecordOf<typeof ReservationRecord>;

export const OrderEntity = defineEntity<Order, Pick<Order, 'order_id'>>({
  name: 'Order',
  meaning: 'A checkout, and the master of its reservations once confirmed.',
  patterns: ['a checkout by its id', 'an order with its reservations (one Query)'],
  record: OrderRecord,
  key: { pk: 'ORDER#{order_id}', sk: 'ORDER' },
  // An expired checkout stays readable for a day, so that a late confirm gets a clear error (D45).
  expiresAt: (order) =>
    order.state === 'BOOKED' || order.state === 'CHARGING'
      ? undefined
      : Math.ceil(order.locked_until / 1000) + 86_400,
  example: { order_id: 16 },
});

export const teamStays = (teamId: number): string =>
  ReservationEntity.partition({ team_id: teamId }, 'by_team');
export const guestStays = (userId: number): string => `GUEST#${userId}`;

export const ReservationEntity = defineEntity<Reservation, Pick<Reservation, 'order_id' | 'reservation_id'>>({
  name: 'Reservation',
  meaning: 'One booked stay at one listing.',
  patterns: [
    'a reservation by its id',
    "a team's reservations, by their last change",
    "a guest's reservations, by their last change",
  ],
  record: ReservationRecord,
  key: { pk: 'ORDER#{order_id}', sk: 'RESERVATION#{reservation_id:sortable}' },
  indexes: [
    { index: 'by_team', pk: 'TEAM#{team_id}#RESERVATIONS', sk: changedAt('{updated_at}') },
    {
      index: 'by_audience',
      pk: 'GUEST#{guest.user_id}',
      sk: changedAt('{updated_at}'),
      when: { says: 'with an account', holds: ({ guest }) => guest.user_id !== null },
    },
  ],
  example: { order_id: 16, reservation_id: 17 },
});

/** Returns the request for a stay by its own id, for `getAll`. */
export const reservationRead = (reservationId: number): Read<Reservation> =>
  readOf(ReservationEntity, { order_id: orderIdOf(reservationId), reservation_id: reservationId });
