import { hasScope, type PartnerCaller, requireScope } from '../../platform/auth.ts';
import type { Context } from '../../platform/context.ts';
import { ServiceError } from '../../platform/errors.ts';
import type { PageOf, PagingQuery } from '../../platform/schema/schema.ts';
import { retryOnConflict } from '../../platform/table/index.ts';
import type { BookingFilter } from './booking-filter.schema.ts';
import type { BookingHistory } from './booking-history.schema.ts';
import { changesOf, presentChange } from './booking-history.ts';
import { ownerGuest, ownerTeam, pageStays } from './booking-list.store.ts';
import { isOfPlatform } from './booking.rules.ts';
import { isRowOfPlatform, type StayRow } from './stay-row.rules.ts';
import type { Reservation } from './reservation.entity.ts';
import type { Cancellation, CancelledBooking } from './booking.schema.ts';
import { findBooking, findHistory, type FoundBooking, requireOneTransaction } from './booking.store.ts';
import { cancelReservations } from './cancel-booking.ts';
import type { ExternalBooking, ExternalBookingDetail } from './external-booking.schema.ts';
import { cancellationOf } from './get-cancellation.ts';
import { linkOfStays } from './guest-url.ts';
import { readPendingChange } from './pending-change.ts';
import { presentBooking, presentDetail } from './present-booking.ts';

/**
 * Returns whether a key sees names, phone numbers and e-mail addresses of a stay's people: with the scope, or if it made
 * the booking (D93).
 */
export const seesPersonal = (caller: PartnerCaller, { key_id }: Pick<Reservation, 'key_id'>): boolean =>
  hasScope(caller, 'personal') || key_id === caller.key_id;

const hiddenGuest = { name: null, full_name: null, phone: null, email: null };

const presentForKey = (caller: PartnerCaller, stay: Reservation): ExternalBooking =>
  seesPersonal(caller, stay) ? presentBooking(stay) : { ...presentBooking(stay), guest_info: hiddenGuest };

interface Filter extends BookingFilter {
  team_ids: readonly number[];
  user_id?: number | undefined;
}

/**
 * Returns the bookings of the key's teams (D51, D81), without stays of other platforms (D120); those of one guest come from the guest's list. A search by the
 * guest's name or contact would say whose a booking is, so it requires the scope `personal` (D93).
 */
export const listExternalBookings = async (
  ctx: Context<PartnerCaller>,
  { team_ids, user_id, ...filter }: Filter,
  paging: PagingQuery,
): Promise<PageOf<ExternalBooking>> => {
  if (filter.q !== undefined) requireScope(ctx.caller, 'personal', 'The parameter `q`');
  const ofTeams = (row: StayRow): boolean => team_ids.includes(row.team) && !isRowOfPlatform(row);
  const condition = { columns: ['team' as const, 'standing' as const], test: ofTeams };
  const page =
    user_id === undefined || team_ids.length === 0
      ? await pageStays(ctx, team_ids.map(ownerTeam), filter, paging, { name: 'keys', condition })
      : await pageStays(ctx, [ownerGuest(user_id)], filter, paging, {
          name: `teams ${team_ids.join(' ')}`,
          condition,
        });
  return { ...page, items: page.items.map((stay) => presentForKey(ctx.caller, stay)) };
};

/** Returns a booking of the key's teams, with the link of its guest for the key that made it; throws EXTERNAL_BOOKING_NOT_ACCESSIBLE for any other. */
export const getExternalBooking = async (
  ctx: Context<PartnerCaller>,
  bookingId: number,
  pages?: string,
): Promise<ExternalBookingDetail> => {
  const found = await accessibleBooking(ctx, bookingId);
  const isOwn = found.reservations.every(({ key_id }) => key_id === ctx.caller.key_id);
  const [shown, pending, link] = await Promise.all([
    presentDetail(ctx, bookingId, found),
    readPendingChange(ctx, found.reservations),
    isOwn && pages !== undefined ? linkOfStays(ctx, found.reservations, { from: 'p', pages }) : null,
  ]);
  const detail = { ...shown, pending_change: pending, guest_url: link };
  if (found.reservations.every((stay) => seesPersonal(ctx.caller, stay))) return detail;
  return { ...detail, guest_info: hiddenGuest, host_info: { ...detail.host_info, phone: null } };
};

/** Cancels a booking that the caller's own key made (D48). */
export const cancelExternalBooking = (
  ctx: Context<PartnerCaller>,
  bookingId: number,
  reason?: string,
): Promise<CancelledBooking> =>
  retryOnConflict(async () => {
    const found = await accessibleBooking(ctx, bookingId);
    const refusal = otherKeyRefusal(ctx, found);
    if (refusal) throw refusal;
    const { writes, cancelled, refund } = await cancelReservations(ctx, found, reason);
    const detail = await presentDetail(ctx, bookingId, cancelled);
    return ctx.commit(requireOneTransaction(writes, 'cancel'), { ...detail, refund });
  });

/** Returns the error for a key that cancels or corrects a booking which it did not make (D48, D146). */
export const otherKeyRefusal = (
  { caller }: Context<PartnerCaller>,
  { reservations }: FoundBooking,
  what = 'cancel it; its guest or a host can cancel it too',
): ServiceError | undefined =>
  reservations.every(({ key_id }) => key_id === caller.key_id)
    ? undefined
    : new ServiceError('FORBIDDEN', `Only the key that made the booking may ${what}.`);

/** Returns the stays of a booking id that belong to the key's teams, at least one. */
export const accessibleBooking = async (
  ctx: Context<PartnerCaller>,
  bookingId: number,
): Promise<FoundBooking> => {
  const found = await findBooking(ctx.table, bookingId);
  const reservations =
    found?.reservations.filter((stay) => ctx.caller.team_ids.includes(stay.team_id) && !isOfPlatform(stay)) ??
    [];
  if (!found || reservations.length === 0) throw notAccessible();
  return { ...found, reservations };
};

/** Returns the stay of a booking id for a key; of a master, the first one. */
export const accessibleStay = async (
  ctx: Context<PartnerCaller>,
  bookingId: number,
): Promise<Reservation> => {
  const [first] = (await accessibleBooking(ctx, bookingId)).reservations;
  if (!first) throw notAccessible();
  return first;
};

const notAccessible = (): ServiceError => new ServiceError('EXTERNAL_BOOKING_NOT_ACCESSIBLE');

/** Returns what a partner's cancellation of a booking refunds now and later (D48b), or that it is not allowed. */
export const getExternalCancellation = async (
  ctx: Context<PartnerCaller>,
  bookingId: number,
): Promise<Cancellation> => {
  const found = await accessibleBooking(ctx, bookingId);
  return cancellationOf(ctx, bookingId, found, otherKeyRefusal(ctx, found));
};

/**
 * Returns the history of a booking of the key's teams, without people of the host and other partners' keys (D62b), and
 * without the guest's name for a key that may not see it (D93).
 */
export const listExternalHistory = async (
  ctx: Context<PartnerCaller>,
  bookingId: number,
): Promise<BookingHistory> => {
  const [{ reservations }, events] = await Promise.all([
    accessibleBooking(ctx, bookingId),
    findHistory(ctx.table, bookingId),
  ]);
  const reader = {
    host: () => ({ id: null, name: null }),
    partner: (id: number) => ({ id: id === ctx.caller.key_id ? id : null, name: null }),
    seesGuest: (stay: Reservation) => seesPersonal(ctx.caller, stay),
  };
  return { items: changesOf(reservations, events).map((change) => presentChange(change, reader)) };
};
