import * as z from 'zod';
import { publicEventTypes, type PublicEventType } from '../../platform/events/event-types.ts';
import { DateText, Id, Instant, LocalDateTime, Money } from '../../platform/schema.ts';
import { BookingState, PaymentStatus } from '../booking/booking.schema.ts';
import { SenderType } from '../chat/chat.schema.ts';
import { ListingState } from '../listing/listing.schema.ts';
import { Rating } from '../review/review.schema.ts';

export const EventId = z
  .string()
  .regex(/^evt_[0-9A-Za-z]{1,60}$/, 'must be the id of an event')
  .meta({
    description: 'Id of an event; the same however often it comes.',
    examples: ['evt_mjx0d2k9c000a1b2c3'],
  });

/** What partners are told of a record: its id always, the rest where the event has it. */
const told = <Shape extends z.ZodRawShape>(what: string, fields: Shape) =>
  z.object({ id: Id.meta({ description: what }), ...z.object(fields).partial().shape });

/** What only hosts see of a listing (D15) is no news for partners. */
const hostOnly = new Set(['wifi_name', 'wifi_password', 'door_code', 'commission_rate']);
const withoutHostOnly = (fields: string[]): string[] => fields.filter((field) => !hostOnly.has(field));

const bookingFields = {
  master_reservation_id: Id.meta({ description: 'The order that the booking is part of.' }),
  listing_id: Id,
  state: BookingState,
  payment_status: PaymentStatus,
  check_in_date: DateText,
  check_out_date: DateText,
  guest_number: z.int(),
  total_price: Money.meta({ description: 'The price of the stay.' }),
  currency: z.string().meta({ description: 'ISO 4217.' }),
  external_system: z.string().nullable().meta({ description: 'As the partner gave it when it booked.' }),
  external_booking_id: z.string().nullable().meta({ description: 'As the partner gave it when it booked.' }),
};
const reason = z.string().nullable();
const Booking = told('The booking.', bookingFields);
const Cancelled = told('The booking.', {
  ...bookingFields,
  reason: reason.meta({ description: 'As it was given with the cancellation.' }),
  refund: Money.meta({ description: 'What goes back.' }),
});
const paymentFields = {
  ...bookingFields,
  amount: Money,
  payment_transaction_id: z
    .string()
    .nullable()
    .meta({ description: 'The id of the charge at the gateway; null where no gateway took the money.' }),
};
const ofPayment = 'The booking; the order, where no booking came of it.';
const Paid = told(ofPayment, paymentFields);
const Failed = told(ofPayment, {
  ...paymentFields,
  reason: reason.meta({ description: 'Why it did not succeed.' }),
});
const Refunded = told(ofPayment, {
  ...paymentFields,
  reason: reason.meta({ description: 'Why the money goes back.' }),
  refund: Money.meta({ description: 'The same as `amount`.' }),
});
const Listing = told('The listing.', { state: ListingState });
const ListingUpdated = told('The listing.', {
  state: ListingState,
  changed: z
    .array(z.string())
    .overwrite(withoutHostOnly)
    .meta({ description: 'The fields that have changed.' }),
});
const Availability = told('The listing.', {
  start_at: LocalDateTime.meta({ description: 'From when on something may have changed; local time.' }),
  end_at: LocalDateTime,
});
const Customer = told('The customer: a user id.', {});
const Message = told('The message.', {
  thread_id: Id,
  booking_id: Id,
  sender_type: SenderType,
});
const Reviewed = told('The review.', {
  listing_id: Id,
  booking_id: Id,
  rating: Rating,
  comment: z.string().nullable(),
  rating_average: z.number().meta({ description: 'Of the listing, with this review.' }),
  review_count: z.int().meta({ description: 'Of the listing, with this review.' }),
});

const booked = {
  id: 17_402_345_678_913,
  master_reservation_id: 17_402_345_678_912,
  listing_id: 4711,
  state: 'CONFIRMED',
  payment_status: 'PENDING',
  check_in_date: '2027-02-04',
  check_out_date: '2027-02-07',
  guest_number: 2,
  total_price: 3_300_000,
  currency: 'VND',
  external_system: 'stayhub',
  external_booking_id: 'SH-2027-0042',
} as const;
const paid = {
  ...booked,
  payment_status: 'PAID',
  amount: 3_300_000,
  payment_transaction_id: 'pi_3PnQx2',
} as const;
const givenBack = { refund: 3_300_000, reason: 'The guest is ill.' };
const cancelled = { ...booked, ...givenBack, state: 'CANCELLED' } as const;

