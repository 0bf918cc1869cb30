import { isDeepStrictEqual } from 'node:util';
import type { EventDataOf, EventOf } from '../../events.ts';
import { callerRef } from '../../platform/auth.ts';
import type { Context } from '../../platform/context.ts';
import { invalid } from '../../platform/errors.ts';
import { EventEntity } from '../../platform/events/event.entity.ts';
import { isOrderId, orderIdOf, orderPartition } from '../../platform/ids.ts';
import {
  ConflictError,
  itemsOf,
  type Kind,
  maxWrites,
  type Mixed,
  readOf,
  type Table,
  type Write,
} from '../../platform/table/index.ts';
import { recordEvent } from '../../record-event.ts';
import { type Posted, type Posting, transactionOf } from '../folio/model.ts';
import { type Payment, PaymentEntity, type PaymentRefund, PaymentRefundEntity } from '../payment/model.ts';
import { type Order, OrderEntity } from './order.entity.ts';
import { isOfPlatform } from './booking.rules.ts';
import { type Reservation, ReservationEntity } from './reservation.entity.ts';
import type { BookingEventType } from './booking.events.ts';

/**
 * Throws VALIDATION_ERROR, before anything is written, if an order has too many stays and months for one transaction.
 * Each single stay always fits.
 */
export const requireOneTransaction = (writes: readonly Write[], verb: string): readonly Write[] => {
  if (writes.length < maxWrites) return writes;
  throw invalid({
    path: 'booking_id',
    message: `the order is too large to ${verb} in one transaction; ${verb} its stays one by one`,
  });
};

/** Returns when something is posted now, and by whom (D126). */
export const postedBy = ({ clock, caller }: Pick<Context, 'clock' | 'caller'>): Posted => ({
  at: clock.now(),
  actor: callerRef(caller),
});

/** Returns the one stay that a booking id names. Throws VALIDATION_ERROR for an order of several. */
export const onlyStay = ({
  reservations: [stay, ...others],
}: Pick<FoundBooking, 'reservations'>): Reservation => {
  if (stay && others.length === 0) return stay;
  throw invalid({ path: 'booking_id', message: 'is an order of several stays; name one of them' });
};

type PaymentEventType = Extract<BookingEventType, `payment.${string}`>;
/** The event of a change has both stays, that of a correction its fields, those of charges and deposits their amount; they are written with it. */
type OwnEventType =
  | 'booking.changed'
  | 'booking.guest_updated'
  | 'booking.charged'
  | 'booking.deposit_changed';
type PlainEventType = Exclude<BookingEventType, OwnEventType>;
type BookingData = EventDataOf<Exclude<PlainEventType, PaymentEventType>>;

/** Returns the data of a booking event (D92) as of now; consumers read the rest from the records. */
export const bookingEventData = (reservation: Reservation) => ({
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
  ...(isOfPlatform(reservation) ? { of_platform: true as const } : {}),
});

/** Data of some events only. */
interface BookingEventExtras extends Pick<BookingData, 'reason' | 'refund'> {
  /** The charge of the event, if the stay was not paid by it; null: nothing was charged. */
  charge?: string | null;
  /** What was paid; default: the price. */
  amount?: number;
  /** Of a refund: with which it was decided. */
  decision?: number | undefined;
  /** How, of a payment. */
  method?: NonNullable<Posting['method']>;
}

/**
 * Returns the additional data of a payment event: the amount that was paid, requested or refunded, and the gateway's id
 * of the charge.
 */
const paymentData = (
  stay: Reservation,
  eventType: PaymentEventType,
  { refund, charge, amount = stay.total }: BookingEventExtras,
) => ({
  amount: eventType === 'payment.refunded' ? (refund ?? stay.total) : amount,
  payment_transaction_id: charge === undefined ? transactionOf(stay) : charge,
});

const isPaymentEventType = (type: PlainEventType): type is PaymentEventType => type.startsWith('payment.');

