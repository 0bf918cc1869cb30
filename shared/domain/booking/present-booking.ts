import { type Caller, isHostOf } from '../../platform/auth.ts';
import { instantText } from '../../platform/time/clock.ts';
import type { Context } from '../../platform/context.ts';
import { dueLaterFor, extraChargesOf, receivedFor, refundedFor, transactionOf } from '../folio/model.ts';
import { type Listing, ListingEntity } from '../listing/model.ts';
import { hostContact } from '../people/index.ts';
import type { TeamAccounts } from '../transfer/model.ts';
import { accessOf } from './access-info.rules.ts';
import { thawQuote } from './frozen-quote.rules.ts';
import type { OrderItem } from './order.entity.ts';
import type { Reservation } from './reservation.entity.ts';
import { openAccess } from './open-access.ts';
import { isSecured, isUnpaid, totalOf, waitsForPayment } from './booking.rules.ts';
import { type BookingState, fellThrough, type PaymentStatus } from './booking-state.schema.ts';
import type { Booking, BookingDetail, OrderStay } from './booking.schema.ts';
import type { ExternallyBooked } from './external-booking.schema.ts';
import type { FoundBooking } from './booking.store.ts';
import { handoverOf } from './handover.rules.ts';
import { openPageOf } from './money-refusals.rules.ts';
import { balanceDueAt } from './payment-plan.rules.ts';
import { depositsOf } from './security-deposit.rules.ts';
import { dueNow } from './stay-row.rules.ts';
import { cancellationDeadline, shownTerms } from './terms.rules.ts';
import { readAccounts, transferOf } from './booking-transfer.ts';

/** Returns a stay in short form (D80). */
export const presentStay = (reservation: Reservation): OrderStay => ({
  id: reservation.reservation_id,
  listing_id: reservation.listing_id,
  listing_number: reservation.listing_id,
  listing_name: reservation.listing_name,
  ...inBothNames({
    state: reservation.state,
    check_in: reservation.check_in_date,
    check_out: reservation.check_out_date,
    guests: reservation.guest_number,
  }),
  total_price: reservation.total,
});

/** Returns a stay as lists show it (D51, D80). */
export const presentBooking = (reservation: Reservation): Booking => ({
  ...presentStay(reservation),
  master_reservation_id: reservation.order_id,
  team_id: reservation.team_id,
  user_id: reservation.guest.user_id,
  start_at: reservation.start_at,
  end_at: reservation.end_at,
  timezone: reservation.timezone,
  nights: reservation.nights,
  guest_info: {
    name: reservation.guest.full_name,
    full_name: reservation.guest.full_name,
    phone: reservation.guest.phone,
    email: reservation.guest.email,
  },
  currency: reservation.currency,
  payment_method: reservation.payment_method,
  payment_status: reservation.payment_status,
  payment_expires_at: paymentExpiry([reservation]),
  payment_transaction_id: transactionOf(reservation),
  ...moneyOf([reservation]),
  external_system: reservation.external_system,
  external_booking_id: reservation.external_booking_id,
  created_at: reservation.created_at,
  updated_at: reservation.updated_at,
});

/** Returns a stay as lists show it to its hosts (D127). */
export const presentToHost = (stay: Reservation): Booking => ({
  ...presentBooking(stay),
  ...handoverOf([stay]),
});

/** Returns the stays that a partner has booked as one order (D92); `first` is one of them. */
export const presentOrder = (first: Reservation, reservations: readonly Reservation[]): ExternallyBooked => ({
  ...presentBooking(first),
  ...orderSummaryOf(reservations),
  id: first.order_id,
  payment_expires_at: paymentExpiry(reservations),
  reservations: reservations.map(presentBooking),
});

/** Returns the same with the listing id as text (D80). */
export const withListingText = <Shown extends Booking>(booking: Shown) => ({
  ...booking,
  listing_id: String(booking.listing_number),
});

/** What a booking's detail shows of its listing and its hosts. */
export interface DetailSources {
  listing: Listing | undefined;
  host_info: BookingDetail['host_info'];
  /** Read where something is to be transferred. */
  accounts?: TeamAccounts | undefined;
}

/** Two round trips: the hosts' telephone numbers are found by their memberships. */
export const readDetailSources = async (
  ctx: Context,
  { reservations }: Pick<FoundBooking, 'reservations'>,
): Promise<DetailSources> => {
  const { listing_id, team_id } = firstStanding(reservations);
  const [listing, hostInfo, accounts] = await Promise.all([
    ctx.table.get(ListingEntity, { id: listing_id }),
    hostContact(ctx, team_id),
    readAccounts(ctx, reservations),
  ]);
  return { listing, host_info: hostInfo, accounts };
};

export const firstStanding = (reservations: readonly Reservation[]): Reservation => {
  const first = reservations.find(({ state }) => !fellThrough(state)) ?? reservations[0];
  if (!first) throw new Error('no stay to show');
  return first;
};

/**
 * Returns a booking in detail. Of a master, the first stay that has not fallen through names the listing, and totals are sums
 * (D49, D51).
 */
