import { balanceOf } from '../folio/model.ts';
import { thawQuote } from './frozen-quote.rules.ts';
import type { Order, OrderItem, PendingChange } from './order.entity.ts';
import type { Reservation } from './reservation.entity.ts';
import { changeableStates } from './booking.rules.ts';

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

/**
 * Returns the stay of a held change while it still waits for it: it was not changed otherwise, costs what it cost, and its
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
  const isDue = balanceOf({ ...before, total: thawQuote(item.quote).total }) === due;
  return isSame && isDue && allows(before, item) ? { held, before, item } : undefined;
};

/** After check-in only the check-out may change. */
const allows = (before: Reservation, { listing_id, start_at, request }: OrderItem): boolean =>
  before.state === 'CHECKED_IN'
    ? listing_id === before.listing_id &&
      start_at === before.start_at &&
      request.guest_number === before.guest_number
    : (changeableStates as readonly string[]).includes(before.state);
