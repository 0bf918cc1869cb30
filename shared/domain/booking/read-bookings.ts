import { actingTeam, isHostOf, type UserCaller } from '../../platform/auth.ts';
import type { Context } from '../../platform/context.ts';
import { ServiceError } from '../../platform/errors.ts';
import type { PageOf, PagingQuery } from '../../platform/schema/schema.ts';
import type { BookingFilter } from './booking-filter.schema.ts';
import { ownerGuest, ownerTeam, pageStays } from './booking-list.store.ts';
import type { Reservation } from './reservation.entity.ts';
import type { Booking, MyBooking, ReadBooking } from './booking.schema.ts';
import { findBooking, type FoundBooking, withDuePages } from './booking.store.ts';
import { readPendingChange } from './pending-change.ts';
import { presentBooking, presentDetail, withListingText } from './present-booking.ts';

/** Returns a booking by its own or its master's id, for its guest and the hosts of its team; not found for others (D9). */
export const getBooking = async (ctx: Context, bookingId: number): Promise<ReadBooking> => {
  const found = await withDuePages(ctx.table, await visibleBooking(ctx, bookingId));
  const [detail, pending] = await Promise.all([
    presentDetail(ctx, bookingId, found),
    readPendingChange(ctx, found.reservations),
  ]);
  return { ...withListingText(detail), pending_change: pending };
};

/** Returns the stays of a booking id that the caller may see, at least one. */
export const visibleBooking = async (ctx: Context, bookingId: number): Promise<FoundBooking> => {
  const found = await findBooking(ctx.table, bookingId);
  const reservations = found?.reservations.filter((reservation) => maySee(ctx, reservation)) ?? [];
  if (!found || reservations.length === 0) throw new ServiceError('BOOKING_NOT_FOUND');
  return { ...found, reservations };
};

export const isGuestOf = ({ caller }: Pick<Context, 'caller'>, reservation: Reservation): boolean =>
  caller.kind === 'user' && caller.user_id === reservation.guest.user_id;

const maySee = (ctx: Context, reservation: Reservation): boolean =>
  isGuestOf(ctx, reservation) || isHostOf(ctx.caller, reservation.team_id);

/** Returns the caller's own stays (D81). */
export const listMyBookings = async (
  ctx: Context<UserCaller>,
  filter: BookingFilter,
  paging: PagingQuery,
): Promise<PageOf<MyBooking>> => {
  const page = await pageStays(ctx, [ownerGuest(ctx.caller.user_id)], filter, paging);
  return { ...page, items: page.items.map((stay) => withListingText(presentBooking(stay))) };
};

/** Returns the bookings of the acting team (D50, D81). */
export const listTeamBookings = async (
  ctx: Context,
  filter: BookingFilter,
  paging: PagingQuery,
): Promise<PageOf<Booking>> => {
  const teamId = actingTeam(ctx.caller, ctx.teamHeader, 'read');
  const page = await pageStays(ctx, [ownerTeam(teamId)], filter, paging);
  return { ...page, items: page.items.map(presentBooking) };
};
