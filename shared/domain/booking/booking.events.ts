import * as z from 'zod';
import { defineEvent } from '../../platform/events/event-row.ts';
import { DateText, Id, LocalDateTime, Money, SignedMoney } from '../../platform/schema/schema.ts';
import { BookingState, PaymentStatus } from './booking-state.schema.ts';
import { GuestField } from './guest-correction.schema.ts';
import { DepositChange, TakenMethod } from './folio.schema.ts';

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
const Booking = z.object({ id: Id.meta({ description: 'The booking.' }), ...bookingFields });

const reason = z.string().nullable().optional();
const refund = Money.optional();

/** The stay was sold on another platform: its events are for the members of the team alone (D120). */
const ofPlatform = { of_platform: z.literal(true).optional() };

/** Every event of a booking may have a reason; partners see those of a booking that falls through. */
const Changed = Booking.extend({ reason, refund, ...ofPlatform });
const Cancelled = Booking.extend({
  reason: reason.meta({ description: 'As it was given.' }),
  refund: refund.meta({ description: 'What is refunded.' }),
});

const charged = {
  amount: SignedMoney.meta({ description: 'Negative: the charge was taken out.' }),
  reason: reason.meta({ description: 'What it is for, or why it was taken out.' }),
};

const deposit = {
  action: DepositChange,
  amount: Money,
  reason: reason.meta({
    description: 'The note of the host; of what is kept, why; or why it was not authorised any more.',
  }),
};

const corrected = {
  fields: z.array(GuestField).meta({ description: 'What was corrected; the booking has the values.' }),
};

/** Whether the guest could read Wi-Fi and door code before; for the host's mail (D109). */
const accessShown = z.boolean().optional();

/** A payment whose order became no booking has only the order's fields. */
const paymentFields = {
  id: Id.meta({ description: 'The booking; the order, where no booking resulted.' }),
  ...z.object(bookingFields).partial().shape,
  master_reservation_id: bookingFields.master_reservation_id,
  currency: bookingFields.currency,
  amount: Money,
  payment_transaction_id: z
    .string()
    .nullable()
    .optional()
    .meta({ description: 'The id of the charge at the gateway; null where no gateway took the money.' }),
};
const Paid = z.object(paymentFields);
const PaymentChanged = Paid.extend({ reason, refund, ...ofPlatform });

/** The number of the first refund in the folio that was decided with it: they are one mail (D123). */
const decision = z.int().optional();

