import { may, type Permission } from '../../platform/auth.ts';
import { instantText } from '../../platform/clock.ts';
import type { Context } from '../../platform/context.ts';
import { ServiceError } from '../../platform/errors.ts';
import { type EventType, recordEvent } from '../../platform/events/index.ts';
import { all, change, equals, isOneOf, untilWon, type Write } from '../../platform/table/index.ts';
import { today } from '../../platform/time.ts';
import { bookingEventData } from './book-order.ts';
import { orderPartition, type Reservation, ReservationEntity } from './booking.entity.ts';
import { type BookingMove, bookingMoves, mayMove, refuseMove } from './booking-moves.ts';
import type { BookingDetail } from './booking-detail.schema.ts';
import type { FoundBooking } from './booking.store.ts';
import { visibleBooking } from './get-booking.ts';
import { stopWaiting } from './pending-booking.ts';
import { presentDetail } from './present-booking.ts';

type HostMove = Exclude<BookingMove, 'cancel'>;

const permissions: Record<HostMove, Permission> = {
  confirm: 'manage',
  check_in: 'operate',
  check_out: 'operate',
  complete: 'operate',
};

/** Moves a booking, or every stay of a master that may move, on the host's word (spec 3.1, D50). */
export const moveBooking = (ctx: Context, bookingId: number, move: HostMove): Promise<BookingDetail> =>
  untilWon(async () => {
    const found = await hostedBooking(ctx, bookingId, permissions[move]);
    const ready = found.reservations.filter(({ state }) => mayMove(state, move));
    if (ready.length === 0) throw refuseMove(found.reservations[0]?.state, move);
    if (move === 'check_in') ready.forEach((reservation) => requireCheckInDay(ctx, reservation));
    const moved = ready.map((before) => ({
      before,
      after: after(ctx, before, { state: bookingMoves[move].to }),
    }));
    const writes = moved.flatMap(({ before, after: stay }) => [
      stateWrite(before, stay, move),
      ...stopWaiting(before),
      tell(ctx, stay, bookingMoves[move].event),
    ]);
    return ctx.commit(writes, await presentDetail(ctx, bookingId, withMoved(found, moved)));
  });

/** Notes that a booking to be paid on site or by transfer was paid (D50); INVALID_STATE_TRANSITION when nothing is due. */
export const markPaid = (ctx: Context, bookingId: number): Promise<BookingDetail> =>
  untilWon(async () => {
    const found = await hostedBooking(ctx, bookingId, 'manage');
    const due = found.reservations.filter(
      ({ state, payment_status }) => state !== 'CANCELLED' && payment_status === 'PENDING',
    );
    if (due.length === 0) throw new ServiceError('INVALID_STATE_TRANSITION', 'No payment is due.');
    // A payment is as good as the host's word (spec 3.1): a booking that waited for it is confirmed.
    const moved = due.map((before) => ({
      before,
      after: after(ctx, before, {
        payment_status: 'PAID',
        state: before.state === 'PENDING' ? bookingMoves.confirm.to : before.state,
      }),
    }));
    const writes = moved.flatMap(({ before, after: stay }) => [
      change(
        ReservationEntity,
        before,
        { set: { state: stay.state, payment_status: 'PAID', updated_at: stay.updated_at } },
        { when: all(equals('state', before.state), equals('payment_status', 'PENDING')) },
      ),
      ...stopWaiting(before),
      tell(ctx, stay, 'payment.paid'),
      ...(before.state === stay.state ? [] : [tell(ctx, stay, bookingMoves.confirm.event)]),
    ]);
    return ctx.commit(writes, await presentDetail(ctx, bookingId, withMoved(found, moved)));
  });

interface Moved {
  before: Reservation;
  after: Reservation;
}

const hostedBooking = async (
  ctx: Context,
  bookingId: number,
  permission: Permission,
): Promise<FoundBooking> => {
  const found = await visibleBooking(ctx, bookingId);
  if (found.reservations.every(({ team_id }) => may(ctx.caller, permission, team_id))) return found;
  throw new ServiceError('FORBIDDEN', 'Your role in this team does not allow this.');
};

const requireCheckInDay = (ctx: Context, { check_in_date, timezone }: Reservation): void => {
  if (today(ctx.clock.now(), timezone) >= check_in_date) return;
  throw new ServiceError('INVALID_STATE_TRANSITION', `Check-in begins on ${check_in_date}.`, {
    check_in_date,
  });
};

const after = (ctx: Context, before: Reservation, changed: Partial<Reservation>): Reservation => ({
  ...before,
  ...changed,
  updated_at: instantText(ctx.clock.now()),
});

const stateWrite = (before: Reservation, { state, updated_at }: Reservation, move: HostMove): Write =>
  change(
    ReservationEntity,
    before,
    { set: { state, updated_at } },
    { when: isOneOf('state', bookingMoves[move].from) },
  );

const tell = (ctx: Context, stay: Reservation, event_type: EventType): Write =>
  recordEvent(ctx, {
    subject: orderPartition(stay.order_id),
    event_type,
    team_id: stay.team_id,
    data: bookingEventData(stay),
  });

const withMoved = ({ order, reservations }: FoundBooking, moved: readonly Moved[]): FoundBooking => ({
  order,
  reservations: reservations.map(
    (stay) => moved.find(({ before }) => before.reservation_id === stay.reservation_id)?.after ?? stay,
  ),
});