/** A stored event of a booking, part of its history (D62b). */
export type BookingEvent = Omit<EventOf<BookingEventType>, 'data'> & {
  data: BookingData | EventDataOf<OwnEventType>;
};

/**
 * Returns the write of a booking event, by the caller unless `actor` is given. It is stored in the order's partition as
 * its history.
 */
export const emitBookingEvent = (
  ctx: Pick<Context, 'clock' | 'caller'>,
  stay: Reservation,
  eventType: PlainEventType,
  { charge, amount, method, decision, ...extras }: BookingEventExtras = {},
  actor?: string,
): Write => {
  const place = {
    ...(actor === undefined ? {} : { actor }),
    subject: orderPartition(stay.order_id),
    team_id: stay.team_id,
  };
  const data = { ...bookingEventData(stay), ...extras };
  return isPaymentEventType(eventType)
    ? recordEvent(ctx, {
        ...place,
        event_type: eventType,
        data: {
          ...data,
          ...paymentData(stay, eventType, {
            ...extras,
            ...(charge === undefined ? {} : { charge }),
            ...(amount === undefined ? {} : { amount }),
          }),
          ...(method === undefined ? {} : { method }),
          ...(decision === undefined ? {} : { decision }),
        },
      })
    : recordEvent(ctx, { ...place, event_type: eventType, data });
};

/** Reads a stay by its own id. It is there from the booking on, in any state. */
export const readReservation = (table: Table, reservationId: number): Promise<Reservation | undefined> =>
  table.get(ReservationEntity, { order_id: orderIdOf(reservationId), reservation_id: reservationId });

/**
 * Throws ConflictError if stays are not as they were read, before their calendar: what takes the time there may be these stays
 * themselves.
 */
export const requireAsRead = async (table: Table, stays: readonly Reservation[]): Promise<void> => {
  const found = await table.getAll(stays.map((stay) => readOf(ReservationEntity, stay)));
  if (!isDeepStrictEqual(found, stays)) throw new ConflictError('Reservation');
};

/** An order with the reservations that a booking id names: one, or all of a master (D49). */
export interface FoundBooking {
  order: Order;
  reservations: Reservation[];
  /** The payment of the whole order. */
  payment?: Payment | undefined;
  /** The payments of stays that are paid separately (D86). */
  separatePayments: Payment[];
}

/** All records of an order, in any state. */
export interface FoundOrder {
  order: Order | undefined;
  reservations: Reservation[];
  payment: Payment | undefined;
  /** The payments of stays that are paid separately (D86). */
  separatePayments: Payment[];
  refunds: PaymentRefund[];
  /** The order of the stay whose change the payment pays (D84). */
  changed?: FoundOrder;
}

/** Reads an order in one Query, without its history events, which sort before it. */
export const findOrder = async (table: Table, orderId: number): Promise<FoundOrder> =>
  foundOrderOf(
    orderId,
    await table.queryAllMixed({ pk: orderPartition(orderId), from: 'ORDER', to: 'RESERVATION$' }),
  );

/** Reads an order with its events in one Query. */
export const findOrderWithEvents = async (
  table: Table,
  orderId: number,
  { consistent }: { consistent: boolean },
): Promise<FoundOrder & { events: BookingEvent[] }> => {
  const found = await table.queryAllMixed({ pk: orderPartition(orderId), consistent });
  return { ...foundOrderOf(orderId, found), events: itemsOf(BookingEvents, found) };
};

const foundOrderOf = (orderId: number, found: Pick<Mixed, 'entries'>): FoundOrder => {
  const payments = itemsOf(PaymentEntity, found);
  return {
    order: itemsOf(OrderEntity, found)[0],
    reservations: itemsOf(ReservationEntity, found),
    payment: payments.find(({ payment_id }) => payment_id === orderId),
    separatePayments: payments.filter(({ payment_id }) => payment_id !== orderId),
    refunds: itemsOf(PaymentRefundEntity, found),
  };
};

