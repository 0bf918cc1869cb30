import * as z from 'zod';
import { publicEventTypes, type PublicEventType } from '../../platform/events/event-types.ts';
import { Id, Instant, LocalDateTime, Money } from '../../platform/schema.ts';
import { BookingState, PaymentStatus } from '../booking/booking.schema.ts';
import { SenderType } from '../chat/chat.schema.ts';
import { ListingState } from '../listing/listing.schema.ts';

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
};
const Booking = told('The booking.', bookingFields);
const Cancelled = told('The booking.', {
  ...bookingFields,
  reason: z.string().nullable().meta({ description: 'As it was given with the cancellation.' }),
  refund: Money,
});
const Payment = told('The booking.', { ...bookingFields, refund: Money });
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

/** What each event type says to partners (spec 6, D61): nothing of the service's own, and nothing that only hosts see. */
export const partnerEventData = {
  'booking.created': {
    meaning: 'A stay was booked; `state` is PENDING while the host has to accept it.',
    data: Booking,
  },
  'booking.confirmed': { meaning: 'A booking that waited was accepted, or paid.', data: Booking },
  'booking.cancelled': { meaning: 'A booking was cancelled; its time is free again.', data: Cancelled },
  'booking.checked_in': { meaning: 'The guest has arrived.', data: Booking },
  'booking.checked_out': { meaning: 'The guest has left.', data: Booking },
  'booking.completed': { meaning: 'The stay is over and settled.', data: Booking },
  'payment.paid': { meaning: 'A booking was paid.', data: Payment },
  'payment.failed': { meaning: 'A payment did not succeed.', data: Payment },
  'payment.refunded': { meaning: 'What was paid was given back, or a part of it.', data: Cancelled },
  'listing.created': { meaning: 'A listing was made.', data: Listing },
  'listing.updated': {
    meaning: 'A listing, or one of its prices or rules, has changed.',
    data: ListingUpdated,
  },
  'listing.archived': { meaning: 'A listing is gone for good.', data: Listing },
  'availability.changed': { meaning: 'Time of a listing was blocked or freed.', data: Availability },
  'customer.registered': { meaning: 'A person has an account now.', data: Customer },
  'chat.message_created': { meaning: 'Somebody wrote in the chat of a booking.', data: Message },
} as const satisfies Record<PublicEventType, { meaning: string; data: z.ZodObject }>;

const frame = {
  id: EventId,
  occurred_at: Instant,
  team_id: Id.meta({ description: 'The team that it happened to, one of the key.' }),
};

const shapeOf = <Type extends PublicEventType>(event_type: Type) =>
  z.object({ event_type: z.literal(event_type), data: partnerEventData[event_type].data, ...frame });

/** An event as webhooks and the feed tell it (spec 6, D62, D62b). */
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
