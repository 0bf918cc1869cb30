import type { Context } from '../../platform/context.ts';
import { type DomainEvent, type EventType, recordEvent } from '../../platform/events/index.ts';
import type { Write } from '../../platform/table/index.ts';
import { orderPartition } from '../../platform/ids.ts';
import type { Reservation } from './booking.entity.ts';

/** What an event says of a booking (D92), as it was then; consumers read the rest from the records. */
const bookingEventData = (reservation: Reservation) => ({
  id: reservation.reservation_id,
  master_reservation_id: reservation.order_id,
  listing_id: reservation.listing_id,
  state: reservation.state,
  payment_status: reservation.payment_status,
  check_in_date: reservation.check_in_date,
  check_out_date: reservation.check_out_date,
  guest_number: reservation.guest_number,
  total_price: reservation.total,
  currency: reservation.currency,
  external_system: reservation.external_system,
  external_booking_id: reservation.external_booking_id,
});

/** What only some events say. */
interface Told {
  reason?: string | null;
  refund?: number;
}

/** What an event of a payment says besides: the amount that was paid, asked for or given back, and the gateway's id of the charge. */
const paymentData = (stay: Reservation, event_type: EventType, { refund }: Told) => {
  if (!event_type.startsWith('payment.')) return {};
  const amount = event_type === 'payment.refunded' ? (refund ?? stay.total) : stay.total;
  return { amount, payment_transaction_id: stay.payment_transaction_id ?? null };
};

/** An event of a booking as it is kept: the booking's history is made of them (D62b). */
export type BookingEvent = DomainEvent & { data: ReturnType<typeof bookingEventData> & Told };

/** The event of a booking's change, by the caller unless it says by whom, beside the booking, where it stays as its history. */
export const tellBooking = (
  ctx: Pick<Context, 'clock' | 'caller'>,
  stay: Reservation,
  event_type: EventType,
  told: Told = {},
  actor?: string,
): Write =>
  recordEvent(ctx, {
    ...(actor === undefined ? {} : { actor }),
    subject: orderPartition(stay.order_id),
    event_type,
    team_id: stay.team_id,
    data: { ...bookingEventData(stay), ...paymentData(stay, event_type, told), ...told },
  });