/** Returns the payment of a stay, if it exists. */
export const paymentOf = (
  { payment, separatePayments }: Pick<FoundBooking, 'payment' | 'separatePayments'>,
  { pays_apart, reservation_id }: Reservation,
): Payment | undefined =>
  pays_apart ? separatePayments.find(({ payment_id }) => payment_id === reservation_id) : payment;

/** Returns the page for what is due of a stay, of a booking that was read {@link withDuePages}. */
export const duePageOf = (
  { separatePayments }: Pick<FoundBooking, 'separatePayments'>,
  { due_page: id }: Reservation,
): Payment | undefined =>
  id === undefined ? undefined : separatePayments.find(({ payment_id }) => payment_id === id);

/** Returns a booking with the pages that its host has opened for what is due (D127). Reads only for stays that name one. */
export const withDuePages = async <Found extends Pick<FoundBooking, 'reservations' | 'separatePayments'>>(
  table: Pick<Table, 'getAll'>,
  found: Found,
): Promise<Found> => {
  const ids = found.reservations.flatMap(({ due_page }) => due_page ?? []);
  if (ids.length === 0) return found;
  const pages = await table.getAll(ids.map((id) => readOf(PaymentEntity, { payment_id: id })));
  return {
    ...found,
    separatePayments: [...found.separatePayments, ...pages.filter((page) => page !== undefined)],
  };
};

/** Reads a payment with only the stays that it pays for; that of a change with the order of its stay. */
export const findPaid = async (table: Table, paymentId: number): Promise<FoundOrder> => {
  const found = await findOrder(table, orderIdOf(paymentId));
  const { payment } = found;
  const stayOfPage = payment?.due_of ?? payment?.deposit_of;
  if (stayOfPage !== undefined) {
    const { order, reservations } = await findOrder(table, orderIdOf(stayOfPage));
    const ofPage = reservations.filter(({ reservation_id }) => reservation_id === stayOfPage);
    return { ...found, order, reservations: ofPage };
  }
  if (payment?.change_of !== undefined)
    return { ...found, changed: await findOrder(table, orderIdOf(payment.change_of)) };
  const isWhole = isOrderId(paymentId);
  return {
    ...found,
    reservations: found.reservations.filter(({ pays_apart, reservation_id }) =>
      isWhole ? !pays_apart : reservation_id === paymentId,
    ),
    payment: isWhole
      ? found.payment
      : found.separatePayments.find(({ payment_id }) => payment_id === paymentId),
    refunds: found.refunds.filter(({ payment_id }) => payment_id === paymentId),
  };
};

/** Reads a booking by its own or its master's id. */
export const findBooking = async (table: Table, bookingId: number): Promise<FoundBooking | undefined> => {
  const { order, payment, separatePayments, ...found } = await findOrder(table, orderIdOf(bookingId));
  if (order?.state !== 'BOOKED') return undefined;
  const reservations = found.reservations.filter(
    ({ reservation_id }) => isOrderId(bookingId) || reservation_id === bookingId,
  );
  return reservations.length > 0 ? { order, reservations, payment, separatePayments } : undefined;
};

/** Reads the events of an order's stays, oldest first. They are kept as long as the order (D62b). */
export const findHistory = (table: Table, bookingId: number): Promise<BookingEvent[]> =>
  table.queryAll(BookingEvents, { pk: orderPartition(orderIdOf(bookingId)), prefix: 'EVENT#' });

/** Reads an event of a booking; its data is as it was written. */
export const readBookingEvent = async (
  table: Table,
  bookingId: number,
  eventId: string,
): Promise<EventOf<BookingEventType> | undefined> => {
  const subject = orderPartition(orderIdOf(bookingId));
  const found = await table.get(EventEntity, { subject, id: eventId });
  return found as EventOf<BookingEventType> | undefined;
};

const { name, record, upgrades } = EventEntity;
/** The events in the partition of an order. */
const BookingEvents: Kind<BookingEvent> = { name, record, upgrades };
