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
import { BookingState, PaymentMethod, PaymentStatus } from './booking.schema.ts';

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
