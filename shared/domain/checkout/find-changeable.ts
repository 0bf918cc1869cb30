import { hasPermission } from '../../platform/auth.ts';
import type { Context } from '../../platform/context.ts';
import { invalid, type ServiceError } from '../../platform/errors.ts';
import { isOrderId, orderIdOf } from '../../platform/ids.ts';
import { readOf } from '../../platform/table/index.ts';
import { heldOrder } from '../booking/index.ts';
import {
  changeTimeRefusal,
  findOrder,
  managedElsewhere,
  type FoundOrder,
  type Order,
  OrderEntity,
  type OrderItem,
  type Reservation,
  thawQuote,
} from '../booking/model.ts';
import { type Payment, PaymentEntity } from '../payment/model.ts';
import type { ItemQuote } from '../pricing/model.ts';
import type { ChangeRequest } from './change.schema.ts';
import {
  requireChangeable,
  requireChargeable,
  requireNoHostFields,
  requireOwnPrice,
  requirePlatforms,
} from './change.rules.ts';

/** How a caller reaches bookings. */
export interface StayAccess {
  sees: (stay: Reservation) => boolean;
  /** Whether the caller may change a stay that it sees. */
  mayChange: (stay: Reservation) => boolean;
  mayNotChange: () => ServiceError;
  bookingMissing: () => ServiceError;
}

/** An order that has stays. */
interface BookedOrder extends FoundOrder {
  order: Order;
}

/** A stay as it is booked. */
export interface FoundStay {
  found: BookedOrder;
  before: Reservation;
  item: OrderItem;
  sold: ItemQuote;
  /** The order of an earlier change that still waits for its payment; this one takes its place. */
  pending: Order | undefined;
  /** The payment of that. */
  pendingPayment: Payment | undefined;
}

/** Reads the stay of a booking id, which must be one that the caller may change now. */
export const findChangeable = async (
  ctx: Context,
  bookingId: number,
  asked: ChangeRequest,
  access: StayAccess,
): Promise<FoundStay> => {
  const { order, ...found } = await findOrder(ctx.table, orderIdOf(bookingId));
  const stays = found.reservations.filter(
    (stay) => (isOrderId(bookingId) || stay.reservation_id === bookingId) && access.sees(stay),
  );
  const [before] = stays;
  if (order?.state !== 'BOOKED' || !before) throw access.bookingMissing();
  if (!stays.every(access.mayChange)) throw access.mayNotChange();
  if (stays.length > 1)
    throw invalid({
      path: 'booking_id',
      message: `names an order of ${stays.length} stays; change each by its own id`,
    });
  requirePlatforms(before, asked);
  // Its price alone is the host's word: no calendar says it.
  const managed = asked.total_price === undefined && managedElsewhere([before]);
  if (managed) throw managed;
  requireChangeable(before, asked);
  requireChargeable(before, asked);
  requireOwnPrice(before, asked);
  if (!isByHost(ctx, before)) requireNoHostFields(asked);
  const late = changeTimeRefusal(before, isByHost(ctx, before), ctx.clock.now());
  if (late) throw late;
  const item = order.items.find(({ reservation_id }) => reservation_id === before.reservation_id);
  if (!item) throw new Error(`the order of ${before.reservation_id} does not have it`);
  const pending = await pendingOf(ctx, before);
  return { found: { ...found, order }, before, item, sold: thawQuote(item.quote), ...pending };
};

const pendingOf = async (
  ctx: Context,
  { pending_change: id }: Reservation,
): Promise<Pick<FoundStay, 'pending' | 'pendingPayment'>> => {
  if (id === undefined) return { pending: undefined, pendingPayment: undefined };
  const [[order], [payment]] = await ctx.table.getGroups([
    [readOf(OrderEntity, { order_id: id })],
    [readOf(PaymentEntity, { payment_id: id })],
  ]);
  return { pending: heldOrder(order), pendingPayment: payment };
};

/** Whether the caller changes a stay as its host. */
export const isByHost = ({ caller }: Pick<Context, 'caller'>, { team_id }: Reservation): boolean =>
  hasPermission(caller, 'manage', team_id);
