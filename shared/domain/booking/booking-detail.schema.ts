import * as z from 'zod';
import { Id, Instant, Percent, TimeText } from '../../platform/schema.ts';
import { ItemQuote, QuotedService, QuoteLine } from '../pricing/quote.schema.ts';
import { Booking, listingIdText, OrderStay, PaymentUrl, Refund } from './booking.schema.ts';

/** Entry information, shown to the guest from 24 hours before check-in until check-out (D15). */
export const AccessInfo = z.object({
  wifi_name: z.string().nullable(),
  wifi_password: z.string().nullable(),
  door_code: z.record(z.string(), z.unknown()).nullable(),
});
export type AccessInfo = z.infer<typeof AccessInfo>;

const total = { description: 'Of all stays; null when the booking does not say.' };

/** A booking in detail, the same for its guest, hosts and partners (D51, D80). */
export const BookingDetail = Booking.extend({
  listing_address: z.string(),
  note: z.string().nullable().meta({ description: 'What the guest let the host know.' }),
  arrival_time: TimeText.nullable().meta({
    description: "When the guest expects to arrive, in the listing's time zone.",
  }),
  host_info: z.object({ name: z.string(), phone: z.string() }),
  adults: z.int().nullable().meta(total),
  adult_number: z.int().nullable().meta({ description: 'The same as `adults`.' }),
  children: z.int().nullable().meta(total),
  children_number: z.int().nullable().meta({ description: 'The same as `children`.' }),
  payment_url: PaymentUrl.nullable(),
  price: z.array(ItemQuote).meta({ description: 'The frozen price of each stay, line by line.' }),
  lines: z.array(QuoteLine).meta({ description: 'The lines of all stays; they add up to the price.' }),
  extra_services: z.array(QuotedService).meta({ description: 'The extra services of all stays.' }),
  cancellation_deadline: Instant.nullable().meta({
    description: 'Until then a cancellation refunds in full; null: never.',
  }),
  cancellation_terms: z
    .array(z.object({ until_hours_before: z.int().min(0), refund_percent: Percent }))
    .meta({
      description:
        'The terms frozen with the booking: what a cancellation by the guest refunds until so many hours before check-in. After the last step nothing is refunded.',
    }),
  cancel_reason: z.string().nullable().meta({ description: 'The reason that its cancellation gave.' }),
  chat_thread_id: Id,
  access_info: AccessInfo.nullable(),
  reservations: z.array(OrderStay).meta({ description: 'The stays of the order that this caller may see.' }),
});
export type BookingDetail = z.infer<typeof BookingDetail>;

/** The detail as it is read by its path, with the listing id as text (D80). */
export const ReadBooking = BookingDetail.extend(listingIdText);
export type ReadBooking = z.infer<typeof ReadBooking>;

export const CancelledBooking = BookingDetail.extend({ refund: Refund });
export type CancelledBooking = z.infer<typeof CancelledBooking>;
