import * as z from 'zod';
import { Id, Instant, LocalDateTime } from '../../platform/schema.ts';
import { ItemQuote } from '../pricing/quote.schema.ts';
import {
  BookingState,
  BookingSummary,
  PaymentMethod,
  PaymentTransactionId,
  PaymentUrl,
  Refund,
} from './booking.schema.ts';

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
  payment_url: PaymentUrl.nullable(),
  payment_transaction_id: PaymentTransactionId.nullable(),
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

export const CancelledBooking = BookingDetail.extend({ refund: Refund });
export type CancelledBooking = z.infer<typeof CancelledBooking>;
