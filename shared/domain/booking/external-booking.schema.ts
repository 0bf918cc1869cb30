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
import { Language, Phone } from '../customer/user.schema.ts';
import {
  BookingState,
  PaymentMethod,
  PaymentStatus,
  PaymentTransactionId,
  PaymentUrl,
} from './booking.schema.ts';

/** A field that may be left out, or be null, which is the same. */
const orAbsent = <T extends z.ZodType>(field: T) => field.nullish().transform((value) => value ?? undefined);

/** A guest who needs no account (D52, D102). */
export const GuestInfo = z.strictObject({
  full_name: z.string().trim().min(1).max(255),
  phone: Phone,
  email: z.email().max(254),
  language: orAbsent(Language).meta({
    description: "Language of the guest's mails; left out: that of the team, else `vi`.",
  }),
});
export type GuestInfo = z.infer<typeof GuestInfo>;

/** Body of an external booking (spec 2.16, D52). */
export const ExternalBookingRequest = z.strictObject({
  listing_id: Id,
  guest_info: GuestInfo,
  check_in_date: DateText,
  check_out_date: DateText,
  check_in_time: orAbsent(TimeText),
  check_out_time: orAbsent(TimeText),
  guest_number: z.int().min(1),
  adult_number: orAbsent(z.int().min(0)),
  children_number: orAbsent(z.int().min(0)),
  combo_id: orAbsent(Id),
  extra_service_ids: orAbsent(z.array(Id).max(100)),
  nights: z.int().min(0).meta({ description: 'Must match the dates (D52).', example: 3 }),
  payment_method: PaymentMethod,
  expected_total: orAbsent(Money),
  external_system: orAbsent(z.string().trim().min(1).max(64)),
  external_booking_id: orAbsent(z.string().trim().min(1).max(255)).meta({
    description: 'Required with external_system. Unique for the key and the system, or without one (D52).',
  }),
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
  payment_url: PaymentUrl.optional(),
  payment_transaction_id: PaymentTransactionId.nullable(),
  external_system: z.string().nullable(),
  external_booking_id: z.string().nullable(),
  created_at: Instant,
  updated_at: Instant,
});
export type ExternalBooking = z.infer<typeof ExternalBooking>;
