import { hasPermission, type Permission, roleRefused } from '../../platform/auth.ts';
import type { Context } from '../../platform/context.ts';
import { retryOnConflict, type Write } from '../../platform/table/index.ts';
import { toInstant } from '../../platform/time/time.ts';
import { conflictWhenTaken } from '../calendar/index.ts';
import { dueFor } from '../folio/model.ts';
import { createPayment, openSession, type Payment, paymentWindowEnd } from '../payment/model.ts';
import { transferUntil } from './book-order.ts';
import type { Order } from './order.entity.ts';
import type { Reservation } from './reservation.entity.ts';
import { needs } from './allowed-actions.rules.ts';
import { mayMove, waitsForPayment } from './booking.rules.ts';
import type { BookingDetail } from './booking.schema.ts';
import { type FoundBooking, requireOneTransaction } from './booking.store.ts';
import { releaseUnusedHours } from './release-unused-hours.ts';
import { type EarlyHours, returnEarlyHours, takeEarlyHours } from './early-hours.ts';
import { type MovedStay, moveReservation, payReservation, type StayMove } from './move-reservation.ts';
import { presentDetail } from './present-booking.ts';
import { visibleBooking } from './read-bookings.ts';
import { moveRefusal } from './stay-refusals.rules.ts';

/** A stay that its host accepts, with the payment that is opened for it. */
interface AcceptedStay {
  moved: MovedStay;
  opened: Payment[];
}

/**
 * Accepts a stay for its host. An online payment can be made from now on, on a page of its own, until the payment window
 * ends (D86); the time for a bank transfer begins too (D85). The page is opened before the write: if the write fails, its
 * address is never published.
 */
const acceptStay = async (
  ctx: Context,
  { items }: Pick<Order, 'items'>,
  before: Reservation,
): Promise<AcceptedStay> => {
  const item = items.find(({ reservation_id }) => reservation_id === before.reservation_id);
  if (item && before.payment_method === 'BANK_TRANSFER' && waitsForPayment(before)) {
    const payUntil = transferUntil(item, ctx.clock.now());
    return {
      moved: moveReservation(ctx, before, 'confirm', { fields: { pay_until: payUntil } }),
      opened: [],
    };
  }
  if (before.pays_apart && waitsForPayment(before) && dueFor(before) === 0)
    return { moved: payReservation(ctx, before), opened: [] };
  if (!before.pays_apart || !waitsForPayment(before))
    return { moved: moveReservation(ctx, before, 'confirm'), opened: [] };
  const { reservation_id: paymentId, currency, start_at, timezone } = before;
  const endsAt = paymentWindowEnd(ctx.clock.now(), [toInstant(start_at, timezone)]);
  const payment = await openSession(ctx, { payment_id: paymentId, amount: dueFor(before), currency }, endsAt);
  const moved = moveReservation(ctx, before, 'confirm', { fields: { pay_until: payment.ends_at } });
  return {
    moved: { ...moved, writes: [...moved.writes, ...createPayment(ctx, payment)] },
    opened: [payment],
  };
};

/** The transitions that a host asks for. */
type HostMove = Exclude<StayMove, 'close'>;

const moveVerbs: Record<HostMove, string> = {
  confirm: 'accept',
  check_in: 'check in',
  undo_check_in: 'undo the check-in of',
  check_out: 'check out',
  complete: 'complete',
};

/**
 * Moves a booking, or every stay of a master that allows it, for its host (D50). A check-out before the end frees the
 * remaining time (D83); a check-in before the beginning takes the time until then, and its undoing frees it (D148).
 */
export const moveBooking = (ctx: Context, bookingId: number, move: HostMove): Promise<BookingDetail> =>
  retryOnConflict(async () => {
    const found = await hostedBooking(ctx, bookingId, needs[move.toUpperCase() as Uppercase<HostMove>]);
    const refusal = moveRefusal(found.reservations, move, ctx.clock.now());
    if (refusal) throw refusal;
    const ready = found.reservations.filter(({ state }) => mayMove(state, move));
    if (move === 'confirm') return accept(ctx, bookingId, found, ready);
    const { beside, earlyFrom } = await hoursOfMove(ctx, ready, move);
    const moved = ready.map((before) =>
      moveReservation(ctx, before, move, { fields: earlyFrom?.get(before.reservation_id) ?? {} }),
    );
    // What takes the hours of a check-in meanwhile is named when it is read again.
    return conflictWhenTaken(() =>
      commitMoved(ctx, bookingId, found, moved, { beside, verb: moveVerbs[move] }),
    );
  });

/** Returns the writes of the hours that a transition takes or frees. */
const hoursOfMove = async (
  ctx: Context,
  ready: readonly Reservation[],
  move: HostMove,
): Promise<EarlyHours> => {
  if (move === 'check_in') return takeEarlyHours(ctx, ready);
  if (move === 'undo_check_in') return returnEarlyHours(ctx, ready);
  return { beside: move === 'check_out' ? await releaseUnusedHours(ctx, ready) : [] };
};

const accept = async (
  ctx: Context,
  bookingId: number,
  found: FoundBooking,
  ready: readonly Reservation[],
): Promise<BookingDetail> => {
  const accepted = await Promise.all(ready.map((before) => acceptStay(ctx, found.order, before)));
  const separatePayments = [...found.separatePayments, ...accepted.flatMap(({ opened }) => opened)];
  const moved = accepted.map((one) => one.moved);
  return commitMoved(ctx, bookingId, { ...found, separatePayments }, moved, { verb: moveVerbs.confirm });
};

/** Returns a booking that the caller may change as a host of its teams. */
export const hostedBooking = async (
  ctx: Context,
  bookingId: number,
  permission: Permission,
): Promise<FoundBooking> => {
  const found = await visibleBooking(ctx, bookingId);
  if (found.reservations.every(({ team_id }) => hasPermission(ctx.caller, permission, team_id))) return found;
  throw roleRefused();
};

/** Commits transitions of stays with the booking as it is afterwards. Throws VALIDATION_ERROR for too many at once. */
export const commitMoved = async (
  ctx: Context,
  bookingId: number,
  { reservations, ...rest }: FoundBooking,
  moved: readonly MovedStay[],
  { beside = [], verb }: { beside?: readonly Write[]; verb: string },
): Promise<BookingDetail> => {
  const after = new Map(moved.map((stay) => [stay.before.reservation_id, stay.after]));
  const found = { ...rest, reservations: reservations.map((stay) => after.get(stay.reservation_id) ?? stay) };
  return ctx.commit(
    requireOneTransaction([...moved.flatMap(({ writes }) => writes), ...beside], verb),
    await presentDetail(ctx, bookingId, found),
  );
};
