import { balanceOf } from '../folio/model.ts';
import { thawQuote } from './frozen-quote.rules.ts';
import type { Order, OrderItem, PendingChange } from './order.entity.ts';
import type { Reservation } from './reservation.entity.ts';
import type { BookingState } from './booking-state.schema.ts';
import { adjustableStates, changeableStates } from './booking.rules.ts';

/** An order whose change is not made yet. */
type HeldOrder = Order & { change: PendingChange };

/** A stay, and what it is to be once its change is paid. */
export interface AwaitedStay {
  held: HeldOrder;
  before: Reservation;
  item: OrderItem;
}

/** Returns the order of a change that is neither made nor given up. */
export const heldOrder = (order: Order | undefined): HeldOrder | undefined =>
  order?.change && (order.state === 'HELD' || order.state === 'CHARGING')
    ? { ...order, change: order.change }
    : undefined;

/** Whether the change of an order is being charged. */
export const isBeingCharged = (order: Order | undefined): boolean => heldOrder(order)?.state === 'CHARGING';

/**
 * Returns the stay of a held change while it still waits for it: it was not changed otherwise, at least as much is due, and its
 * state allows the change (D84).
 */
export const awaitedStay = (
  order: Order | undefined,
  stays: readonly Reservation[],
): AwaitedStay | undefined => {
  const held = heldOrder(order);
  const before = stays.find(({ reservation_id }) => reservation_id === held?.change.reservation_id);
  const item = held?.items[0];
  if (!held || !before || !item) return undefined;
  const { changes, due } = held.change;
  // A change that this one does not know of leaves `pending_change` as it is.
  const isSame = (before.changes ?? 0) === changes;
  // What was charged beside the price since is due afterwards.
  const isDue = balanceOf({ ...before, total: thawQuote(item.quote).total }) >= due;
  return isSame && isDue && allows(before, item) ? { held, before, item } : undefined;
};

/** After check-in only the check-out may change, after the check-out only the price (D121). */
const allows = (before: Reservation, { listing_id, start_at, end_at, request }: OrderItem): boolean => {
  const keepsStart =
    listing_id === before.listing_id &&
    start_at === before.start_at &&
    request.guest_number === before.guest_number;
  if (keepsStart && end_at === before.end_at) return isIn(adjustableStates, before);
  return isIn(changeableStates, before) && (keepsStart || before.state !== 'CHECKED_IN');
};

const isIn = (states: readonly BookingState[], { state }: Reservation): boolean => states.includes(state);
