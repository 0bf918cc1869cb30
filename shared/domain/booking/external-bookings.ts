import type { PartnerCaller } from '../../platform/auth.ts';
import type { Context } from '../../platform/context.ts';
import { ServiceError } from '../../platform/errors.ts';
import type { PageOf, PagingQuery } from '../../platform/schema.ts';
import { retryOnConflict } from '../../platform/table/index.ts';
import type { Reservation } from './booking.entity.ts';
import type { BookingFilter } from './booking-filter.schema.ts';
import type { Booking } from './booking.schema.ts';
import type { BookingDetail, CancelledBooking } from './booking-detail.schema.ts';
import { cancelReservations } from './cancel-booking.ts';
import { findBooking, type FoundBooking } from './booking.store.ts';
import { requireOneTransaction } from './one-transaction.ts';
import { pageStays } from './page-stays.ts';
import { presentBooking, presentDetail } from './present-booking.ts';
import { ownerGuest, ownerTeam, type StayRow } from './stay-list.ts';

interface Filter extends BookingFilter {
  team_ids: readonly number[];
  user_id?: number | undefined;
}

/** The bookings of the key's teams (D51, D81); those of one guest are read from the guest's own list. */
export const listExternalBookings = async (
  ctx: Context<PartnerCaller>,
  { team_ids, user_id, ...filter }: Filter,
  paging: PagingQuery,
): Promise<PageOf<Booking>> => {
  const ofTeams = { columns: ['team' as const], test: ({ team }: StayRow) => team_ids.includes(team) };
  const page =
    user_id === undefined || team_ids.length === 0
      ? await pageStays(ctx, team_ids.map(ownerTeam), filter, paging)
      : await pageStays(ctx, [ownerGuest(user_id)], filter, paging, {
          name: `teams ${team_ids.join(' ')}`,
          condition: ofTeams,
        });
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
  retryOnConflict(async () => {
    const found = await accessibleBooking(ctx, bookingId);
    const refusal = refusalOfOthers(ctx, found);
    if (refusal) throw refusal;
    const { writes, cancelled, refund } = await cancelReservations(ctx, found, reason);
    const detail = await presentDetail(ctx, bookingId, cancelled);
    return ctx.commit(requireOneTransaction(writes, 'cancel'), { ...detail, refund });
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
