import { may } from '../../platform/auth.ts';
import { instantText } from '../../platform/clock.ts';
import type { Context } from '../../platform/context.ts';
import { ServiceError } from '../../platform/errors.ts';
import { recordEvent } from '../../platform/events/index.ts';
import { money, sum, toNumber } from '../../platform/money.ts';
import { all, change, equals, isOneOf, remove, untilWon, type Write } from '../../platform/table/index.ts';
import { AvailabilityEntryEntity, CalendarDraft } from '../calendar/index.ts';
import { bookingEventData } from './book-order.ts';
import { orderPartition, type Reservation, ReservationEntity } from './booking.entity.ts';
import type { PaymentStatus, Refund } from './booking.schema.ts';
import type { CancelledBooking } from './booking-detail.schema.ts';
import type { FoundBooking } from './booking.store.ts';
import { bookingMoves, mayMove, refuseMove } from './booking-moves.ts';
import { isGuestOf, visibleBooking } from './get-booking.ts';
import { stopWaiting } from './pending-booking.ts';
import { cancellationDeadline, presentDetail } from './present-booking.ts';

/** A reservation as it will stand, with what goes back to the guest. */
interface Cancellation {
  before: Reservation;
  after: Reservation;
  refund: number;
}

/**
 * Cancels a booking, or every open stay of a master (D48, D49), and frees its time in the same transaction. The guest is
 * refunded by the frozen terms, a host's cancellation refunds in full. INVALID_STATE_TRANSITION when nothing is open.
 */
export const cancelBooking = (ctx: Context, bookingId: number, reason?: string): Promise<CancelledBooking> =>
  untilWon(async () => {
    const found = await visibleBooking(ctx, bookingId);
    if (!found.reservations.every((reservation) => mayCancel(ctx, reservation)))
      throw new ServiceError('FORBIDDEN');
    const { writes, cancelled, refund } = await cancelReservations(ctx, found, reason);
    return ctx.commit(writes, { ...(await presentDetail(ctx, bookingId, cancelled)), refund });
  });

const mayCancel = (ctx: Context, reservation: Reservation): boolean =>
  isGuestOf(ctx, reservation) || may(ctx.caller, 'manage', reservation.team_id);

/** The writes that cancel the open ones among the reservations, and how they stand afterwards. */
export const cancelReservations = async (
  ctx: Context,
  { order, reservations }: FoundBooking,
  reason: string | undefined,
): Promise<{ writes: Write[]; cancelled: FoundBooking; refund: Refund }> => {
  const open = reservations.filter(({ state }) => mayMove(state, 'cancel'));
  if (open.length === 0) throw refuseMove(reservations[0]?.state, 'cancel');
  const cancellations = open.map((reservation) => cancellationOf(ctx, reservation));
  const draft = await CalendarDraft.load(ctx.table, open, ctx.clock.now());
  for (const reservation of open) draft.free(reservation);
  const after = new Map(
    cancellations.map((cancellation) => [cancellation.before.reservation_id, cancellation.after]),
  );
  return {
    writes: [
      ...cancellations.flatMap((cancellation) => cancelWrites(ctx, cancellation, reason)),
      ...draft.writes(),
    ],
    cancelled: { order, reservations: reservations.map((stay) => after.get(stay.reservation_id) ?? stay) },
    refund: refundOf(cancellations),
  };
};

const cancellationOf = (ctx: Context, before: Reservation): Cancellation => {
  const deadline = cancellationDeadline(before);
  const inTime = deadline !== null && ctx.clock.now() <= Date.parse(deadline);
  const byGuest = isGuestOf(ctx, before) || ctx.caller.kind === 'partner';
  const refund = before.payment_status === 'PAID' && (inTime || !byGuest) ? before.total : 0;
  const payment_status: PaymentStatus = refund > 0 ? 'REFUNDED' : before.payment_status;
  const updated_at = instantText(ctx.clock.now());
  return { before, after: { ...before, state: bookingMoves.cancel.to, payment_status, updated_at }, refund };
};

const cancelWrites = (
  ctx: Context,
  { before, after, refund }: Cancellation,
  reason: string | undefined,
): Write[] => {
  const subject = orderPartition(before.order_id);
  const told = { subject, team_id: before.team_id };
  const data = { ...bookingEventData(after), reason: reason ?? null, refund };
  return [
    change(
      ReservationEntity,
      before,
      { set: { state: after.state, payment_status: after.payment_status, updated_at: after.updated_at } },
      {
        when: all(
          isOneOf('state', bookingMoves.cancel.from),
          equals('payment_status', before.payment_status),
          // The hours are freed where the stay is, also when its home has moved to another calendar meanwhile.
          equals('calendar_id', before.calendar_id),
        ),
      },
    ),
    remove(AvailabilityEntryEntity, before),
    ...stopWaiting(before),
    recordEvent(ctx, { ...told, event_type: bookingMoves.cancel.event, data }),
    ...(refund > 0 ? [recordEvent(ctx, { ...told, event_type: 'payment.refunded', data })] : []),
  ];
};

const refundOf = (cancellations: readonly Cancellation[]): Refund => {
  const amount = toNumber(sum(cancellations.map(({ refund }) => money(refund))));
  return { amount, status: amount > 0 ? 'REFUNDED' : 'NONE' };
};
