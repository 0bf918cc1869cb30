import { instantText } from '../../platform/time/clock.ts';
import type { Context } from '../../platform/context.ts';
import { absent, create, equals, put, type Write } from '../../platform/table/index.ts';
import { toInstant } from '../../platform/time/time.ts';
import { type AvailabilityEntry, AvailabilityEntryEntity, preparationOf } from '../calendar/model.ts';
import {
  type Account,
  chargePosting,
  dueFor,
  type GatewayCharge,
  type Posted,
  takenPosting,
  unpaidFor,
} from '../folio/model.ts';
import { defaultTransferHours } from '../listing/model.ts';
import type { CustomerNames } from '../people/model.ts';
import { type PaymentMethod, transferWindowEnd } from '../payment/model.ts';
import { thawQuote } from './frozen-quote.rules.ts';
import { type Guest, type Order, OrderEntity, type OrderItem } from './order.entity.ts';
import { type Reservation, ReservationEntity } from './reservation.entity.ts';
import type { PaymentStatus } from './booking-state.schema.ts';
import { emitBookingEvent } from './booking.store.ts';
import { reschedule } from './due-booking.store.ts';
import { takenTime } from './unused-time.rules.ts';

/** What all stays of an order have in common when it is booked. */
export interface BookingTerms {
  guest: Guest;
  /** Other names of the guest by team (D107). */
  names?: CustomerNames;
  payment_method: PaymentMethod;
  payment_status: PaymentStatus;
  /** Epoch milliseconds; of an unpaid online payment. */
  pay_until?: number;
  /** Of a completed online payment. */
  charge?: GatewayCharge;
  /** Of an adopted stay (D120): the calendar that leads its time, and its event. */
  led_by?: Pick<AvailabilityEntry, 'event_key' | 'by_text'> & { feed_id: number };
  /** Stays whose payment is authorised until their host accepts them; takes precedence over the other terms (D86). */
  authorised?: ReadonlySet<number>;
  external?: {
    key_id: number | null;
    external_system: string | null;
    external_booking_id: string | null;
    guest_links?: false;
  };
}

export interface BookedOrder {
  order: Order;
  reservations: Reservation[];
  /** All writes except the calendar's months: order, reservations, availability entries, events. */
  writes: Write[];
}

/**
 * Returns the records of an order that moves from HELD or CHARGING, or from nothing, to BOOKED; the caller adds the
 * calendar writes and commits. The ids of a new order must be unused: an id that exists is a conflict and never
 * overwrites another caller's checkout.
 */
export const bookOrder = (
  ctx: Context,
  held: Order,
  terms: BookingTerms,
  { isNew = false }: { isNew?: boolean } = {},
): BookedOrder => {
  const createdAt = instantText(ctx.clock.now());
  const order: Order = { ...held, state: 'BOOKED', guest: guestFor(held.items[0], terms) };
  const reservations = order.items.map((item) =>
    reservationOf(order, item, termsFor(item, terms), createdAt),
  );
  return {
    order,
    reservations,
    writes: [
      put(OrderEntity, order, { when: isNew ? absent() : equals('state', held.state) }),
      ...reservations.map((reservation) => create(ReservationEntity, reservation)),
      ...reservations.flatMap((reservation) => reschedule(undefined, reservation)),
      ...reservations.map((reservation) =>
        terms.led_by
          ? adoptEntry(reservation, terms.led_by)
          : (isNew ? create : put)(AvailabilityEntryEntity, entryOf(reservation)),
      ),
      ...reservations.map((reservation) =>
        // The actor is the person who ordered, even if a gateway's report completes the booking.
        emitBookingEvent(ctx, reservation, 'booking.created', {}, order.holder),
      ),
    ],
  };
};

/** The imported block becomes the entry of its stay: its hours are taken all the while (D120). */
const adoptEntry = (reservation: Reservation, led: NonNullable<BookingTerms['led_by']>): Write =>
  put(AvailabilityEntryEntity, { ...entryOf(reservation), ...led }, { when: equals('state', 'BLOCKED') });

/** Returns the guest as the team of a stay has them (D107). */
const guestFor = (
  item: Pick<OrderItem, 'team_id'> | undefined,
  { guest: { is_renamed: _, ...guest }, names }: BookingTerms,
): Guest => ({ ...guest, ...(item && names?.get(item.team_id)) });

const termsFor = ({ reservation_id }: OrderItem, terms: BookingTerms): BookingTerms => {
  if (!terms.authorised?.has(reservation_id)) return terms;
  const { charge: _, ...rest } = terms;
  return { ...rest, payment_status: 'PENDING' };
};

