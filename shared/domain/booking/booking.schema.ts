import * as z from 'zod';
import {
  CurrencyCode,
  DateText,
  Id,
  Instant,
  LocalDateTime,
  Money,
  TimeText,
} from '../../platform/schema/schema.ts';
import { CancellationTerms } from '../listing/cancellation-terms.schema.ts';
import { DoorCode } from '../listing/listing.schema.ts';
import { PaymentMethod } from '../payment/payment-method.schema.ts';
import { Transfer } from '../transfer/transfer.schema.ts';
import { ItemQuote, QuotedService, QuoteLine } from '../pricing/quote.schema.ts';
import { allowedActionsFields } from './booking-action.schema.ts';
import { BookingState, PaymentStatus } from './booking-state.schema.ts';
import { ExtraCharge, handoverFields, moneyFields, SecurityDeposit } from './folio.schema.ts';
import { guestUrlFields } from './guest-link.schema.ts';
import { pendingChangeFields } from './pending-change.schema.ts';

/** Where the customer can pay (D51). */
export const PaymentUrl = z.url().meta({
  description: 'Where the customer pays online, while the payment is PENDING and its window is open.',
  example: 'https://checkout.stripe.com/c/pay/cs_live_a1B2',
});

/** Until when an online payment can be made (D102). */
export const PaymentExpiry = Instant.meta({
  description:
    'Until when an unpaid online booking can be paid; it is cancelled then. Null when no payment is pending, or before its host has accepted it.',
});

export const PaymentTransactionId = z.string().meta({
  description: 'The id of the charge at the payment gateway, once it has reported one.',
  example: 'pi_3SxYzA2eZvKYlo2C1',
});

/** Notes from the guest to the host (D82). */
export const guestNoteFields = {
  note: z.string().trim().min(1).max(500).optional().meta({
    description: 'A note for the host, up to 500 characters.',
    example: 'We bring a cot for the baby.',
  }),
  arrival_time: TimeText.optional().meta({
    description: "When the guest expects to arrive, in the listing's time zone. It does not change the stay.",
    example: '17:30:00',
  }),
};
const GuestInfo = z
  .object({
    name: z.string(),
    full_name: z.string().meta({ description: 'The same as `name`.' }),
    phone: z.string(),
    email: z.string(),
  })
  .meta({ id: 'BookingGuest' });

/** The fields that all booking responses share (D80); pairs are the same value under both published names. */
const bookingFields = {
  id: Id,
  listing_id: Id,
  listing_number: Id.meta({ description: 'The listing id as an integer, also where `listing_id` is text.' }),
  listing_name: z.string(),
  state: BookingState,
  status: BookingState.meta({ description: 'The same as `state`.' }),
  check_in: DateText,
  check_in_date: DateText.meta({ description: 'The same as `check_in`.' }),
  check_out: DateText,
  check_out_date: DateText.meta({ description: 'The same as `check_out`.' }),
  guests: z.int(),
  guest_number: z.int().meta({ description: 'The same as `guests`.' }),
  total_price: Money,
};

/** A stay of an order in short form (D49). */
export const OrderStay = z.object(bookingFields).meta({ id: 'OrderStay' });
export type OrderStay = z.infer<typeof OrderStay>;

/** What a booking in a list has beside the fields of a stay, the same for every reader. */
export const BookingListFields = z
  .object({
    master_reservation_id: Id,
    team_id: Id,
    user_id: Id.nullable(),
    start_at: LocalDateTime,
    end_at: LocalDateTime,
    timezone: z.string(),
    nights: z.int(),
    currency: CurrencyCode,
    payment_method: PaymentMethod,
    payment_status: PaymentStatus,
    payment_expires_at: PaymentExpiry.nullable(),
    payment_url: PaymentUrl.nullable().optional(),
    payment_transaction_id: PaymentTransactionId.nullable(),
    ...moneyFields,
    ...handoverFields,
    external_system: z.string().nullable(),
    external_booking_id: z.string().nullable(),
    created_at: Instant,
    updated_at: Instant,
  })
  .meta({ id: 'BookingListFields' });

/** A booking in a list, the same for guest, hosts and partners (D51, D80). */
export const Booking = z
  .object({ ...bookingFields, guest_info: GuestInfo, ...BookingListFields.shape })
  .meta({ id: 'Booking' });
export type Booking = z.infer<typeof Booking>;

/** The listing id as text, as published to customers (D80). */
const listingIdText = {
  listing_id: z.string().meta({
    description: 'The listing id as text; `listing_number` is the same as an integer.',
    example: '4711',
  }),
};

/** A booking in its guest's list (D80). */
export const MyBooking = Booking.extend(listingIdText).meta({ id: 'MyBooking' });
export type MyBooking = z.infer<typeof MyBooking>;

export const CancelRequest = z
  .strictObject({ reason: z.string().max(1000).optional() })
  .meta({ id: 'CancelBooking' });

/** The refund of a cancellation (D48). */
export const Refund = z
  .object({
    amount: Money,
    status: z.enum(['NONE', 'PENDING', 'REFUNDED']).meta({
      description:
        'PENDING: sent to the payment gateway; payment_status becomes REFUNDED when the gateway has accepted it.',
    }),
  })
  .meta({ id: 'Refund' });
export type Refund = z.infer<typeof Refund>;

