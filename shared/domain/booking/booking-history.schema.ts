import * as z from 'zod';
import { CurrencyCode, Id, Instant, Money, SignedMoney } from '../../platform/schema/schema.ts';
import { bookingEvents, type BookingEventType as EventType, StayOfChange } from './booking.events.ts';
import { GuestField } from './guest-correction.schema.ts';
import { DepositChange } from './folio.schema.ts';
import { BookingState, PaymentStatus } from './booking-state.schema.ts';

const BookingEventType = z.enum(Object.keys(bookingEvents) as EventType[]).meta({ id: 'BookingEventType' });

/** Who changed a booking (D62b). Partners see neither id nor name of people of the host side, nor the id of another key. */
export const BookingActor = z
  .object({
    kind: z.enum(['guest', 'host', 'partner', 'payment', 'system']).meta({
      description:
        'guest; host: a member of the team, or platform staff; partner: a key; payment: the gateway; system: a deadline that has passed.',
    }),
    id: Id.nullable().meta({ description: 'The user of a guest or host, the key of a partner.' }),
    name: z.string().nullable().meta({
      description:
        'Null for a key without the scope `personal`, unless it made the booking; that of a host is null for every key.',
    }),
    link_from: z.enum(['MAIL', 'HOST', 'PARTNER']).optional().meta({
      description:
        'Of a guest who used a link: who had given it. One from a host may have been used by a host.',
    }),
  })
  .meta({ id: 'HistoryActor' });
export type BookingActor = z.infer<typeof BookingActor>;

/** One change of a booking: when, what, who and why, and the state of the booking afterwards (D62b). */
export const BookingChange = z
  .object({
    id: z.string().meta({ description: 'The id of the event of this change.' }),
    booking_id: Id,
    occurred_at: Instant,
    event_type: BookingEventType,
    who: BookingActor,
    why: z.string().nullable().meta({ description: 'The reason that was given.' }),
    state: BookingState,
    payment_status: PaymentStatus,
    refund: Money.nullable().meta({
      description: 'What was refunded to the guest; null where a refund is not possible.',
    }),
    amount: SignedMoney.nullable().meta({
      description: 'What was paid, charged, or changed of the security deposit; null for other events.',
    }),
    guest_fields: z
      .array(GuestField)
      .nullable()
      .meta({ description: 'What `booking.guest_updated` has corrected; null for other events.' }),
    deposit_action: DepositChange.nullable().meta({ description: 'Of `booking.deposit_changed`.' }),
    currency: CurrencyCode,
    was: StayOfChange.nullable().meta({ description: 'The stay before a change; null for other events.' }),
    now: StayOfChange.nullable().meta({ description: 'The stay after it.' }),
  })
  .meta({ id: 'HistoryEntry' });
export type BookingChange = z.infer<typeof BookingChange>;

export const BookingHistory = z.object({ items: z.array(BookingChange) }).meta({ id: 'BookingHistory' });
export type BookingHistory = z.infer<typeof BookingHistory>;