/** Absent in events of before. */
const method = TakenMethod.optional().meta({ description: 'How the money came.' });
const Failed = Paid.extend({ reason: reason.meta({ description: 'Why it did not succeed.' }) });
const Refunded = Paid.extend({
  reason: reason.meta({ description: 'Why the money goes back.' }),
  refund: refund.meta({ description: 'The same as `amount`.' }),
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
const refunded = { refund: 3_300_000, reason: 'The guest is ill.' };
const cancelled = { ...booked, ...refunded, state: 'CANCELLED' } as const;

/** A stay before or after a change (D84). */
export const StayOfChange = z
  .object({
    listing_id: Id,
    check_in_date: DateText,
    check_out_date: DateText,
    start_at: LocalDateTime,
    end_at: LocalDateTime,
    guest_number: z.int(),
    total_price: Money,
  })
  .meta({ id: 'ChangedStay' });
const Moved = {
  was: StayOfChange.meta({ description: 'The stay before the change.' }),
  now: StayOfChange.meta({ description: 'The stay after it.' }),
};
const stayed = {
  listing_id: 4711,
  check_in_date: '2027-02-04',
  check_out_date: '2027-02-07',
  start_at: '2027-02-04T14:00:00',
  end_at: '2027-02-07T12:00:00',
  guest_number: 2,
  total_price: 3_300_000,
} as const;
const changedTo = { check_out_date: '2027-02-08', total_price: 4_300_000 } as const;

/** The events of bookings and of their payments (D61, D92). */
export const bookingEvents = {
  'booking.created': defineEvent({
    meaning: 'A stay was booked; `state` is PENDING while the host has to accept it.',
    data: Changed,
    partners: Booking,
    example: booked,
  }),
  'booking.confirmed': defineEvent({
    meaning: 'A booking that waited was accepted by its host.',
    data: Changed,
    partners: Booking,
    example: booked,
  }),
  'booking.cancelled': defineEvent({
    meaning: 'A booking was cancelled; its time is free again.',
    data: Changed.extend({ access_shown: accessShown }),
    partners: Cancelled,
    example: cancelled,
  }),
  'booking.restored': defineEvent({
    meaning:
      'A booking that was cancelled because no bank transfer had come in time is CONFIRMED again: the money came late, and its time was free.',
    data: Changed,
    partners: Booking,
    example: { ...booked, payment_status: 'PAID' },
  }),
  'booking.declined': defineEvent({
    meaning: 'The host declined a booking; its time is free.',
    data: Changed,
    partners: Cancelled,
    example: cancelled,
  }),
  'booking.changed': defineEvent({
    meaning: 'A stay has another time, home, party, extras or price.',
    data: Changed.extend(Moved),
    partners: Booking.extend(Moved),
    example: {
      ...booked,
      ...changedTo,
      was: stayed,
      now: { ...stayed, ...changedTo, end_at: '2027-02-08T12:00:00' },
    },
  }),
  'booking.guest_updated': defineEvent({
    meaning: 'Name or contact of the guest, arrival time or note of a booking were corrected.',
    data: Changed.extend(corrected),
    partners: Booking.extend(corrected),
    example: { ...booked, fields: ['phone', 'email'] },
  }),
  'booking.charged': defineEvent({
    meaning: 'The host charged something beside the price of a booking, or took that out again.',
    data: Changed.extend(charged),
    partners: Booking.extend(charged),
    example: { ...booked, amount: 60_000, reason: '2 × Minibar' },
  }),
  'booking.deposit_changed': defineEvent({
    meaning:
      'The security deposit of a booking, or a part of it, was taken, returned or kept, by the host or on the card of the guest; or it was not authorised.',
    data: Changed.extend(deposit),
    partners: Booking.extend(deposit),
    example: { ...booked, action: 'KEEP', amount: 200_000, reason: 'A broken lamp' },
  }),
  'booking.checked_in': defineEvent({
    meaning: 'The guest has arrived.',
    data: Changed,
    partners: Booking,
    example: { ...booked, state: 'CHECKED_IN' },
  }),
  'booking.check_in_undone': defineEvent({
    meaning: 'A check-in was undone; the booking is CONFIRMED.',
    data: Changed,
    partners: Booking,
    example: booked,
  }),
  'booking.access_released': defineEvent({
    meaning: 'The host let the guest read the access information.',
    data: Changed,
    partners: null,
    example: booked,
  }),
  'booking.checked_out': defineEvent({
    meaning: 'The guest has left.',
    data: Changed,
    partners: Booking,
    example: { ...booked, state: 'CHECKED_OUT' },
  }),
  'booking.completed': defineEvent({
    meaning: 'The stay is over and settled.',
    data: Changed,
    partners: Booking,
    example: { ...booked, state: 'COMPLETED', payment_status: 'PAID' },
  }),
  'booking.no_show': defineEvent({
    meaning: 'The guest did not come; the rest of the time is free again.',
    data: Changed,
    partners: Cancelled,
    example: { ...cancelled, state: 'NO_SHOW' },
  }),
  'payment.paid': defineEvent({
    meaning: 'A booking was paid, or `amount` of it: `payment_status` says whether all of it.',
    data: PaymentChanged.extend({ method }),
    partners: Paid.extend({ method }),
    example: { ...paid, method: 'ONLINE_GATEWAY' },
  }),
  'payment.due': defineEvent({
    meaning: 'The balance of the payment plan of a booking has fallen due.',
    data: PaymentChanged,
    partners: Paid,
    example: { ...paid, payment_status: 'PENDING', amount: 2_310_000, payment_transaction_id: null },
  }),
  'payment.extended': defineEvent({
    meaning: 'The host gives the guest more time for a bank transfer of `amount`.',
    data: PaymentChanged,
    partners: Paid,
    example: { ...paid, payment_status: 'PENDING', payment_transaction_id: null },
  }),
  'payment.corrected': defineEvent({
    meaning: 'A payment that the host had recorded by mistake was taken out again.',
    data: PaymentChanged,
    partners: Paid,
    example: {
      ...paid,
      payment_status: 'PENDING',
      payment_transaction_id: null,
    },
  }),
  'payment.failed': defineEvent({
    meaning: 'A payment did not succeed.',
    data: PaymentChanged,
    partners: Failed,
    example: { ...paid, payment_status: 'PENDING', payment_transaction_id: null, reason: 'card_declined' },
  }),
  'payment.refunded': defineEvent({
    meaning: 'What was paid was refunded, or a part of it.',
    data: PaymentChanged.extend({ decision }),
    partners: Refunded,
    example: { ...paid, ...refunded, state: 'CANCELLED', payment_status: 'REFUNDED' },
  }),
  'payment.returned': defineEvent({
    meaning: 'The host has handed over a refund.',
    data: PaymentChanged,
    partners: null,
    example: { ...paid, ...refunded, state: 'CANCELLED', payment_status: 'REFUNDED' },
  }),
} as const;

export type BookingEventType = keyof typeof bookingEvents;
