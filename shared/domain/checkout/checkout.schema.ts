import * as z from 'zod';
import { Id, Instant, lineOf, LocalDateTime, Money } from '../../platform/schema/schema.ts';
import { GuestInfo } from '../booking/external-booking.schema.ts';
import { PaymentStatus } from '../booking/booking-state.schema.ts';
import {
  OrderStay,
  PaymentExpiry,
  PaymentTransactionId,
  PaymentUrl,
  guestNoteFields,
} from '../booking/booking.schema.ts';
import { PaymentMethod } from '../payment/payment-method.schema.ts';
import { Phone } from '../people/user.schema.ts';
import { Adjustments } from '../pricing/adjustment.schema.ts';
import { Transfer } from '../transfer/transfer.schema.ts';
import { checkoutFields, Preview } from '../pricing/quote.schema.ts';

export const ConfirmRequest = z
  .strictObject({
    ...checkoutFields,
    items: checkoutFields.items.optional().meta({ description: 'May be left out with `checkout_id`.' }),
    checkout_id: Id.optional().meta({ description: 'The soft lock to use.' }),
    payment_method: PaymentMethod,
    ...guestNoteFields,
    payment_gateway_token: z.string().min(1).max(500).optional().meta({
      description:
        'With ONLINE_GATEWAY: charged at once; for a stay that its host has to accept it is authorised, and charged when the host accepts. Without it the answer has a `payment_url`.',
    }),
    expected_total: Money.optional().meta({
      description: 'Refuses with PRICE_CHANGED when the total differs.',
    }),
  })
  .refine((request) => request.items !== undefined || request.checkout_id !== undefined, {
    path: ['items'],
    message: 'items are required without checkout_id',
    // Reported together with every other issue (D5).
    when: ({ value }) => typeof value === 'object' && value !== null,
  })
  .refine(
    (request) => request.payment_gateway_token === undefined || request.payment_method === 'ONLINE_GATEWAY',
    {
      path: ['payment_gateway_token'],
      message: 'is allowed only with payment_method ONLINE_GATEWAY',
      when: ({ value }) => typeof value === 'object' && value !== null,
    },
  )
  .meta({ id: 'ConfirmCheckout' });
export type ConfirmRequest = z.infer<typeof ConfirmRequest>;

export const GuestBookingRequest = z
  .strictObject({
    ...checkoutFields,
    guest_info: GuestInfo,
    payment_method: PaymentMethod,
    ...guestNoteFields,
    expected_total: Money.optional().meta({
      description: 'Refuses with PRICE_CHANGED when the total differs.',
    }),
    adjustments: Adjustments.optional().meta({
      description:
        'What you add to the price or take off it: percents of each stay, amounts of a single one.',
    }),
    override_rules: z
      .boolean()
      .optional()
      .meta({ description: "Books a stay that the listings' own stay rules refuse." }),
  })
  .meta({ id: 'GuestBookingRequest' });
export type GuestBookingRequest = z.infer<typeof GuestBookingRequest>;

/** What a host knows of a stay that a platform has sold (D120); its time is that of the imported stay. */
export const AdoptRequest = z
  .strictObject({
    availability_id: Id.meta({ description: 'Of an imported stay.' }),
    total_price: Money.meta({
      description: 'What the guest has paid the platform, in the currency of the listing.',
    }),
    guest_info: z
      .strictObject({
        full_name: lineOf(255),
        phone: Phone.optional(),
        email: z.email().max(254).optional().meta({ description: 'No mail goes there.' }),
      })
      .meta({ id: 'PlatformGuest' }),
    guest_number: z.int().min(1).optional().meta({ description: 'Default 1.' }),
    external_booking_id: lineOf(255).optional().meta({ description: 'Of the platform.' }),
    ...guestNoteFields,
  })
  .meta({ id: 'AdoptStay' });
export type AdoptRequest = z.infer<typeof AdoptRequest>;

/** A soft lock (D44). */
export const Checkout = z
  .object({
    checkout_id: Id,
    locked_until: Instant,
    items: z.array(
      z
        .object({
          listing_id: Id,
          availability_id: Id,
          start_at: LocalDateTime,
          end_at: LocalDateTime,
          state: z.literal('SOFT_LOCK'),
        })
        .meta({ id: 'HeldStay' }),
    ),
    preview: Preview,
  })
  .meta({ id: 'Checkout' });
export type Checkout = z.infer<typeof Checkout>;

/** What a partner asks a price for; its answer is a preview with the id to hold or book it by (D92). */
export const Quote = z
  .object({
    quote_id: Id,
    expires_at: Instant.meta({
      description: 'Until when it can be held or booked. It holds neither time nor price.',
    }),
    ...Preview.shape,
  })
  .meta({ id: 'Quote' });
export type Quote = z.infer<typeof Quote>;

export const HoldRequest = z
  .strictObject({
    expected_total: Money.optional().meta({
      description: 'Refuses with PRICE_CHANGED when the total differs.',
    }),
  })
  .meta({ id: 'HoldRequest' });
export type HoldRequest = z.infer<typeof HoldRequest>;

/** A quote with the soft lock of its time and price (D92). */
export const QuoteHold = Checkout.omit({ checkout_id: true })
  .extend({ quote_id: Id })
  .meta({ id: 'QuoteHold' });
export type QuoteHold = z.infer<typeof QuoteHold>;

export const Confirmation = z
  .object({
    master_reservation_id: Id,
    reservations: z.array(OrderStay),
    payment_status: PaymentStatus,
    payment_url: PaymentUrl.optional(),
    payment_expires_at: PaymentExpiry.nullable().optional(),
    payment_transaction_id: PaymentTransactionId.optional(),
    transfer: Transfer.optional(),
    estimated_total: Money,
    currency: z.string(),
  })
  .meta({ id: 'Confirmation' });
export type Confirmation = z.infer<typeof Confirmation>;
