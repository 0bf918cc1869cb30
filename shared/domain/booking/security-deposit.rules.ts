import { depositOf } from '../folio/model.ts';
import { totalOf } from './booking.rules.ts';
import type { SecurityDeposit } from './folio.schema.ts';
import { thawQuote } from './frozen-quote.rules.ts';
import type { Order } from './order.entity.ts';
import type { Reservation } from './reservation.entity.ts';

/** Returns the security deposit that was frozen with the price of a stay (D131). */
export const frozenDeposit = (
  { items }: Pick<Order, 'items'>,
  { reservation_id }: Pick<Reservation, 'reservation_id'>,
): number => {
  const item = items.find((one) => one.reservation_id === reservation_id);
  return item ? thawQuote(item.quote).deposit : 0;
};

/** Returns the security deposits of stays, together. */
export const depositsOf = (order: Pick<Order, 'items'>, stays: readonly Reservation[]): SecurityDeposit => {
  const all = stays.map((stay) => ({ amount: frozenDeposit(order, stay), ...depositOf(stay) }));
  return {
    amount: totalOf(all.map(({ amount }) => amount)),
    held: totalOf(all.map(({ held }) => held)),
    kept: totalOf(all.map(({ kept }) => kept)),
    returned: totalOf(all.map(({ returned }) => returned)),
  };
};
