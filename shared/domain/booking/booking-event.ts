import type { EventDataOf, EventOf } from '../../events.ts';
import type { Context } from '../../platform/context.ts';
import { orderPartition } from '../../platform/ids.ts';
import type { Write } from '../../platform/table/index.ts';
import { recordEvent } from '../../record-event.ts';
import type { Reservation } from './booking.entity.ts';
import type { BookingEventType } from './booking.events.ts';

type PaymentEventType = Extract<BookingEventType, `payment.${string}`>;
type BookingData = EventDataOf<Exclude<BookingEventType, PaymentEventType>>;

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
interface Told extends Pick<BookingData, 'reason' | 'refund'> {
  /** The charge that it is about, where the stay was not paid by it. */
  charge?: string;
}

/** What an event of a payment says besides: the amount that was paid, asked for or given back, and the gateway's id of the charge. */
const paymentData = (stay: Reservation, event_type: PaymentEventType, { refund, charge }: Told) => ({
  amount: event_type === 'payment.refunded' ? (refund ?? stay.total) : stay.total,
  payment_transaction_id: charge ?? stay.payment_transaction_id ?? null,
});

const isOfPayment = (type: BookingEventType): type is PaymentEventType => type.startsWith('payment.');

/** An event of a booking as it is kept: the booking's history is made of them (D62b). */
export type BookingEvent = Omit<EventOf<BookingEventType>, 'data'> & { data: BookingData };

/** The event of a booking's change, by the caller unless it says by whom, beside the booking, where it stays as its history. */
export const emitBookingEvent = (
  ctx: Pick<Context, 'clock' | 'caller'>,
  stay: Reservation,
  event_type: BookingEventType,
  { charge, ...told }: Told = {},
  actor?: string,
): Write => {
  const place = {
    ...(actor === undefined ? {} : { actor }),
    subject: orderPartition(stay.order_id),
    team_id: stay.team_id,
  };
  const data = { ...bookingEventData(stay), ...told };
  return isOfPayment(event_type)
    ? recordEvent(ctx, {
        ...place,
        event_type,
        data: {
          ...data,
          ...paymentData(stay, event_type, { ...told, ...(charge === undefined ? {} : { charge }) }),
        },
      })
    : recordEvent(ctx, { ...place, event_type, data });
};
