import { instantText } from '../../platform/time/clock.ts';
import type { Context } from '../../platform/context.ts';
import { readOf } from '../../platform/table/index.ts';
import { type Payment, PaymentEntity } from '../payment/model.ts';
import { awaitedStay, type AwaitedStay } from './awaited-change.rules.ts';
import { thawQuote } from './frozen-quote.rules.ts';
import { type Order, OrderEntity } from './order.entity.ts';
import type { Reservation } from './reservation.entity.ts';
import type { PendingChange } from './pending-change.schema.ts';

/** A change with its page, which can be paid now. */
interface PayableChange extends AwaitedStay {
  payment: Payment;
}

/** The changes that stays wait for. */
interface WaitingChanges {
  orders: (Order | undefined)[];
  payments: (Payment | undefined)[];
}

/** Reads only for stays that name a change. */
export const readWaitingChanges = async (
  { table }: Pick<Context, 'table'>,
  stays: readonly Reservation[],
): Promise<WaitingChanges> => {
  const ids = stays.flatMap(({ pending_change }) => pending_change ?? []);
  if (ids.length === 0) return { orders: [], payments: [] };
  const [orders, payments] = await table.getGroups([
    ids.map((id) => readOf(OrderEntity, { order_id: id })),
    ids.map((id) => readOf(PaymentEntity, { payment_id: id })),
  ]);
  return { orders, payments };
};

/** Returns the change that {@link pendingChangeOf} does of what it reads. */
export const readPendingChange = async (
  ctx: Pick<Context, 'table' | 'clock'>,
  stays: readonly Reservation[],
): Promise<PendingChange | null> =>
  pendingChangeOf(stays, await readWaitingChanges(ctx, stays), ctx.clock.now());

/** Returns the change that one of these stays waits for while its page can be paid (D84), of several the one whose page ends first. */
export const pendingChangeOf = (
  stays: readonly Reservation[],
  { orders, payments }: WaitingChanges,
  now: number,
): PendingChange | null => {
  const payable = orders.flatMap((order, at): PayableChange[] => {
    const awaited = awaitedStay(order, stays);
    const payment = payments[at];
    return awaited && payment?.state === 'OPEN' && now < payment.ends_at ? [{ ...awaited, payment }] : [];
  });
  const [first] = payable.sort((a, b) => a.payment.ends_at - b.payment.ends_at);
  return first ? presentPending(first) : null;
};

const presentPending = ({ held, before, item, payment }: PayableChange): PendingChange => {
  const quote = thawQuote(item.quote);
  const { difference, due, by } = held.change;
  return {
    booking_id: before.reservation_id,
    listing_id: item.listing_id,
    listing_name: item.listing_name,
    check_in_date: quote.check_in_date,
    check_out_date: quote.check_out_date,
    start_at: quote.start_at,
    end_at: quote.end_at,
    nights: quote.nights,
    guest_number: quote.guest_number,
    adult_number: quote.adult_number,
    children_number: quote.children_number,
    extra_services: quote.extra_services,
    total_price: quote.total,
    difference,
    amount_due: due,
    payment_url: payment.url,
    payment_expires_at: instantText(payment.ends_at),
    asked_by: askedBy(by, before),
  };
};

const askedBy = (actor: string, { guest }: Reservation): PendingChange['asked_by'] => {
  if (actor.startsWith('key:')) return 'partner';
  return actor === `user:${guest.user_id}` || actor.startsWith('guest:') ? 'guest' : 'host';
};
