import type { Context } from '../../platform/context.ts';
import type { Write } from '../../platform/table/index.ts';
import {
  type BookingTerms,
  bookOrder,
  paymentExpiry,
  paymentStatusOf,
  presentStay,
  readAccounts,
  transferOf,
  waitsForPayment,
} from '../booking/index.ts';
import { isAuthorised, type Order, type Reservation } from '../booking/model.ts';
import { chargesOf } from '../folio/model.ts';
import type { Confirmation } from './checkout.schema.ts';
import { requireFitting } from './refusals.ts';

/** Returns the response of a confirm. */
export const presentConfirmation = (
  order: Order,
  reservations: readonly Reservation[],
  payUrl: string | null = null,
  accounts?: Parameters<typeof transferOf>[0],
): Confirmation => {
  const expiresAt = paymentExpiry(reservations);
  const transfer = transferOf(accounts, reservations);
  return {
    master_reservation_id: order.order_id,
    reservations: reservations.map(presentStay),
    payment_status: paymentStatusOf(reservations),
    ...(payUrl === null ? {} : { payment_url: payUrl }),
    ...(expiresAt === null && !reservations.some(isToBePaidOnline) ? {} : { payment_expires_at: expiresAt }),
    ...transactionOf(reservations),
    ...(transfer && { transfer }),
    estimated_total: order.estimated_total,
    currency: order.currency,
  };
};

/** Includes a stay whose page is opened when its host accepts it. */
const isToBePaidOnline = (stay: Reservation): boolean =>
  stay.payment_method === 'ONLINE_GATEWAY' && waitsForPayment(stay) && !isAuthorised(stay);

const transactionOf = (
  reservations: readonly Reservation[],
): Pick<Confirmation, 'payment_transaction_id'> => {
  const [transaction] = reservations.flatMap((stay) => chargesOf(stay).map(({ reference }) => reference));
  return transaction === undefined ? {} : { payment_transaction_id: transaction };
};

/** An order to be booked, with the calendar writes of its confirmation. */
export interface PendingOrder {
  order: Order;
  /** The id is new. */
  isNew: boolean;
  calendar: Write[];
}

/** Books an order in one transaction, with the given further writes. */
export const bookPendingOrder = async (
  ctx: Context,
  { order: held, isNew, calendar }: PendingOrder,
  terms: BookingTerms,
  also: { writes: Write[]; payUrl: string | null } = { writes: [], payUrl: null },
): Promise<Confirmation> => {
  const { order, reservations, writes } = bookOrder(ctx, held, terms, { isNew });
  const accounts = await readAccounts(ctx, reservations);
  return ctx.commit(
    requireFitting([...writes, ...calendar, ...also.writes]),
    presentConfirmation(order, reservations, also.payUrl, accounts),
  );
};