/** What each event type says to partners (D61, D92): nothing of the service's own, and nothing that only hosts see. */
export const partnerEventData = {
  'booking.created': {
    meaning: 'A stay was booked; `state` is PENDING while the host has to accept it.',
    data: Booking,
    example: booked,
  },
  'booking.confirmed': {
    meaning: 'A booking that waited was accepted by its host.',
    data: Booking,
    example: booked,
  },
  'booking.cancelled': {
    meaning: 'A booking was cancelled; its time is free again.',
    data: Cancelled,
    example: cancelled,
  },
  'booking.checked_in': {
    meaning: 'The guest has arrived.',
    data: Booking,
    example: { ...booked, state: 'CHECKED_IN' },
  },
  'booking.checked_out': {
    meaning: 'The guest has left.',
    data: Booking,
    example: { ...booked, state: 'CHECKED_OUT' },
  },
  'booking.completed': {
    meaning: 'The stay is over and settled.',
    data: Booking,
    example: { ...booked, state: 'COMPLETED', payment_status: 'PAID' },
  },
  'payment.paid': { meaning: 'A booking was paid.', data: Paid, example: paid },
  'payment.failed': {
    meaning: 'A payment did not succeed.',
    data: Failed,
    example: { ...paid, payment_status: 'PENDING', payment_transaction_id: null, reason: 'card_declined' },
  },
  'payment.refunded': {
    meaning: 'What was paid was given back, or a part of it.',
    data: Refunded,
    example: { ...paid, ...givenBack, state: 'CANCELLED', payment_status: 'REFUNDED' },
  },
  'listing.created': { meaning: 'A listing was made.', data: Listing, example: { id: 4711, state: 'DRAFT' } },
  'listing.updated': {
    meaning: 'A listing, or one of its prices or rules, has changed.',
    data: ListingUpdated,
    example: { id: 4711, state: 'ACTIVE', changed: ['full_rate'] },
  },
  'listing.archived': {
    meaning: 'A listing was archived and does not come back.',
    data: Listing,
    example: { id: 4711, state: 'ARCHIVED' },
  },
  'availability.changed': {
    meaning: 'Time of a listing was blocked or freed.',
    data: Availability,
    example: { id: 4711, start_at: '2027-02-04T00:00:00', end_at: '2027-02-05T00:00:00' },
  },
  'customer.registered': { meaning: 'A person has an account now.', data: Customer, example: { id: 5312 } },
  'chat.message_created': {
    meaning: 'Somebody wrote in the chat of a booking.',
    data: Message,
    example: {
      id: 17_402_400_000_001,
      thread_id: 17_402_345_678_914,
      booking_id: 17_402_345_678_913,
      sender_type: 'GUEST',
    },
  },
  'review.created': {
    meaning: 'A guest has reviewed a stay.',
    data: Reviewed,
    example: {
      id: 369_435_906_933_101,
      listing_id: 4711,
      booking_id: 17_402_345_678_913,
      rating: 5,
      comment: 'Sạch sẽ, view đẹp.',
      rating_average: 4.85,
      review_count: 13,
    },
  },
} as const satisfies Record<
  PublicEventType,
  { meaning: string; data: z.ZodObject; example: { id: number; [field: string]: unknown } }
>;

const frame = {
  id: EventId,
  occurred_at: Instant,
  team_id: Id.meta({ description: 'The team that it happened to, one of the key.' }),
};

const shapeOf = <Type extends PublicEventType>(event_type: Type) =>
  z.object({
    event_type: z.literal(event_type),
    data: partnerEventData[event_type].data.meta({ examples: [partnerEventData[event_type].example] }),
    ...frame,
  });

/** An event as webhooks and the feed tell it (D62, D62b). */
export const PartnerEvent = z
  .discriminatedUnion('event_type', [
    shapeOf('booking.created'),
    ...publicEventTypes.filter((type) => type !== 'booking.created').map(shapeOf),
  ])
  .meta({ id: 'PartnerEvent', description: 'The same in a webhook’s body and in the feed.' });

/** The same as types see it: whatever the data, it has the id of its record. */
export interface PartnerEvent {
  event_type: PublicEventType;
  data: { id: number } & Record<string, unknown>;
  id: string;
  /** UTC. */
  occurred_at: string;
  team_id: number;
}

export const PublicEventTypes = z.enum(publicEventTypes);
