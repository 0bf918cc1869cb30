import {
  actingTeam,
  type GuestCaller,
  hasPermission,
  isHostOf,
  type UserCaller,
} from '../../platform/auth.ts';
import type { Context } from '../../platform/context.ts';
import { ServiceError } from '../../platform/errors.ts';
import type { PageOf, PagingQuery } from '../../platform/schema/schema.ts';
import { type Listing, listingRead } from '../listing/model.ts';
import type { BookingFilter } from './booking-filter.schema.ts';
import { ownerGuest, ownerTeam, pageStays } from './booking-list.store.ts';
import type { Reservation } from './reservation.entity.ts';
import type { Booking, MyBooking, ReadBooking } from './booking.schema.ts';
import type { GuestBooking } from './guest-booking.schema.ts';
import { findBooking, type FoundBooking, onlyStay, withDuePages } from './booking.store.ts';
import { allowedActions } from './allowed-actions.rules.ts';
import { handoverOf } from './handover.rules.ts';
import { isGuestOf } from './guest-link.rules.ts';
import { linkOfStays } from './guest-url.ts';
import { mayBeNoShow } from './no-show.rules.ts';
import { pendingChangeOf, readWaitingChanges } from './pending-change.ts';
import {
  firstStanding,
  presentBooking,
  presentDetail,
  presentToHost,
  readDetailSources,
  withListingText,
} from './present-booking.ts';

/**
 * Returns a booking by its own or its master's id, for its guest and the hosts of its team; not found for others (D9).
 * @param pages - the address of the pages of guests; without it hosts get no link to the one of this booking
 */
export const getBooking = async (ctx: Context, bookingId: number, pages?: string): Promise<ReadBooking> => {
  const found = await visibleBooking(ctx, bookingId);
  const [detail, link] = await Promise.all([
    readDetail(ctx, bookingId, found),
    linkFor(ctx, found.reservations, pages),
  ]);
  return { ...detail, guest_url: link };
};

const readDetail = async (
  ctx: Context,
  bookingId: number,
  visible: FoundBooking,
): Promise<Omit<ReadBooking, 'guest_url'>> => {
  const found = await withDuePages(ctx.table, visible);
  const { reservations } = found;
  const [sources, waiting, homeOf] = await Promise.all([
    readDetailSources(ctx, found),
    readWaitingChanges(ctx, reservations),
    readOtherHomes(ctx, reservations),
  ]);
  const now = ctx.clock.now();
  return {
    ...withListingText(await presentDetail(ctx, bookingId, found, sources)),
    ...handoverFor(ctx, reservations),
    pending_change: pendingChangeOf(reservations, waiting, now),
    allowed_actions: allowedActions({
      ...{ caller: ctx.caller, found, pending: waiting.orders, now },
      homeOf: ({ listing_id }) => homeOf.get(listing_id) ?? sources.listing,
    }),
  };
};

/** What the host has to hand over, for who may read the folio (D127). */
const handoverFor = (
  { caller }: Context,
  stays: readonly Reservation[],
): Pick<ReadBooking, 'amount_to_return' | 'deposit_to_return'> =>
  stays.every(({ team_id }) => hasPermission(caller, 'read', team_id)) ? handoverOf(stays) : {};

/** Reads the homes of stays whose guest may not have come, but for the one of {@link readDetailSources}. */
const readOtherHomes = async (
  { table }: Context,
  stays: readonly Reservation[],
): Promise<Map<number, Listing | undefined>> => {
  const { listing_id: shown } = firstStanding(stays);
  const missed = stays.filter(mayBeNoShow).map(({ listing_id }) => listing_id);
  const ids = [...new Set(missed)].filter((id) => id !== shown);
  const listings = await table.getAll(ids.map(listingRead));
  return new Map(ids.map((id, at) => [id, listings[at]]));
};

/** The link of the guest, for a manager to hand it over: who has it may change and cancel the stay (D122). */
const linkFor = async (
  ctx: Context,
  stays: readonly Reservation[],
  pages: string | undefined,
): Promise<string | null> =>
  pages !== undefined && stays.every(({ team_id }) => hasPermission(ctx.caller, 'manage', team_id))
    ? linkOfStays(ctx, stays, { from: 'h', pages })
    : null;

/** Returns the stay of a guest's link as its guest reads it (D122); a note of it may be the host's. */
export const getGuestBooking = async (ctx: Context<GuestCaller>): Promise<GuestBooking> => {
  const id = ctx.caller.reservation_id;
  const found = await visibleBooking(ctx, id);
  const detail = await readDetail(ctx, id, found);
  const paysOnline = detail.allowed_actions.includes('OPEN_PAYMENT_PAGE');
  return { ...detail, note: null, guest_url: null, pays_online: paysOnline };
};

/** Returns the stay of a guest's link (D122); not found where it was replaced meanwhile. */
export const ownStay = async (ctx: Context<GuestCaller>): Promise<Reservation> =>
  onlyStay(await visibleBooking(ctx, ctx.caller.reservation_id));

/** Returns the stays of a booking id that the caller may see, at least one. */
export const visibleBooking = async (ctx: Context, bookingId: number): Promise<FoundBooking> => {
  const found = await findBooking(ctx.table, bookingId);
  const reservations = found?.reservations.filter((reservation) => maySee(ctx, reservation)) ?? [];
  if (!found || reservations.length === 0) throw new ServiceError('BOOKING_NOT_FOUND');
  return { ...found, reservations };
};

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
  return { ...page, items: page.items.map(presentToHost) };
};
