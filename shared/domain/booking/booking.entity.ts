import type { PaymentMethod } from '../payment/payment-method.schema.ts';
import { orderPartition } from '../../platform/ids.ts';
import { changedAt } from '../../platform/lists/list-kind.ts';
import { defineEntity, sortable } from '../../platform/table/index.ts';
import type { CheckoutItem } from '../pricing/quote.schema.ts';
import type { BookingState, PaymentStatus, StayWishes } from './booking.schema.ts';
import type { FrozenQuote } from './frozen-quote.ts';

/** Who stays, and what they let the host know. A guest of an external booking needs no account (D52). */
export interface Guest extends StayWishes {
  user_id: number | null;
  full_name: string;
  phone: string;
  email: string;
  language: string;
}

/** One stay of an order with the price that was frozen for it. */
export interface OrderItem {
  reservation_id: number;
  availability_id: number;
  listing_id: number;
  listing_name: string;
  team_id: number;
  /** The listing whose calendar holds the hours: the parent of a child, else the listing itself (D26). */
  calendar_id: number;
  timezone: string;
  /** The listing's local time. */
  start_at: string;
  end_at: string;
  instant_book: boolean;
  /** Hours before check-in until which a cancellation refunds in full; null: never (D48, frozen). */
  refund_notice_hours: number | null;
  /** How it may be paid; absent: by any method (D85). */
  payment_methods?: PaymentMethod[];
  /** Hours until which a bank transfer has to come; absent: 72. */
  transfer_window_hours?: number;
  request: CheckoutItem;
  quote: FrozenQuote;
}

/**
 * An order: first the soft lock of a checkout, then the master of its reservations. One item all the way, so that confirming
 * consumes the lock in the write that books.
 */
export interface Order {
  /** `checkout_id`, and `master_reservation_id` from the confirmation on (D49). */
  order_id: number;
  state: 'HELD' | 'CHARGING' | 'BOOKED' | 'RELEASED';
  /** The caller's reference. */
  holder: string;
  /** Epoch milliseconds until which an order that is not booked holds its hours. */
  locked_until: number;
  extended: boolean;
  items: OrderItem[];
  currency: string;
  estimated_total: number;
  guest: Guest | null;
  /** UTC. */
  created_at: string;
}

/** One booked stay. */
export interface Reservation {
  reservation_id: number;
  order_id: number;
  availability_id: number;
  listing_id: number;
  listing_name: string;
  calendar_id: number;
  team_id: number;
  state: BookingState;
  payment_method: PaymentMethod;
  payment_status: PaymentStatus;
  check_in_date: string;
  check_out_date: string;
  /** The listing's local time; `timezone` turns it into an instant. */
  start_at: string;
  end_at: string;
  timezone: string;
  nights: number;
  guest_number: number;
  total: number;
  currency: string;
  /** The cancellation terms as they stood when the price was (D48b): hours before check-in; null: no refund. */
  refund_notice_hours: number | null;
  guest: Guest;
  /** The key that made an external booking (D48, D52). */
  key_id: number | null;
  external_system: string | null;
  external_booking_id: string | null;
  /** UTC. */
  created_at: string;
  updated_at: string;
  /** Epoch milliseconds: an online payment or a bank transfer that is not made until then cancels the stay (D46, D85). */
  pay_until?: number;
  /** Paid online by itself, once its host has accepted it (D86); absent: with its order. */
  pays_apart?: true;
  /** A token was authorised for it before its host had accepted it (D86). */
  authorised?: true;
  /** The partner that booked it has collected its price (D16), and refunds it. */
  paid_to_partner?: true;
  /** The gateway's id of the charge that paid the stay. */
  payment_transaction_id?: string;
  /** UTC; from the check-out on. */
  checked_out_at?: string;
  /** The review that its guest has written. */
  review_id?: number;
  /** Why it was cancelled, where a reason was given. */
  cancel_reason?: string;
}

export const OrderEntity = defineEntity<Order, Pick<Order, 'order_id'>>({
  name: 'Order',
  meaning: 'A checkout, and the master of its reservations once confirmed.',
  patterns: ['a checkout by its id', 'an order with its reservations (one Query)'],
  key: ({ order_id }) => ({ pk: orderPartition(order_id), sk: 'ORDER' }),
  // A lapsed checkout stays readable for a day, so that a late confirm gets a clear answer (D45).
  expiresAt: (order) =>
    order.state === 'BOOKED' || order.state === 'CHARGING'
      ? undefined
      : Math.ceil(order.locked_until / 1000) + 86_400,
  example: { order_id: 16 },
});

export const teamStays = (teamId: number): string => `TEAM#${teamId}#RESERVATIONS`;
export const guestStays = (userId: number): string => `GUEST#${userId}`;

export const ReservationEntity = defineEntity<Reservation, Pick<Reservation, 'order_id' | 'reservation_id'>>({
  name: 'Reservation',
  meaning: 'One booked stay at one listing.',
  patterns: [
    'a reservation by its id',
    "a team's reservations, by their last change",
    "a guest's reservations, by their last change",
  ],
  key: ({ order_id, reservation_id }) => ({
    pk: orderPartition(order_id),
    sk: `RESERVATION#${sortable(reservation_id)}`,
  }),
  indexes: ({ team_id, guest, updated_at }) => ({
    by_team: { pk: teamStays(team_id), sk: changedAt(updated_at) },
    ...(guest.user_id === null
      ? {}
      : { by_audience: { pk: guestStays(guest.user_id), sk: changedAt(updated_at) } }),
  }),
  resorted: ({ updated_at }) =>
    typeof updated_at === 'string'
      ? { by_team: changedAt(updated_at), by_audience: changedAt(updated_at) }
      : {},
  example: { order_id: 16, reservation_id: 17 },
});
