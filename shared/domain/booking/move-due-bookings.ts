import { type Context, type Dependencies, systemContext } from '../../platform/context.ts';
import { remove, sortable, untilWon, type Write } from '../../platform/table/index.ts';
import type { Reservation } from './booking.entity.ts';
import { findBooking, type FoundBooking } from './booking.store.ts';
import { cancelReservations } from './cancel-booking.ts';
import { type DueBooking, DueBookingEntity, dueBookings } from './due-booking.entity.ts';
import { type DueMove, dueMove } from './due-booking.ts';
import { moveReservation } from './move-reservation.ts';

const actor = 'move-due-bookings';
const atOnce = 10;
/** What one run looks at; the next one, minutes later, goes on. */
const most = 1000;

type Outcome = 'cancelled' | 'completed' | 'nothing';

/**
 * Moves the bookings whose time has come: cancels what no host accepted (D46), completes what was checked out (D50). Each is
 * one transaction that also takes it from the due ones, so a crash loses nothing and a second run does nothing. One that
 * fails stays due and does not keep the others; the run then ends with an error, for its alarm.
 */
export const moveDueBookings = async (
  deps: Dependencies,
): Promise<{ cancelled: number; completed: number }> => {
  const { items } = await deps.table.query({
    pk: dueBookings,
    to: `${sortable(deps.clock.now())}~`,
    limit: most,
  });
  const due = items as unknown as DueBooking[];
  const moved = { cancelled: 0, completed: 0, nothing: 0 };
  let failed = 0;
  for (let from = 0; from < due.length; from += atOnce) {
    const outcomes = due.slice(from, from + atOnce).map((booking) => settle(deps, booking));
    for (const outcome of await Promise.all(outcomes))
      if (outcome) moved[outcome]++;
      else failed++;
  }
  if (failed > 0) throw new Error(`${failed} of ${due.length} due bookings could not be moved.`);
  return { cancelled: moved.cancelled, completed: moved.completed };
};

const settle = async (deps: Dependencies, due: DueBooking): Promise<Outcome | undefined> => {
  try {
    return await untilWon(() => moveDue(deps, due));
  } catch (error) {
    const cause = String((error as Error).stack ?? error);
    deps.log.error('A due booking could not be moved.', { reservation_id: due.reservation_id, cause });
    return undefined;
  }
};

/** Decides by the booking as it stands, not by what was due: somebody may have moved it meanwhile. */
const moveDue = async (deps: Dependencies, due: DueBooking): Promise<Outcome> => {
  const found = await findBooking(deps.table, due.reservation_id);
  const [stay] = found?.reservations ?? [];
  const next = stay && dueMove(stay);
  if (!found || !stay || next?.due_at !== due.due_at) {
    await deps.table.transact([remove(DueBookingEntity, due)]);
    return 'nothing';
  }
  await deps.table.transact(await writesOf(systemContext(deps, actor), found, stay, next));
  return next.move === 'cancel' ? 'cancelled' : 'completed';
};

const writesOf = async (
  ctx: Context,
  found: FoundBooking,
  stay: Reservation,
  { move, why }: DueMove,
): Promise<Write[]> =>
  move === 'cancel'
    ? (await cancelReservations(ctx, found, why)).writes
    : moveReservation(ctx, stay, move, why).writes;