/** Whether the guest can read the entry information, and what it waits for (D109). */
export const Access = z
  .object({
    state: z.enum(['SHOWN', 'AT', 'WAITS_FOR_PAYMENT', 'WAITS_FOR_HOST']).meta({
      description:
        'AT: from `at` on. WAITS_FOR_PAYMENT: it is not paid. WAITS_FOR_HOST: the host accepts, releases or checks in.',
    }),
    at: Instant.nullable().meta({
      description: 'From when it is shown, 24 hours before check-in; null while it waits.',
    }),
  })
  .meta({ id: 'Access' });
export type Access = z.infer<typeof Access>;

/** Entry information, shown to the guest from 24 hours before check-in until check-out (D15, D109). */
export const AccessInfo = z
  .object({
    wifi_name: z.string().nullable(),
    wifi_password: z.string().nullable(),
    door_code: DoorCode.nullable(),
  })
  .meta({ id: 'AccessInfo' });
export type AccessInfo = z.infer<typeof AccessInfo>;

const total = { description: 'Of all stays; null when not given.' };

/** What a booking in detail has beside the fields of a list, the same for every reader. */
export const BookingDetailFields = z
  .object({
    listing_address: z.string(),
    note: z.string().nullable().meta({ description: 'The note of the guest to the host.' }),
    arrival_time: TimeText.nullable().meta({
      description: "When the guest expects to arrive, in the listing's time zone.",
    }),
    adults: z.int().nullable().meta(total),
    adult_number: z.int().nullable().meta({ description: 'The same as `adults`.' }),
    children: z.int().nullable().meta(total),
    children_number: z.int().nullable().meta({ description: 'The same as `children`.' }),
    price: z.array(ItemQuote).meta({ description: 'The frozen price of each stay, line by line.' }),
    lines: z.array(QuoteLine).meta({ description: 'The lines of all stays; they add up to the price.' }),
    charges: z
      .array(ExtraCharge)
      .meta({ description: 'What the host has charged beside the price; it is in `amount_due`.' }),
    security_deposit: SecurityDeposit.meta({
      description: 'Frozen with the price, and what became of it; in no other sum.',
    }),
    extra_services: z.array(QuotedService).meta({ description: 'The extra services of all stays.' }),
    cancellation_deadline: Instant.nullable().meta({
      description: 'Until then a cancellation refunds in full; null: never.',
    }),
    cancellation_terms: CancellationTerms.meta({
      description:
        'The terms frozen with the booking: what a cancellation by the guest refunds until so many hours before check-in. After the last step nothing is refunded.',
    }),
    cancel_reason: z.string().nullable().meta({ description: 'The reason given with its cancellation.' }),
    chat_thread_id: Id,
    transfer: Transfer.nullable().meta({
      description: 'How what is due is paid by BANK_TRANSFER, once the host has accepted; null: it is not.',
    }),
    access: Access.nullable().meta({
      description: 'Null for a stay that has ended or does not take place.',
    }),
    access_info: AccessInfo.nullable().meta({
      description: 'For the guest alone, while `access.state` is SHOWN.',
    }),
    reservations: z
      .array(OrderStay)
      .meta({ description: 'The stays of the order that this caller may see.' }),
  })
  .meta({ id: 'BookingDetailFields' });

/** A booking in detail, the same for guest, hosts and partners (D51, D80). */
export const BookingDetail = Booking.extend({
  host_info: z.object({ name: z.string(), phone: z.string() }).meta({ id: 'HostContact' }),
  payment_url: PaymentUrl.nullable(),
  ...BookingDetailFields.shape,
}).meta({ id: 'BookingDetail' });
export type BookingDetail = z.infer<typeof BookingDetail>;

/** A booking in detail as its guest and hosts read it, with the listing id as text (D80). */
export const ReadBooking = BookingDetail.extend({
  ...listingIdText,
  ...pendingChangeFields,
  ...guestUrlFields,
  ...allowedActionsFields,
}).meta({ id: 'ReadBooking' });
export type ReadBooking = z.infer<typeof ReadBooking>;

export const CancelledBooking = BookingDetail.extend({ refund: Refund }).meta({ id: 'CancelledBooking' });
export type CancelledBooking = z.infer<typeof CancelledBooking>;

/** The result of a cancellation by the caller, now and later (D48b). */
export const Cancellation = z
  .object({
    booking_id: Id,
    state: BookingState,
    can_cancel: z.boolean().meta({ description: 'Whether the caller may cancel it now.' }),
    refusal: z
      .object({ code: z.string(), message: z.string() })
      .meta({ id: 'CancellationRefusal' })
      .nullable()
      .meta({ description: 'The error that a cancellation would get; null when it can be cancelled.' }),
    paid: Money.meta({ description: 'What has been paid for the booking and not been refunded.' }),
    refund_now: Refund.meta({ description: 'The `refund` of a cancellation at this moment.' }),
    schedule: z
      .array(
        z
          .object({
            until: Instant.nullable().meta({
              description:
                'The last moment of this refund, that millisecond included; null: no further change.',
            }),
            refund: Money,
          })
          .meta({ id: 'CancellationStep' }),
      )
      .meta({
        description:
          'The refunds of a cancellation in order of time: the first applies from now on, each further one after the `until` of the one before. Empty when it cannot be cancelled.',
      }),
    currency: CurrencyCode,
  })
  .meta({ id: 'Cancellation' });
export type Cancellation = z.infer<typeof Cancellation>;
