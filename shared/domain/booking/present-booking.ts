import { isHostOf, type Caller } from '../../platform/auth.ts';
import type { Context } from '../../platform/context.ts';
import { toInstant } from '../../platform/time.ts';
import { type Listing, ListingEntity } from '../listing/index.ts';
import { hostContact } from '../team/index.ts';
import type { OrderItem, Reservation } from './booking.entity.ts';
import type { BookingState, BookingSummary } from './booking.schema.ts';
import type { AccessInfo, BookingDetail } from './booking-detail.schema.ts';
import type { ExternalBooking } from './external-booking.schema.ts';
import type { FoundBooking } from './booking.store.ts';
import { thawQuote } from './frozen-quote.ts';
import { payUrlOf } from './pay-url.ts';
import { cancellationDeadline, totalOf } from './refund.ts';

const accessOpensMs = 24 * 60 * 60 * 1000;

/** A stay in a customer's list (spec 2.15). */
export const presentSummary = (reservation: Reservation): BookingSummary => ({
  id: reservation.reservation_id,
  listing_id: String(reservation.listing_id),
  listing_name: reservation.listing_name,
  check_in: reservation.check_in_date,
  check_out: reservation.check_out_date,
  guests: reservation.guest_number,
  total_price: reservation.total,
  currency: reservation.currency,
  state: reservation.state,
  payment_status: reservation.payment_status,
  created_at: reservation.created_at,
});

/** A stay as its partner sees it (D51). */
export const presentExternal = (reservation: Reservation, payUrl: string | null = null): ExternalBooking => ({
  id: reservation.reservation_id,
  status: reservation.state,
  master_reservation_id: reservation.order_id,
  listing_id: reservation.listing_id,
  listing_name: reservation.listing_name,
  team_id: reservation.team_id,
  user_id: reservation.guest.user_id,
  check_in_date: reservation.check_in_date,
  check_out_date: reservation.check_out_date,
  start_at: reservation.start_at,
  end_at: reservation.end_at,
  timezone: reservation.timezone,
  nights: reservation.nights,
  guest_number: reservation.guest_number,
  guest_info: {
    full_name: reservation.guest.full_name,
    phone: reservation.guest.phone,
    email: reservation.guest.email,
  },
  total_price: reservation.total,
  currency: reservation.currency,
  payment_method: reservation.payment_method,
  payment_status: reservation.payment_status,
  ...(payUrl === null ? {} : { payment_url: payUrl }),
  payment_transaction_id: reservation.payment_transaction_id ?? null,
  external_system: reservation.external_system,
  external_booking_id: reservation.external_booking_id,
  created_at: reservation.created_at,
  updated_at: reservation.updated_at,
});

/** A booking in detail; of a master, its stays together: the first that stands names the listing, totals are sums (D49, D51). */
export const presentDetail = async (
  ctx: Context,
  id: number,
  { order, reservations, payment }: FoundBooking,
): Promise<BookingDetail> => {
  const first = reservations.find(({ state }) => state !== 'CANCELLED') ?? reservations[0];
  if (!first) throw new Error(`order ${order.order_id} has no reservation to show`);
  const [listing, host_info] = await Promise.all([
    ctx.table.get(ListingEntity, { id: first.listing_id }),
    hostContact(ctx, first.team_id),
  ]);
  const items = order.items.filter((item) =>
    reservations.some(({ reservation_id }) => reservation_id === item.reservation_id),
  );
  return {
    ...presentSummary(first),
    ...togetherOf(reservations),
    id,
    master_reservation_id: order.order_id,
    start_at: first.start_at,
    end_at: first.end_at,
    timezone: first.timezone,
    listing_address: listing?.address ?? '',
    guest_info: { name: first.guest.full_name, phone: first.guest.phone, email: first.guest.email },
    host_info,
    payment_method: first.payment_method,
    payment_url: payUrlOf(ctx.clock, payment, reservations),
    payment_transaction_id: first.payment_transaction_id ?? null,
    price: pricesOf(ctx.caller, items),
    cancellation_deadline: cancellationDeadline(first),
    chat_thread_id: first.reservation_id,
    access_info: accessInfo(ctx, first, listing),
    reservations: reservations.map((stay) => ({
      id: stay.reservation_id,
      listing_id: stay.listing_id,
      listing_name: stay.listing_name,
      status: stay.state,
    })),
  };
};

const togetherOf = (reservations: readonly Reservation[]) => ({
  check_in: reservations.map(({ check_in_date }) => check_in_date).sort()[0] ?? '',
  check_out:
    reservations
      .map(({ check_out_date }) => check_out_date)
      .sort()
      .at(-1) ?? '',
  nights: Math.max(...reservations.map(({ nights }) => nights)),
  guests: reservations.reduce((guests, { guest_number }) => guests + guest_number, 0),
  total_price: totalOf(reservations.map(({ total }) => total)),
  state: stateOf(reservations.map(({ state }) => state)),
});

/** Of several stays: cancelled only when all are, else the state of the first that is not. */
export const stateOf = (states: readonly BookingState[]): BookingState =>
  states.find((state) => state !== 'CANCELLED') ?? 'CANCELLED';

const pricesOf = (caller: Caller, items: readonly OrderItem[]) =>
  items.map((item) => {
    const quote = thawQuote(item.quote);
    return isHostOf(caller, item.team_id) ? quote : { ...quote, earning: null, commission_rate: null };
  });

const accessInfo = (
  ctx: Context,
  reservation: Reservation,
  listing: Listing | undefined,
): AccessInfo | null => {
  const isGuest = ctx.caller.kind === 'user' && ctx.caller.user_id === reservation.guest.user_id;
  const now = ctx.clock.now();
  const opens = toInstant(reservation.start_at, reservation.timezone) - accessOpensMs;
  const closes = toInstant(reservation.end_at, reservation.timezone);
  const staying = reservation.state === 'CONFIRMED' || reservation.state === 'CHECKED_IN';
  if (!listing || !isGuest || !staying || now < opens || now >= closes) return null;
  const { wifi_name, wifi_password, door_code } = listing;
  return { wifi_name, wifi_password, door_code };
};
