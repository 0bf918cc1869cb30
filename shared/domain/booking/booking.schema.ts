import * as z from 'zod';
import { CurrencyCode, DateText, Id, Instant, Money } from '../../platform/schema.ts';

export const BookingState = z
  .enum(['PENDING', 'CONFIRMED', 'CHECKED_IN', 'CHECKED_OUT', 'COMPLETED', 'CANCELLED'])
  .meta({ description: 'State of a booking (spec 3.1).', example: 'CONFIRMED' });
export type BookingState = z.infer<typeof BookingState>;

export const PaymentStatus = z
  .enum(['PENDING', 'PAID', 'REFUNDED'])
  .meta({ description: 'Spec 3.3.', example: 'PENDING' });
export type PaymentStatus = z.infer<typeof PaymentStatus>;

export const PaymentMethod = z.enum(['CASH', 'BANK_TRANSFER', 'ONLINE_GATEWAY']).meta({
  description:
    'CASH (on site), BANK_TRANSFER, or ONLINE_GATEWAY: through the payment gateway (spec 2.17, D46).',
  example: 'CASH',
});
export type PaymentMethod = z.infer<typeof PaymentMethod>;

/** Where the customer pays, while that is possible (D51). */
export const PaymentUrl = z.url().meta({
  description: 'Where the customer pays online, while the payment is PENDING and its window is open (D46).',
  example: 'https://checkout.stripe.com/c/pay/cs_live_a1B2',
});

/** Spec 2.17. */
export const PaymentTransactionId = z.string().meta({
  description: 'The id of the charge at the payment gateway, once it has reported one (spec 2.17).',
  example: 'pi_3SxYzA2eZvKYlo2C1',
});

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

export const CancelRequest = z.strictObject({ reason: z.string().max(1000).optional() });

/** What a cancellation gives back (D48). */
export const Refund = z.object({
  amount: Money,
  status: z.enum(['NONE', 'PENDING', 'REFUNDED']).meta({
    description:
      'PENDING: on its way through the payment gateway; payment_status turns to REFUNDED when the gateway has taken it.',
  }),
});
export type Refund = z.infer<typeof Refund>;