export const presentDetail = async (
  ctx: Context,
  id: number,
  { order, reservations, payment, separatePayments }: FoundBooking,
  sources?: DetailSources,
): Promise<BookingDetail> => {
  const first = firstStanding(reservations);
  const { listing, host_info, accounts } = sources ?? (await readDetailSources(ctx, { reservations }));
  const now = ctx.clock.now();
  const page = openPageOf(now, { payment, separatePayments }, reservations);
  const items = order.items.filter((item) =>
    reservations.some(({ reservation_id }) => reservation_id === item.reservation_id),
  );
  const price = pricesOf(ctx.caller, items);
  const adults = countOf(price.map(({ adult_number }) => adult_number));
  const children = countOf(price.map(({ children_number }) => children_number));
  return {
    ...presentBooking(first),
    ...orderSummaryOf(reservations),
    id,
    listing_address: listing?.address ?? '',
    note: first.guest.note ?? null,
    arrival_time: first.guest.arrival_time ?? null,
    host_info,
    adults,
    adult_number: adults,
    children,
    children_number: children,
    payment_expires_at: page?.due_of ? instantText(page.ends_at) : paymentExpiry(reservations),
    payment_url: page?.url ?? null,
    transfer: transferOf(accounts, reservations),
    price,
    lines: price.flatMap(({ lines }) => lines),
    charges: reservations.flatMap((stay) =>
      extraChargesOf(stay).map((charge) => ({ ...charge, booking_id: stay.reservation_id })),
    ),
    security_deposit: depositsOf(order, reservations, now),
    extra_services: price.flatMap(({ extra_services }) => extra_services),
    cancellation_deadline: cancellationDeadline(first),
    cancellation_terms: shownTerms(first),
    cancel_reason: first.cancel_reason ?? null,
    chat_thread_id: first.reservation_id,
    access: listing ? accessOf(listing, first, now) : null,
    access_info: listing && isSignedIn(ctx.caller, first) ? await openAccess(ctx, listing, first, now) : null,
    reservations: reservations.map(presentStay),
  };
};

interface Shown {
  state: BookingState;
  check_in: string;
  check_out: string;
  guests: number;
}

/** Returns the fields with two published names, under both (D80). */
const inBothNames = ({ state, check_in, check_out, guests }: Shown) => ({
  state,
  status: state,
  check_in,
  check_in_date: check_in,
  check_out,
  check_out_date: check_out,
  guests,
  guest_number: guests,
});

const orderSummaryOf = (reservations: readonly Reservation[]) => ({
  ...inBothNames({
    state: stateOf(reservations.map(({ state }) => state)),
    check_in: reservations.map(({ check_in_date }) => check_in_date).sort()[0] ?? '',
    check_out:
      reservations
        .map(({ check_out_date }) => check_out_date)
        .sort()
        .at(-1) ?? '',
    guests: reservations.reduce((guests, { guest_number }) => guests + guest_number, 0),
  }),
  nights: Math.max(...reservations.map(({ nights }) => nights)),
  total_price: totalOf(reservations.map(({ total }) => total)),
  payment_status: paymentStatusOf(reservations),
  ...moneyOf(reservations),
});

/** Returns what stays still cost, and what was paid and refunded for them (D126). */
export const moneyOf = (stays: readonly Reservation[]) => ({
  amount_due: totalOf(stays.map(dueNow)),
  amount_due_later: totalOf(stays.filter(isUnpaid).map(dueLaterFor)),
  balance_due_at: firstInstant(stays.filter(isUnpaid).map(balanceDueAt)),
  amount_paid: totalOf(stays.map(receivedFor)),
  amount_refunded: totalOf(stays.map(refundedFor)),
  secured: stays.every((stay) => fellThrough(stay.state) || isSecured(stay)),
});

const firstInstant = (instants: readonly (number | undefined)[]): string | null => {
  const [first] = instants.filter((instant) => instant !== undefined).sort((one, other) => one - other);
  return first === undefined ? null : instantText(first);
};

/**
 * Returns the payment status of several stays: PENDING while one that has not fallen through is unpaid, else that of a
 * stay which was paid, so that unpaid cancelled ones do not hide a refund.
 */
export const paymentStatusOf = (
  reservations: readonly Pick<Reservation, 'state' | 'payment_status'>[],
): PaymentStatus => {
  const standing = reservations.filter(({ state }) => !fellThrough(state));
  const statuses = (standing.length > 0 ? standing : reservations).map((stay) => stay.payment_status);
  const order: readonly PaymentStatus[] =
    standing.length > 0 ? ['PENDING', 'PAID', 'REFUNDED'] : ['PAID', 'REFUNDED', 'PENDING'];
  return order.find((status) => statuses.includes(status)) ?? 'PENDING';
};

/** Returns the sum; null if no stay has a number. */
const countOf = (numbers: readonly (number | null)[]): number | null =>
  numbers.every((number) => number === null)
    ? null
    : numbers.reduce<number>((sum, number) => sum + (number ?? 0), 0);

/** Returns until when an unpaid online payment of these stays can be made (D102); null if none is pending. */
export const paymentExpiry = (reservations: readonly Reservation[]): string | null => {
  const waiting = reservations.find((stay) => waitsForPayment(stay) && stay.pay_until !== undefined);
  return waiting?.pay_until === undefined ? null : instantText(waiting.pay_until);
};

/**
 * Returns the state of several stays: that of the first that has not fallen through, else NO_SHOW if one is, and CANCELLED
 * only if all are.
 */
export const stateOf = (states: readonly BookingState[]): BookingState =>
  states.find((state) => !fellThrough(state)) ?? states.find((state) => state !== 'CANCELLED') ?? 'CANCELLED';

const pricesOf = (caller: Caller, items: readonly OrderItem[]) =>
  items.map((item) => {
    const quote = thawQuote(item.quote);
    return isHostOf(caller, item.team_id) ? quote : { ...quote, earning: null, commission_rate: null };
  });

/** By account; who has a link reads the door code by the digits of the telephone number (D122). */
const isSignedIn = (caller: Caller, { guest }: Reservation): boolean =>
  caller.kind === 'user' && caller.user_id === guest.user_id;
