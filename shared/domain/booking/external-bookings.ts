import type { PartnerCaller } from '../../platform/auth.ts';
import type { Context } from '../../platform/context.ts';
import { ServiceError } from '../../platform/errors.ts';
import type { PageOf, PagingQuery } from '../../platform/schema.ts';
import { all, type Condition, equals, pageThrough, untilWon } from '../../platform/table/index.ts';
import type { Reservation } from './booking.entity.ts';
import type { Booking, BookingState } from './booking.schema.ts';
import type { BookingDetail, CancelledBooking } from './booking-detail.schema.ts';
import { cancelReservations } from './cancel-booking.ts';
import { findBooking, type FoundBooking } from './booking.store.ts';
import { presentBooking, presentDetail } from './present-booking.ts';

interface Filter {
  team_ids: readonly number[];
  listing_id?: number | undefined;
  user_id?: number | undefined;
  state?: BookingState | undefined;
}

/** The bookings of the key's teams, newest first (spec 4.5, D51). */
export const listExternalBookings = async (
  ctx: Context<PartnerCaller>,
  { team_ids, ...filter }: Filter,
  paging: PagingQuery,
): Promise<PageOf<Booking>> => {
  const conditions: Condition[] = [
    ...(filter.listing_id === undefined ? [] : [equals('listing_id', filter.listing_id)]),
    ...(filter.user_id === undefined ? [] : [equals('guest.user_id', filter.user_id)]),
    ...(filter.state === undefined ? [] : [equals('state', filter.state)]),
  ];
  const sources = team_ids.map((team_id) => ({
    index: 'by_team' as const,
    pk: `TEAM#${team_id}#RESERVATIONS`,
    descending: true,
    ...(conditions.length > 0 ? { filter: all(...conditions) } : {}),
  }));
  const page = await pageThrough<Reservation>(ctx.table, sources, paging);
  return { ...page, items: page.items.map(presentBooking) };
};

/** A booking of one of the key's teams; any other is EXTERNAL_BOOKING_NOT_ACCESSIBLE. */
export const getExternalBooking = async (
  ctx: Context<PartnerCaller>,
  bookingId: number,
): Promise<BookingDetail> => presentDetail(ctx, bookingId, await accessibleBooking(ctx, bookingId));

/** Cancels a booking that the caller's own key made (D48). */
export const cancelExternalBooking = (
  ctx: Context<PartnerCaller>,
  bookingId: number,
  reason?: string,
): Promise<CancelledBooking> =>
  untilWon(async () => {
    const found = await accessibleBooking(ctx, bookingId);
    const refusal = refusalOfOthers(ctx, found);
    if (refusal) throw refusal;
    const { writes, cancelled, refund } = await cancelReservations(ctx, found, reason);
    return ctx.commit(writes, { ...(await presentDetail(ctx, bookingId, cancelled)), refund });
  });

/** What a key is answered that cancels a booking it did not make (D48). */
export const refusalOfOthers = (
  { caller }: Context<PartnerCaller>,
  { reservations }: FoundBooking,
): ServiceError | undefined =>
  reservations.every(({ key_id }) => key_id === caller.key_id)
    ? undefined
    : new ServiceError(
        'FORBIDDEN',
        'Only the key that made the booking may cancel it; its guest or a host can cancel it too.',
      );

/** The stays of a booking id that belong to the key's teams, at least one. */
export const accessibleBooking = async (
  ctx: Context<PartnerCaller>,
  bookingId: number,
): Promise<FoundBooking> => {
  const found = await findBooking(ctx.table, bookingId);
  const reservations =
    found?.reservations.filter(({ team_id }) => ctx.caller.team_ids.includes(team_id)) ?? [];
  if (!found || reservations.length === 0) throw notAccessible();
  return { ...found, reservations };
};

/** The one stay that a booking id stands for to a key; of a master, its first. */
export const accessibleStay = async (
  ctx: Context<PartnerCaller>,
  bookingId: number,
): Promise<Reservation> => {
  const [first] = (await accessibleBooking(ctx, bookingId)).reservations;
  if (!first) throw notAccessible();
  return first;
};

const notAccessible = (): ServiceError => new ServiceError('EXTERNAL_BOOKING_NOT_ACCESSIBLE');
