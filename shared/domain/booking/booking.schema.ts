import * as z from 'zod';
import {
  CurrencyCode,
  DateText,
  Id,
  Instant,
  LocalDateTime,
  Money,
  TimeText,
} from '../../platform/schema.ts';
import { ItemQuote } from '../pricing/quote.schema.ts';

export const BookingState = z
  .enum(['PENDING', 'CONFIRMED', 'CHECKED_IN', 'CHECKED_OUT', 'COMPLETED', 'CANCELLED'])
  .meta({ description: 'State of a booking (spec 3.1).', example: 'CONFIRMED' });
export type BookingState = z.infer<typeof BookingState>;

export const PaymentStatus = z
  .enum(['PENDING', 'PAID', 'REFUNDED'])
  .meta({ description: 'Spec 3.3.', example: 'PENDING' });
export type PaymentStatus = z.infer<typeof PaymentStatus>;

/** The methods of this deployment; ONLINE_GATEWAY joins them with the payment gateways (D46, D47). */
export const PaymentMethod = z
  .enum(['CASH', 'BANK_TRANSFER'])
  .meta({ description: 'CASH (on site) or BANK_TRANSFER (spec 2.17, D46).', example: 'CASH' });
export type PaymentMethod = z.infer<typeof PaymentMethod>;

/** Customer booking summary (spec 2.15). */
export const BookingSummary = z.object({
  id: Id,
  listing_id: z.string().meta({ description: 'The listing id as text, as published.', example: '4711' }),
  listing_name: z.string(),
  check_in: DateText,
  check_out: DateText,
  guests: z.int(),
  total_price: Money,
  currency: CurrencyCode,
  state: BookingState,
  payment_status: PaymentStatus,
  created_at: Instant,
});
export type BookingSummary = z.infer<typeof BookingSummary>;

/** Entry information, shown to the guest from 24 hours before check-in until check-out (D15). */
export const AccessInfo = z.object({
  wifi_name: z.string().nullable(),
  wifi_password: z.string().nullable(),
  door_code: z.record(z.string(), z.unknown()).nullable(),
});
export type AccessInfo = z.infer<typeof AccessInfo>;

/** Customer booking detail (spec 2.15, D51). */
export const BookingDetail = BookingSummary.extend({
  master_reservation_id: Id,
  nights: z.int(),
  start_at: LocalDateTime,
  end_at: LocalDateTime,
  timezone: z.string(),
  listing_address: z.string(),
  guest_info: z.object({ name: z.string(), phone: z.string(), email: z.string() }),
  host_info: z.object({ name: z.string(), phone: z.string() }),
  payment_method: PaymentMethod,
  price: z.array(ItemQuote).meta({ description: 'The frozen price of each stay, line by line (D42).' }),
  cancellation_deadline: Instant.nullable().meta({
    description: 'Until then a cancellation refunds in full; null: never (D48).',
  }),
  chat_thread_id: Id,
  access_info: AccessInfo.nullable(),
  reservations: z
    .array(z.object({ id: Id, listing_id: Id, listing_name: z.string(), status: BookingState }))
    .meta({ description: 'The stays of the order that this caller may see (D49).' }),
});
export type BookingDetail = z.infer<typeof BookingDetail>;

export const CancelRequest = z.strictObject({ reason: z.string().max(1000).optional() });

/** What a cancellation gives back (D48). */
export const Refund = z.object({ amount: Money, status: z.enum(['NONE', 'REFUNDED']) });
export type Refund = z.infer<typeof Refund>;

export const CancelledBooking = BookingDetail.extend({ refund: Refund });
export type CancelledBooking = z.infer<typeof CancelledBooking>;

/** Body of an external booking (spec 2.16, D52). */
export const ExternalBookingRequest = z.strictObject({
  listing_id: Id,
  guest_info: z.strictObject({
    full_name: z.string().trim().min(1).max(255),
    phone: z.string().trim().min(1).max(32),
    email: z.email().max(254),
  }),
  check_in_date: DateText,
  check_out_date: DateText,
  check_in_time: TimeText.optional(),
  check_out_time: TimeText.optional(),
  guest_number: z.int().min(1),
  adult_number: z.int().min(0).optional(),
  children_number: z.int().min(0).optional(),
  combo_id: Id.optional(),
  extra_service_ids: z.array(Id).max(100).optional(),
  nights: z.int().min(0).meta({ description: 'Must match the dates (D52).', example: 3 }),
  payment_method: PaymentMethod,
  expected_total: Money.optional(),
  external_system: z.string().trim().min(1).max(64).optional(),
  external_booking_id: z.string().trim().min(1).max(255).optional(),
});
export type ExternalBookingRequest = z.infer<typeof ExternalBookingRequest>;

/** A booking as a partner sees it (spec 2.16, D51). */
export const ExternalBooking = z.object({
  id: Id,
  status: BookingState,
  master_reservation_id: Id,
  listing_id: Id,
  listing_name: z.string(),
  team_id: Id,
  user_id: Id.nullable(),
  check_in_date: DateText,
  check_out_date: DateText,
  start_at: LocalDateTime,
  end_at: LocalDateTime,
  timezone: z.string(),
  nights: z.int(),
  guest_number: z.int(),
  guest_info: z.object({ full_name: z.string(), phone: z.string(), email: z.string() }),
  total_price: Money,
  currency: CurrencyCode,
  payment_method: PaymentMethod,
  payment_status: PaymentStatus,
  external_system: z.string().nullable(),
  external_booking_id: z.string().nullable(),
  created_at: Instant,
  updated_at: Instant,
});
export type ExternalBooking = z.infer<typeof ExternalBooking>;