const reservationOf = (
  order: Order,
  item: OrderItem,
  terms: BookingTerms,
  createdAt: string,
): Reservation => {
  const quote = thawQuote(item.quote);
  const price = { total: quote.total, ...planFor(item, terms) };
  const payment = paidPosting(price, terms, { at: Date.parse(createdAt), actor: order.holder });
  const isPaid = terms.payment_status === 'PAID' && unpaidFor({ ...price, ...payment }) === 0;
  return {
    reservation_id: item.reservation_id,
    order_id: order.order_id,
    availability_id: item.availability_id,
    listing_id: item.listing_id,
    listing_name: item.listing_name,
    calendar_id: item.calendar_id,
    team_id: item.team_id,
    state: item.instant_book ? 'CONFIRMED' : 'PENDING',
    payment_method: terms.payment_method,
    payment_status: isPaid ? 'PAID' : 'PENDING',
    check_in_date: quote.check_in_date,
    check_out_date: quote.check_out_date,
    start_at: item.start_at,
    end_at: item.end_at,
    ...preparationOf(item),
    timezone: item.timezone,
    nights: quote.nights,
    guest_number: quote.guest_number,
    ...price,
    currency: quote.currency,
    refund_notice_hours: item.refund_notice_hours,
    ...(item.cancellation_terms ? { cancellation_terms: item.cancellation_terms } : {}),
    guest: guestFor(item, terms),
    key_id: terms.external?.key_id ?? null,
    external_system: terms.external?.external_system ?? null,
    external_booking_id: terms.external?.external_booking_id ?? null,
    ...(terms.led_by ? { feed_id: terms.led_by.feed_id } : {}),
    created_at: createdAt,
    updated_at: createdAt,
    ...(terms.external?.guest_links === false
      ? { guest_link: { version: 0, tries: 0, is_off: true as const } }
      : {}),
    ...(isAllLater(price) ? {} : payUntilOf(item, terms, createdAt)),
    ...(paysSeparately(item, terms) || isPaidLater(price, terms) ? { pays_apart: true } : {}),
    ...(terms.authorised?.has(item.reservation_id) ? { authorised: true } : {}),
    ...payment,
  };
};

/** A stay that is booked as paid was paid through the gateway, or to the partner. */
const paidPosting = (price: Account, terms: BookingTerms, posted: Posted): Pick<Reservation, 'postings'> => {
  const { charge } = terms;
  const amount = dueFor(price);
  const collector = terms.payment_method === 'PLATFORM' ? 'PLATFORM' : 'PARTNER';
  if (isCollected(terms)) return { postings: [takenPosting(terms, amount, collector, posted)] };
  const isCharged = charge !== undefined && (amount > 0 || price.plan === undefined);
  return isCharged ? { postings: [chargePosting(charge, amount, posted.at)] } : {};
};

const isCollected = ({ payment_status, external }: BookingTerms): boolean =>
  payment_status === 'PAID' && external !== undefined;

/** What is paid in cash, or to a partner, is paid as a whole (D129). */
const planFor = ({ plan }: OrderItem, terms: BookingTerms): Pick<Reservation, 'plan'> =>
  plan === undefined || terms.payment_method === 'CASH' || isCollected(terms) ? {} : { plan };

/** Whether nothing of a price is due at booking (D129). */
const isAllLater = (price: Account): boolean => price.total > 0 && dueFor(price) === 0;

/** The page of the order does not ask for a stay of which nothing is due at booking, and does not pay what falls due later. */
const isPaidLater = (price: Account, { payment_method, payment_status }: BookingTerms): boolean =>
  isAllLater(price) && payment_method === 'ONLINE_GATEWAY' && payment_status === 'PENDING';

/** A stay that must be accepted by its host is paid separately, after the acceptance (D86). */
const paysSeparately = (
  { instant_book }: OrderItem,
  { payment_method, payment_status }: BookingTerms,
): boolean => !instant_book && payment_method === 'ONLINE_GATEWAY' && payment_status === 'PENDING';

/**
 * Returns when an unpaid stay must be paid: by the order's payment window, or by the listing's time for bank transfers
 * (D85).
 */
const payUntilOf = (
  item: OrderItem,
  terms: BookingTerms,
  createdAt: string,
): Pick<Reservation, 'pay_until'> => {
  const { payment_method, payment_status, pay_until } = terms;
  if (paysSeparately(item, terms)) return {};
  if (pay_until !== undefined) return { pay_until };
  // A stay that its host must accept is payable from the acceptance on.
  if (payment_method !== 'BANK_TRANSFER' || payment_status !== 'PENDING' || !item.instant_book) return {};
  return { pay_until: transferUntil(item, Date.parse(createdAt)) };
};

/** Returns the time limit of a bank transfer for a stay that is booked or accepted now (D85). */
export const transferUntil = (item: OrderItem, now: number): number => {
  const { start_at, timezone, transfer_window_hours = defaultTransferHours } = item;
  return transferWindowEnd(now, toInstant(start_at, timezone), transfer_window_hours);
};

/** Returns the availability entry of a booked stay. */
export const entryOf = (reservation: Reservation): AvailabilityEntry => ({
  calendar_id: reservation.calendar_id,
  availability_id: reservation.availability_id,
  listing_id: reservation.listing_id,
  state: 'BOOKED',
  reservation_id: reservation.reservation_id,
  order_id: reservation.order_id,
  ...(reservation.feed_id === undefined ? {} : { feed_id: reservation.feed_id }),
  ...(reservation.guest.user_id === null ? {} : { guest_user_id: reservation.guest.user_id }),
  start_at: takenTime(reservation).start_at,
  end_at: reservation.end_at,
  ...(reservation.taken_from === undefined ? {} : { booked_from: reservation.start_at }),
  ...preparationOf(reservation),
  locked_until: null,
  note: null,
  created_at: reservation.created_at,
});
